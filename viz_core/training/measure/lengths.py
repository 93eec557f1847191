"""BLEU by the length of the sentence, with intervals: where one vector for all of it runs out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz_core.checkpoints import Bundle
from viz_core.training.measure.scoring import translations

EDGES = (1, 5, 9, 13, 17, 21, 25)  # English words; a group ends before the next one begins
MOST = 300  # sentences of a group: more of them narrow the interval, and take longer
SAMPLES = 1000
ORDERS = 4  # BLEU counts sequences of one to four words


def by_length(bundle: Bundle, references: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """One row a group of lengths: BLEU and its 95% interval. The sentences are never chosen."""
    rows = []
    for first, end in pairwise(EDGES):
        group = [text for text in references if first <= len(text.split()) < end][:MOST]
        if len(group) < 2:  # nothing to draw from
            continue
        counts = statistics(translations(bundle, group), [references[text] for text in group])
        low, high = interval(counts)
        rows.append(
            {
                "words": f"{first}-{end - 1}",
                "sentences": len(group),
                "BLEU": round(score(counts.sum(axis=0)), 2),
                "low": round(low, 2),
                "high": round(high, 2),
            }
        )
    return rows


def statistics(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> NDArray[np.float64]:
    """(sentence, 2 + 2 orders): both lengths, n-grams that match, and n-grams there are.

    BLEU is a function of their sums, so a resampled corpus costs an addition and no translation.
    """
    from sacrebleu.metrics.bleu import BLEU  # for development only, so imported where it is used

    metric = BLEU(effective_order=True)
    scored = [
        metric.sentence_score(said, list(wanted))
        for said, wanted in zip(hypotheses, references, strict=True)
    ]
    return np.array([[one.sys_len, one.ref_len, *one.counts, *one.totals] for one in scored])


def score(sums: NDArray[np.float64]) -> float:
    """Corpus BLEU from summed statistics."""
    from sacrebleu.metrics.bleu import BLEU

    lengths, counts, totals = np.split(sums.astype(int), [2, 2 + ORDERS])
    total = BLEU.compute_bleu(
        counts.tolist(), totals.tolist(), int(lengths[0]), int(lengths[1]), smooth_method="exp"
    )
    return float(total.score)


def interval(counts: NDArray[np.float64], seed: int = 1) -> tuple[float, float]:
    """Koehn 2004: the middle 95% of the BLEU of corpora drawn from this one, with replacement."""
    draws = np.random.default_rng(seed).integers(len(counts), size=(SAMPLES, len(counts)))
    low, high = np.percentile([score(counts[draw].sum(axis=0)) for draw in draws], [2.5, 97.5])
    return float(low), float(high)

"""How good a visitor's own translator is, on sentences of its file that it has not seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from viz_core.checkpoints import Bundle
from viz_core.training.data import Pair
from viz_core.training.measure.scoring import perplexity, translations

# How sacrebleu takes a text apart where spaces do not: Chinese by its own rule, others by sign.
BY_SIGN = {"zh": "zh", **dict.fromkeys(("ja", "th", "lo", "km", "my"), "char")}


def figures(bundle: Bundle, pairs: Sequence[Pair]) -> dict[str, float]:
    """BLEU (Papineni et al. 2002) and chrF (Popović 2015), every translation a reference."""
    import sacrebleu  # for development only, so imported where it is used

    references: dict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        references[pair.english].append(bundle.tokenizer.as_written(pair.french))
    said = translations(bundle, list(references))
    most = max(map(len, references.values()))
    streams: Any = [
        [one[i] if i < len(one) else None for one in references.values()] for i in range(most)
    ]
    tokenize = BY_SIGN.get(bundle.card.target.split("-")[0], "13a")
    found = {
        "BLEU": float(sacrebleu.corpus_bleu(said, streams, tokenize=tokenize).score),
        "chrF": float(sacrebleu.corpus_chrf(said, streams).score),
        "perplexity": perplexity(bundle, pairs),
        "sentences": float(len(references)),
    }
    return {name: round(value, 4) for name, value in found.items()}

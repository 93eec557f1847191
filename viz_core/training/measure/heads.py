"""What each head of the Transformer does, measured on sentences it has not been trained on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from viz_core import analysis, probe
from viz_core.checkpoints import Bundle
from viz_core.training import data
from viz_core.training.data import Pair, Source, coreference
from viz_core.training.data.coreference_sentence import Example
from viz_core.training.measure import scoring

LOPES = Source(
    file="pronouns/lopes-dev.tsv",
    origin="https://github.com/rbawden/Large-contrastive-pronoun-testset-EN-FR (it -> il / elle)",
    licence="MIT, Lopes et al. 2020",
)
GENERATED = 600  # sentences of the generated test part that are looked at
RANKED = 200  # held-out pairs on which heads are switched off


def pronouns(bundle: Bundle, sentences: Sequence[tuple[str, str, str]]) -> float:
    """Share of (English, right French, wrong French) where the right one is more probable."""
    good, bad = (
        scoring.log_probs(bundle, [Pair(row[0], row[side]) for row in sentences]) for side in (1, 2)
    )
    return float(np.mean(np.array(good) > np.array(bad)))


def lopes(folder: Path) -> list[tuple[str, str, str]]:
    lines = LOPES.path(folder).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip()]
    return [(english, good, bad) for english, good, bad in rows]


def coreference_shares(
    bundle: Bundle, examples: Sequence[Example]
) -> tuple[np.ndarray, np.ndarray]:
    """(layer, head): how often "it" weighs the right noun most, and its mean weight there."""
    wins: list[np.ndarray] = []
    weights: list[np.ndarray] = []
    for example in examples:
        trace = probe.encoded(bundle, example.english).words()
        words = word_starts(bundle, example.english)
        it, noun, *others = (
            words[at] for at in (example.it_at, example.antecedent_at, *example.distractors_at)
        )
        if others:
            wins.append(analysis.resolved(trace.weights, it, noun, others) > 0)
        weights.append(trace.weights[:, :, it, noun])
    return np.mean(wins, axis=0), np.mean(weights, axis=0)


def word_starts(bundle: Bundle, text: str) -> dict[int, int]:
    """Character offset -> number of the word that starts there."""
    encoded = bundle.tokenizer.encode(text)
    starts: dict[int, int] = {}
    for (start, _), word in zip(bundle.tokenizer.spans(text), encoded.words, strict=False):
        at = start + (text[start : start + 1] == " ")
        if word not in starts.values():
            starts[at] = word
    return starts


def flip(bundle: Bundle, layer: int, head: int) -> dict[str, float]:
    """On the classic pair: weight of it on animal minus on street, tired; the reverse, wide."""
    margins = {}
    for example in coreference.CLASSIC:
        trace = probe.encoded(bundle, example.english).words()
        words = word_starts(bundle, example.english)
        it, noun, other = (
            words[at] for at in (example.it_at, example.antecedent_at, example.distractors_at[0])
        )
        row = trace.weights[layer, head, it]
        margins[example.antecedent] = float(row[noun] - row[other])
    return margins


def ablations(bundle: Bundle, pairs: Sequence[Pair]) -> dict[str, list[list[float]]]:
    """Voita et al. 2019: how much the held-out loss a token rises when one head is silent."""
    examples = data.encode(bundle.tokenizer, pairs)[:RANKED]
    whole = scoring.mean_loss(bundle, examples)

    def rise(part: str, layer: int, head: int) -> float:
        keep = probe.silence(bundle, [(part, layer, head)])
        return round(scoring.mean_loss(bundle, examples, keep) - whole, 5)

    return {
        part: [[rise(part, layer, head) for head in range(heads)] for layer in range(layers)]
        for part, layers, heads in probe.head_counts(bundle)
    }


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """Metrics and tables for the Transformer's card."""
    examples = list(coreference.generate("test", GENERATED, seed=11))
    shares, weights = coreference_shares(bundle, examples)
    layer, head = np.unravel_index(int(shares.argmax()), shares.shape)
    margins = flip(bundle, int(layer), int(head))
    traces = [probe.encoded(bundle, example.english) for example in examples[:200]]
    profiles = analysis.profiles(traces)
    held_out = [p for n in ("tatoeba", "europarl") for p in data.read(n, folder, "held-out")]
    random.Random(3).shuffle(held_out)
    return {
        "metrics": {
            "generated test": {
                "il/elle": pronouns(bundle, [(e.english, e.french, e.wrong) for e in examples]),
                "it resolved": float(shares.max()),
                "layer": 1.0 + layer,
                "head": 1.0 + head,
                "weight on the noun": float(weights[layer, head]),
                "animal over street, tired": margins["animal"],
                "street over animal, wide": margins["street"],
                "sentences": float(len(examples)),
            },
        },
        "measured": {
            "it resolved": shares.round(4).tolist(),
            "weight on the noun": weights.round(4).tolist(),
            "profiles": [[asdict(profile) for profile in row] for row in profiles],
            "ablation": ablations(bundle, held_out),
        },
    }

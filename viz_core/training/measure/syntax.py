"""Does a head follow the grammar? Sentences whose grammar is known, because it made them.

After Clark et al. 2019, section 4.2: a head is right if the dependent word looks most at the word
it belongs to, [CLS] and [SEP] aside. Adjectives and adverbs stand in between, so that no fixed
distance does as well; the best fixed distance is the baseline to beat.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from viz_core import analysis
from viz_core.checkpoints import Bundle
from viz_core.probe import bert as probe_bert
from viz_core.traces import AttentionTrace

RELATIONS = ("determiner", "object", "preposition")
NOUNS = [
    "dog",
    "cat",
    "farmer",
    "teacher",
    "door",
    "letter",
    "river",
    "bridge",
    "garden",
    "table",
    "horse",
    "doctor",
    "song",
    "ship",
]
VERBS = [
    "saw",
    "found",
    "followed",
    "painted",
    "carried",
    "watched",
    "crossed",
    "remembered",
    "bought",
    "heard",
]
ADJECTIVES = [
    "old",
    "small",
    "red",
    "quiet",
    "heavy",
    "young",
    "dark",
    "strange",
    "wooden",
    "famous",
]
ADVERBS = ["quickly", "often", "suddenly", "never", "carefully"]
PREPOSITIONS = ["behind", "near", "under", "beside"]
DETERMINERS = ["the", "a", "this", "every"]


@dataclass(frozen=True, slots=True)
class Parsed:
    """Words, and per relation the (dependent, head) pairs, by position."""

    words: tuple[str, ...]
    pairs: dict[str, tuple[tuple[int, int], ...]]

    @property
    def text(self) -> str:
        return " ".join(self.words)


def sentence(rng: random.Random) -> Parsed:
    """The old dog quickly saw a small red cat near the river ."""
    words: list[str] = []
    pairs: dict[str, list[tuple[int, int]]] = {name: [] for name in RELATIONS}

    def phrase(noun: str) -> int:
        first = len(words)
        words.append(rng.choice(DETERMINERS))
        words.extend(rng.sample(ADJECTIVES, rng.randrange(3)))
        words.append(noun)
        pairs["determiner"].append((first, len(words) - 1))
        return len(words) - 1

    nouns = rng.sample(NOUNS, 3)
    phrase(nouns[0])
    words.extend(rng.sample(ADVERBS, rng.randrange(2)))
    verb = len(words)
    words.append(rng.choice(VERBS))
    pairs["object"].append((phrase(nouns[1]), verb))
    if rng.random() < 0.7:
        words.append(rng.choice(PREPOSITIONS))
        place = len(words) - 1
        pairs["preposition"].append((phrase(nouns[2]), place))
    words.append(".")
    return Parsed(tuple(words), {name: tuple(links) for name, links in pairs.items()})


def corpus(count: int = 200, seed: int = 7) -> list[Parsed]:
    rng = random.Random(seed)
    return [sentence(rng) for _ in range(count)]


def right(trace: AttentionTrace, pairs: Sequence[tuple[int, int]]) -> np.ndarray:
    """(pair, layer, head): does the dependent look most at its head? trace is between words."""
    special = [i for i, word in enumerate(trace.keys) if word in analysis.SPECIAL]
    weights = trace.weights.copy()
    weights[..., special] = -1.0
    best = weights.argmax(axis=-1)  # (layer, head, query)
    # Positions in the trace are one further: [CLS] stands in front.
    hits = [best[:, :, dependent + 1] == head + 1 for dependent, head in pairs]
    return np.array(hits, dtype=bool).reshape(-1, trace.layers, trace.heads)


def fixed_distance(pairs: Sequence[tuple[int, int]]) -> float:
    """The share of pairs that the best fixed distance finds."""
    _, counts = np.unique([head - dependent for dependent, head in pairs], return_counts=True)
    return float(counts.max() / len(pairs))


def measure(bundle: Bundle) -> dict[str, dict[str, float]]:
    """Per relation the best head, chosen on half of the sentences and scored on the others."""
    parsed = corpus()
    traces = [probe_bert.encode(bundle, one.text).words() for one in parsed]
    metrics = {}
    for name in RELATIONS:
        halves = [
            np.concatenate(
                [
                    right(t, p.pairs[name])
                    for t, p in list(zip(traces, parsed, strict=True))[half::2]
                ]
            )
            for half in (0, 1)
        ]
        shares = halves[0].mean(axis=0)
        layer, head = np.unravel_index(int(shares.argmax()), shares.shape)
        scored = [pair for one in parsed[1::2] for pair in one.pairs[name]]
        metrics[f"syntax, {name}"] = {
            "right": float(halves[1][:, layer, head].mean()),
            "fixed distance": fixed_distance(scored),
            "layer": 1.0 + float(layer),
            "head": 1.0 + float(head),
            "pairs": float(len(scored)),
        }
    return metrics

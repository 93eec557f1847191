"""Whether a word's vectors tell its senses apart: pairs of sentences with the same word.

For every word of CoarseWSD-20, pairs of its sentences are drawn, some with the same sense in both
and some with two senses. Measured is how often a pair of the first kind is nearer than one of the
second, averaged over the words: half of the time by chance, and for any vector that does not know
the sentence, as then all pairs are equally near.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from viz_core import checkpoints, probe
from viz_core.analysis.context import TOPIC, cosines
from viz_core.checkpoints import Bundle
from viz_core.training.data.pairs import Source

SENSES = Source(
    file="senses/coarsewsd20-train.tar.xz",
    origin="CoarseWSD-20, https://github.com/danlou/bert-disambiguation",
    licence="CC BY-NC 4.0, for measuring only",
)
EACH = 12  # sentences of a sense
AROUND = 14  # words that are read on either side of the word
BERT, GLOVE = "bert-mini", "word-vectors"

Vectors = NDArray[np.floating]
Read = Callable[["Asked"], dict[str, Vectors]]  # vectors of the word by kind, (width,) each


@dataclass(frozen=True, slots=True)
class Asked:
    word: str
    sense: int
    text: str
    at: int  # the word's place among the words between spaces


def asked(folder: Path) -> dict[str, list[Asked]]:
    """The same sentences each time, as many of each sense."""
    rng = np.random.default_rng(0)
    found: dict[str, list[Asked]] = {}
    with tarfile.open(SENSES.path(folder)) as archive:
        names = sorted(name.split("/")[-2] for name in archive.getnames() if "data.txt" in name)
        inside = {"/".join(name.split("/")[-2:]): name for name in archive.getnames()}
        for word in names:
            texts, golds = (
                archive.extractfile(inside[f"{word}/train.{kind}.txt"]).read().decode().splitlines()  # type: ignore[union-attr]
                for kind in ("data", "gold")
            )
            rows = [_row(word, int(gold), text) for text, gold in zip(texts, golds, strict=True)]
            kept = [row for row in rows if row.text.split()[row.at].lower() == word]
            found[word] = [
                same[i]
                for sense in sorted({row.sense for row in kept})
                if len(same := [row for row in kept if row.sense == sense]) >= EACH
                for i in rng.choice(len(same), EACH, replace=False)
            ]
    return {word: rows for word, rows in found.items() if len({row.sense for row in rows}) > 1}


def _row(word: str, sense: int, line: str) -> Asked:
    place, text = line.split("\t", 1)
    words, at = text.split(), int(place)
    start = max(at - AROUND, 0)
    return Asked(word, sense, " ".join(words[start : at + AROUND + 1]), at - start)


def share(vectors: Vectors, senses: NDArray[np.integer]) -> float:
    """How often two rows of one sense are nearer than two of different ones; a tie is half."""
    similar = np.stack([cosines(row, vectors) for row in vectors])
    first, second = np.triu_indices(len(vectors), 1)
    near, same = similar[first, second], senses[first] == senses[second]
    inner, outer = near[same][:, None].round(5), near[~same][None].round(5)
    return float((inner > outer).mean() + (inner == outer).mean() / 2)


def measure(read: Read, folder: Path) -> dict[str, float]:
    """The share for each kind of vector, averaged over the words."""
    shares: dict[str, list[float]] = {}
    for rows in asked(folder).values():
        vectors = [read(row) for row in rows]
        senses = np.array([row.sense for row in rows])
        for kind in vectors[0]:
            shares.setdefault(kind, []).append(share(np.stack([v[kind] for v in vectors]), senses))
    return {kind: round(float(np.mean(found)), 4) for kind, found in shares.items()}


def layers(bundle: Bundle, name: str) -> Read:
    """Every layer of a model that reads the sentence."""

    def read(row: Asked) -> dict[str, Vectors]:
        found = probe.states(bundle, row.text).words()
        words = [at for at, token in enumerate(found.tokens) if token == row.word]
        spoken = row.text.split()
        which = sum(token.lower() == row.word for token in spoken[: row.at])  # the n-th of them
        at = words[min(which, len(words) - 1)]
        return {f"{name}, layer {j}": layer[at] for j, layer in enumerate(found.values)}

    return read


def static(bundle: Bundle) -> Read:
    """A plain table: the word's one vector, and the mean of all vectors of the sentence."""
    known = {word: number for number, word in enumerate(bundle.tokenizer.vocabulary)}
    table = bundle.model.table.weight.detach().float().numpy()

    def read(row: Asked) -> dict[str, Vectors]:
        numbers = [known[word] for word in row.text.lower().split() if word in known]
        # Any vector will do for a word that is not in the table: it is the same in all sentences.
        own = table[known[row.word]] if row.word in known else np.ones(table.shape[1])
        return {
            "GloVe, its one vector": own,
            TOPIC: table[numbers].mean(0),
        }

    return read


def compared(bundle: Bundle, untrained: Bundle, folder: Path) -> dict[str, float]:
    """Baselines first, then the layers, then those of BERT."""
    chance = measure(layers(untrained, "untrained"), folder)
    best = max(chance, key=chance.__getitem__)
    return {
        **measure(static(checkpoints.load(GLOVE)), folder),
        "ELMo, untrained": chance[best],
        **measure(layers(bundle, "ELMo"), folder),
        **measure(layers(checkpoints.load(BERT), "BERT"), folder),
    }

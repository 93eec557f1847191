"""Word vectors learned from a small text while a visitor looks on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from viz_core import interruption
from viz_core.models.skip_gram import Floats, Numbers, gradients
from viz_core.text import normalise
from viz_core.traces.word_vectors import SkipGramTrace

STORY = (Path(__file__).parent / "story.txt").read_text(encoding="utf-8").strip()
WIDTH, WINDOW, DRAWN = 12, 2, 3  # numbers of a vector, words to each side, words drawn for a pair
BATCH, RATE = 256, 0.03
OFTEN = 0.02  # a word that is more of the text than this is read less often
NOISE = 0.75  # the power of a word's share with which it is drawn
FEWEST, MOST = 6, 150  # different words
LONGEST = 4000  # characters


def learn(
    text: str = STORY, seed: int = 1, updates: int = 300, every: int = 10
) -> Iterator[SkipGramTrace]:
    """Learn vectors from a text; the moments come while it learns, the first after one update."""
    sentences = _sentences(text)
    counts = Counter(word for sentence in sentences for word in sentence).most_common()
    words = tuple(word for word, _ in counts)
    number = {word: place for place, word in enumerate(words)}
    share = np.array([count for _, count in counts]) / sum(count for _, count in counts)
    pairs = _pairs([[number[word] for word in sentence] for sentence in sentences])
    keep = np.minimum(1, np.sqrt(OFTEN / share))[pairs].prod(axis=1)
    keep, noise = keep / keep.sum(), share**NOISE / (share**NOISE).sum()

    rng = np.random.default_rng(seed)
    tables = [rng.normal(0, 0.1, (len(words), WIDTH)) for _ in range(2)]  # centres, neighbours
    adam = [Adam(table) for table in tables]
    losses: list[float] = []
    places: Floats | None = None
    for update in range(1, updates + 1):
        interruption.point()
        centre, beside = pairs[rng.choice(len(pairs), BATCH, p=keep)].T
        drawn = rng.choice(len(words), (BATCH, DRAWN), p=noise)
        found = gradients(tables[0], tables[1], centre, beside, drawn)
        losses.append(found.loss)
        for table, own, slope in zip(tables, adam, found[1:], strict=True):
            own.step(table, slope)
        if update == 1 or update % every == 0 or update == updates:
            places = on_map(tables[0], places)
            chosen = [int(beside[0]), *drawn[0].tolist()]
            yield SkipGramTrace(
                words=words,
                counts=tuple(count for _, count in counts),
                losses=tuple(losses),
                vectors=tables[0].copy(),
                places=places,
                pair=(words[centre[0]], words[beside[0]]),
                drawn=tuple(words[other] for other in chosen[1:]),
                scores=tuple((tables[1][chosen] @ tables[0][centre[0]]).tolist()),
            )


def course(text: str, seed: int, updates: int, every: int) -> tuple[SkipGramTrace, ...]:
    """All moments of one lesson, to step through."""
    return tuple(learn(text, seed, updates, every))


class Adam:
    """Kingma and Ba 2015, algorithm 1."""

    def __init__(self, table: Floats) -> None:
        self.mean, self.square, self.time = np.zeros_like(table), np.zeros_like(table), 0

    def step(self, table: Floats, slope: Floats) -> None:
        self.time += 1
        self.mean += (1 - 0.9) * (slope - self.mean)
        self.square += (1 - 0.99) * (slope**2 - self.square)
        mean, square = self.mean / (1 - 0.9**self.time), self.square / (1 - 0.99**self.time)
        table -= RATE * mean / (np.sqrt(square) + 1e-8)


def on_map(vectors: Floats, before: Floats | None) -> Floats:
    """The two directions in which the words differ most, turned so that the map does not jump."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True).clip(1e-9)
    centred = unit - unit.mean(0)
    places: Floats = centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T
    if before is None:
        return places
    left, _, right = np.linalg.svd(places.T @ before)  # the nearest rotation (Schönemann 1966)
    return places @ (left @ right)


def _sentences(text: str) -> list[list[str]]:
    if len(text) > LONGEST:
        raise ValueError(f"This text has {len(text):,} characters; {LONGEST:,} can be learned.")
    parts = re.split(r"[.!?\n]+", normalise_lines(text))
    sentences = [words for part in parts if len(words := re.findall(r"[\w']+", part)) > 1]
    different = len({word for sentence in sentences for word in sentence})
    if different < FEWEST:
        raise ValueError(
            f"Write sentences of at least {FEWEST} different words: this text has {different}."
        )
    return _commonest(sentences) if different > MOST else sentences


def normalise_lines(text: str) -> str:
    return "\n".join(normalise(line).lower() for line in text.splitlines())


def _commonest(sentences: list[list[str]]) -> list[list[str]]:
    """The rest is left out: more words than this cannot be read on a map."""
    counts = Counter(word for sentence in sentences for word in sentence)
    known = {word for word, _ in counts.most_common(MOST)}
    kept = ([word for word in sentence if word in known] for sentence in sentences)
    return [sentence for sentence in kept if len(sentence) > 1]


def _pairs(sentences: list[list[int]]) -> Numbers:
    """Every word with every other one at most WINDOW places away, (pair, 2)."""
    return np.array(
        [
            (word, sentence[other])
            for sentence in sentences
            for place, word in enumerate(sentence)
            for other in range(max(place - WINDOW, 0), min(place + WINDOW + 1, len(sentence)))
            if other != place
        ]
    )

"""Next sentence prediction (Devlin et al. 2019, section 3.1, task 2): how its pairs are made."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

LEAST = 3  # sentences: with fewer, every other sentence would be the next one


@dataclass(frozen=True, slots=True)
class Pair:
    first: str
    second: str
    follows: bool


def sentences(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+", text) if part.strip()]


def draw(text: str, count: int, seed: int) -> list[Pair]:
    """Each first sentence gets its true neighbour with probability 1/2, else any other sentence.

    A line of the text is a text of its own: neighbours stand in one line, and the others come from
    another line where there is one.
    """
    texts = [found for line in text.split("\n") if (found := sentences(line))]
    true = [(i, j) for i, found in enumerate(texts) for j in range(len(found) - 1)]
    if sum(map(len, texts)) < LEAST or not true:
        raise ValueError(f"Type at least {LEAST} sentences, two of them in one line, to draw from.")
    rng, pairs = random.Random(seed), []
    for _ in range(count):
        i, j = rng.choice(true)
        follows = rng.random() < 0.5
        elsewhere = [one for k, found in enumerate(texts) if k != i for one in found]
        others = elsewhere or [one for k, one in enumerate(texts[i]) if k not in (j, j + 1)]
        second = texts[i][j + 1] if follows else rng.choice(others)
        pairs.append(Pair(texts[i][j], second, follows))
    return pairs

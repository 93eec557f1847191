"""Which token was translated by which: links that a statistical aligner finds in the pairs alone.

    P(target_j | source) = sum_i d(i, j) t(target_j | source_i)     IBM model 1, Brown et al. 1993
    d(i, j) ~ exp(-SHARP |i / S - j / T|)                           its diagonal, Dyer et al. 2013

Both directions are learned by expectation maximisation, and a link stays where each token is the
other's best: few links, but nearly all of them right. No aligned sentence is read for it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from viz_core.training.data.pairs import Example

T = TypeVar("T")

SHARP = 4.0
ROUNDS = 4
LEARNED = 200_000  # pairs that the tables are learned from
CHUNK = 2000
LEAST = 0.3  # of what a token is explained by, at least so much by its link


def linked(examples: Sequence[Example], size: int, seed: int = 1) -> list[Example]:
    """The same examples with their links; size is that of the vocabulary."""
    some = random.Random(seed).sample(list(examples), min(len(examples), LEARNED))
    there = table([(one.source, one.target) for one in some], size)
    back = table([(one.target, one.source) for one in some], size)
    found: list[Example] = []
    for chunk in _chunks(examples):
        told = explained(there, [(one.source, one.target) for one in chunk], size)
        asked = explained(back, [(one.target, one.source) for one in chunk], size).mT
        best = (told == told.amax(2, keepdim=True)) & (asked == asked.amax(1, keepdim=True))
        sure = best & (told >= LEAST) & (asked >= LEAST)  # (pair, target, source)
        for one, links in zip(chunk, sure, strict=True):
            found.append(replace(one, links=links.nonzero().numpy().astype(np.int16)))
    return found


def table(pairs: Sequence[tuple[np.ndarray, np.ndarray]], size: int) -> Tensor:
    """t(target | source), flat: source * size + target."""
    known = torch.ones(size * size)
    for _ in range(ROUNDS):
        counts = torch.zeros(size * size)
        for chunk in _chunks(pairs):
            places, shares = _shares(known, chunk, size)
            counts.index_add_(0, places.flatten(), shares.flatten())
        rows = counts.view(size, size)
        known = rows.div_(rows.sum(1, keepdim=True).clamp_min_(1e-9)).flatten()
    return known


def explained(known: Tensor, pairs: Sequence[tuple[np.ndarray, np.ndarray]], size: int) -> Tensor:
    """How much of each target token each source token explains, (pair, target, source)."""
    return _shares(known, pairs, size)[1]


def _shares(
    known: Tensor, pairs: Sequence[tuple[np.ndarray, np.ndarray]], size: int
) -> tuple[Tensor, Tensor]:
    sources, read = _padded([source for source, _ in pairs])
    targets, written = _padded([target for _, target in pairs])
    at = torch.arange(sources.shape[1]) / read[:, None]  # (pair, source), 1 and more is filling
    to = torch.arange(targets.shape[1]) / written[:, None]
    near = torch.exp(-SHARP * (to[:, :, None] - at[:, None]).abs())
    near *= (to < 1)[:, :, None] & (at < 1)[:, None]
    places = sources[:, None] * size + targets[:, :, None]  # (pair, target, source)
    shares = known[places] * near
    return places, shares / shares.sum(2, keepdim=True).clamp_min(1e-9)


def _padded(rows: Sequence[np.ndarray]) -> tuple[Tensor, Tensor]:
    lengths = torch.tensor([len(row) for row in rows])
    flat = torch.zeros(len(rows), int(lengths.max()), dtype=torch.int64)
    for line, row in zip(flat, rows, strict=True):
        line[: len(row)] = torch.from_numpy(row)
    return flat, lengths


def _chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), CHUNK):
        yield items[start : start + CHUNK]

"""Attention as a look-up in a table: the hard match beside the soft one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from viz_core.by_hand.attention import Numbers, softmax, weighted_sum


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A query put to a table: what an exact search finds, and what attention answers."""

    names: tuple[str, ...]
    keys: Numbers  # (row, n)
    values: Numbers  # (row, value width)
    query: Numbers  # (n,)
    temperature: float
    scores: Numbers  # (row,)
    rows: tuple[int, ...]  # all whose key equals the query
    weights: Numbers  # (row,)

    @property
    def soft(self) -> Numbers:
        """(value width,): the weighted sum of all values."""
        return weighted_sum(self.weights, self.values)


def look_up(
    names: Sequence[str], keys: Numbers, values: Numbers, query: Numbers, temperature: float = 1.0
) -> Match:
    """SELECT value WHERE key = query, beside sum_i softmax(k_i . q / T) v_i."""
    asked = query.ravel()
    if len(values) != len(keys):
        raise ValueError(f"There are {len(keys)} keys and {len(values)} values: one for each key.")
    if asked.size != keys.shape[1]:
        raise ValueError(
            f"The query has {asked.size} numbers and each key {keys.shape[1]}: make them equal."
        )
    return Match(
        names=tuple(names),
        keys=keys,
        values=values,
        query=asked,
        temperature=temperature,
        scores=keys @ asked,
        rows=tuple(np.flatnonzero((keys == asked).all(axis=1)).tolist()),
        weights=tempered(keys @ asked, temperature),
    )


def tempered(scores: Numbers, temperature: float) -> Numbers:
    """softmax(s / T); at T = 0 its limit: all weight on the best, shared among equals."""
    if temperature == 0:
        best = np.isclose(scores, scores.max(), rtol=1e-12, atol=1e-12)
        return best / best.sum()
    return softmax(scores / temperature)

"""Examples small enough to do by hand: each function is the formula of a lecture slide.

They work on plain arrays and keep every step. What does not fit together is answered by a
ValueError with a sentence that names both shapes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viz_core.traces import Vectors

Numbers = NDArray[np.float64]

# ---- self-attention ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorTrace:
    """One head of self-attention with the vectors it is made of, every step from x to the outputs.

    allowed is True where a query may look. The key width need not be that of the values.
    """

    tokens: tuple[str, ...]
    inputs: Vectors  # (token, width)
    queries: Vectors  # (token, n)
    keys: Vectors  # (token, n)
    values: Vectors  # (token, value width)
    scores: Vectors  # (query, key): dot products
    allowed: NDArray[np.bool_]  # (query, key)
    weights: Vectors  # (query, key)
    divisor: float = 1.0  # sqrt(n) where the scores are scaled

    def __post_init__(self) -> None:
        for name in ("inputs", "queries", "keys", "values", "scores", "allowed", "weights"):
            rows = getattr(self, name)
            if len(rows) != len(self.tokens):
                raise ValueError(f"{len(self.tokens)} tokens but {len(rows)} rows of {name}")

    @property
    def scaled(self) -> Vectors:
        """(query, key): what the softmax gets; minus infinity where looking is not allowed."""
        found: Vectors = np.where(self.allowed, self.scores / self.divisor, -np.inf)
        return found

    @property
    def outputs(self) -> Vectors:
        """(token, value width): the values, weighted and added up."""
        found: Vectors = self.weights @ self.values
        return found


def softmax(scores: ArrayLike) -> Numbers:
    """Along the last axis; a score of minus infinity gets exactly zero."""
    given = np.asarray(scores, dtype=float)
    powers = np.exp(given - given.max(axis=-1, keepdims=True))
    found: Numbers = powers / powers.sum(axis=-1, keepdims=True)
    return found


def project(left: Numbers, right: Numbers, names: tuple[str, str]) -> Numbers:
    """left @ right, or a sentence that names both shapes."""
    if left.shape[1] != len(right):
        raise ValueError(
            f"{names[0]} has {left.shape[1]} columns but {names[1]} has {len(right)} rows: "
            f"to multiply them, give {names[1]} {left.shape[1]} rows."
        )
    return left @ right


def self_attention(
    tokens: Sequence[str],
    inputs: Numbers,
    projections: Sequence[Numbers],
    *,
    scaled: bool = True,
    masked: bool = False,
) -> VectorTrace:
    """Vaswani et al. 2017, eq. 1, with every step kept: softmax(q k^T / sqrt(n)) v.

    The projections are Wq, Wk (width, n) and Wv (width, value width).
    """
    queries, keys, values = (
        project(inputs, weight, ("x", name))
        for weight, name in zip(projections, ("Wq", "Wk", "Wv"), strict=True)
    )
    if queries.shape != keys.shape:
        raise ValueError(
            f"Wq has {queries.shape[1]} columns and Wk has {keys.shape[1]}: a query and a key are "
            "multiplied, so they must be equally long."
        )
    scores = queries @ keys.T  # (query, key)
    allowed = np.tril(np.ones(scores.shape, dtype=bool)) if masked else np.full(scores.shape, True)
    divisor = math.sqrt(queries.shape[1]) if scaled else 1.0
    return VectorTrace(
        tokens=tuple(tokens),
        inputs=inputs,
        queries=queries,
        keys=keys,
        values=values,
        scores=scores,
        allowed=allowed,
        weights=softmax(np.where(allowed, scores / divisor, -np.inf)),
        divisor=divisor,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixed:
    """Several heads side by side, then mixed (Vaswani et al. 2017, section 3.2.2)."""

    tokens: tuple[str, ...]
    joined: Numbers  # (token, all value widths)
    starts: tuple[int, ...]  # columns at which each head begins
    w_out: Numbers
    outputs: Numbers  # (token, width)


def mix(heads: Sequence[VectorTrace], w_out: Numbers) -> Mixed:
    """Concat(head_1 .. head_h) Wo."""
    widths = [head.values.shape[1] for head in heads]
    joined = np.concatenate([head.outputs for head in heads], axis=1)
    return Mixed(
        tokens=heads[0].tokens,
        joined=joined,
        starts=tuple(sum(widths[:i]) for i in range(len(widths))),
        w_out=w_out,
        outputs=project(joined, w_out, ("Concat", "Wo")),
    )


def shuffled(items: Sequence[Any], seed: int) -> list[int]:
    """Positions in another order: never the given one where there are two items or more."""
    order = list(range(len(items)))
    while len(order) > 1 and order == sorted(order):
        random.Random(seed).shuffle(order)
        seed += 1
    return order


# ---- look-up ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A query put to a table: what an exact search finds, and what attention answers."""

    names: tuple[str, ...]
    keys: Numbers  # (row, n)
    values: Numbers  # (row, value width)
    query: Numbers  # (n,)
    temperature: float
    scores: Numbers  # (row,)
    row: int | None  # of the key that equals the query
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
    equal = np.flatnonzero((keys == asked).all(axis=1))
    return Match(
        names=tuple(names),
        keys=keys,
        values=values,
        query=asked,
        temperature=temperature,
        scores=keys @ asked,
        row=int(equal[0]) if len(equal) else None,
        weights=tempered(keys @ asked, temperature),
    )


def tempered(scores: Numbers, temperature: float) -> Numbers:
    """softmax(s / T); at T = 0 its limit: all weight on the best, shared among equals."""
    if temperature == 0:
        best = np.isclose(scores, scores.max(), rtol=1e-12, atol=1e-12)
        return best / best.sum()
    return softmax(scores / temperature)


def weighted_sum(weights: Numbers, values: Numbers) -> Numbers:
    """sum_i w_i v_i"""
    if weights.size != len(values):
        raise ValueError(
            f"There are {weights.size} weights for {len(values)} values: one for each."
        )
    return weights.ravel() @ values


# ---- positions --------------------------------------------------------------------------------


def rates(width: int, base: float = 10_000.0) -> Numbers:
    """Radians that each pair of dimensions turns by from one position to the next."""
    return np.asarray(base ** (-np.arange(0, width, 2) / width))


def wavelengths(width: int, base: float = 10_000.0) -> Numbers:
    """Positions until each pair of dimensions has turned once: 2 pi base^(2k/width)."""
    found: Numbers = 2 * np.pi / rates(width, base)
    return found


def positions(length: int, width: int, base: float = 10_000.0) -> Numbers:
    """Vaswani et al. 2017, section 3.5: PE(pos, 2k) = sin(pos / base^(2k/width)), 2k+1 its cos."""
    angle = np.arange(length)[:, None] * rates(width, base)
    waves = np.stack((np.sin(angle), np.cos(angle)), axis=-1)  # (position, pair, 2)
    return waves.reshape(length, -1)[:, :width]


def rotation(offset: float, rate: float) -> Numbers:
    """The matrix that moves a pair (sin, cos) by an offset, whatever its position."""
    turn = offset * rate
    return np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])


# ---- norms, gates, lengths --------------------------------------------------------------------


def layer_norm(values: Numbers, epsilon: float = 1e-5) -> Numbers:
    """Ba et al. 2016: each row by its own mean and variance."""
    return _standard(values, 1, epsilon)


def batch_norm(values: Numbers, epsilon: float = 1e-5) -> Numbers:
    """Ioffe and Szegedy 2015, while training: each column by its mean and variance in the batch."""
    return _standard(values, 0, epsilon)


def _standard(values: Numbers, axis: int, epsilon: float) -> Numbers:
    mean, variance = values.mean(axis, keepdims=True), values.var(axis, keepdims=True)
    found: Numbers = (values - mean) / np.sqrt(variance + epsilon)
    return found


def gate(opening: ArrayLike, new: ArrayLike, old: ArrayLike) -> Numbers:
    """g * x + (1 - g) * s: an open gate lets the new value in, a closed one keeps the old."""
    g, x, s = (np.asarray(part, dtype=float) for part in (opening, new, old))
    found: Numbers = g * x + (1 - g) * s
    return found


def mean_probability(probabilities: Sequence[float]) -> float:
    """The n-th root of a product of n probabilities: sentences of all lengths on one scale."""
    return float(np.prod(probabilities) ** (1 / len(probabilities)))

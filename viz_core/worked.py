"""Examples small enough to do by hand, and the numbers that a visitor types for them.

Every function is the formula of a lecture slide on a plain array. What was typed wrongly is
answered by a ValueError with a sentence.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viz_core.traces import VectorTrace

Numbers = NDArray[np.float64]

MOST = 8  # rows and columns of a matrix that a hall can still read
LARGEST = 1e6

# ---- numbers as text --------------------------------------------------------------------------


def read_number(text: str, name: str, low: float = -LARGEST, high: float = LARGEST) -> float:
    """One typed number, checked against its bounds."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if math.isnan(found):
        typed = f"{text.strip()[:20]!r} is not a number" if text.strip() else "it is empty"
        raise ValueError(f"{name}: {typed}. Type a number such as 2 or -0.5.")
    if not low <= found <= high:
        raise ValueError(f"{name}: {text.strip()[:20]} is not between {low:g} and {high:g}.")
    return found


def read_matrix(text: str, name: str) -> Numbers:
    """ "1 0; 0 2" is [[1, 0], [0, 2]]; a matrix pasted with brackets and commas is read too."""
    rows = [row for row in re.split(r"[;\n]|\]\s*,?\s*\[", text) if row.strip(" \t,[]")]
    if not rows:
        raise ValueError(f"{name} is empty. Type rows of numbers, parted by semicolons: 1 0; 0 2")
    table = [
        [read_number(entry, name) for entry in row.strip(" \t,[]").replace(",", " ").split()]
        for row in rows
    ]
    widths = sorted({len(row) for row in table})
    if len(widths) > 1:
        raise ValueError(
            f"{name}: its rows have {widths[0]} and {widths[-1]} numbers; all must be equally long."
        )
    if max(len(table), widths[0]) > MOST:
        raise ValueError(f"{name} is {len(table)} x {widths[0]}; at most {MOST} x {MOST} fit.")
    return np.array(table)


def write_matrix(values: ArrayLike) -> str:
    """The text that read_matrix reads back."""
    table = np.atleast_2d(np.asarray(values, dtype=float))
    return "; ".join(" ".join(f"{value:.10g}" for value in row) for row in table)


def read_dimensions(text: str, width: int) -> list[int]:
    """ "4-7" or "4 5 6 7": dimensions of a vector, counted from 0."""
    spans = re.findall(r"(\d+)(?:\s*(?:-|–|to)\s*(\d+))?", text)
    leftover = re.sub(r"\d+(?:\s*(?:-|–|to)\s*\d+)?|[\s,;]", "", text)
    if not spans or leftover:
        raise ValueError("Which dimensions? Type them as 4-7 or as 4 5 6 7.")
    ends = [(int(first), int(last or first)) for first, last in spans]
    if max(map(max, ends)) >= width:
        raise ValueError(f"There are {width} dimensions, 0 to {width - 1}: stay among them.")
    found = sorted({dim for first, last in ends for dim in range(first, last + 1)})
    if not 1 <= len(found) <= 12:
        raise ValueError(f"{len(found)} curves cannot be told apart: choose 1 to 12 dimensions.")
    return found


def name_rows(typed: str, count: int) -> tuple[str, ...]:
    """A word for each row; rows without one are called x3, x4."""
    words = typed.split()
    if len(words) > count:
        raise ValueError(
            f"There are {len(words)} words but x has {count} rows: take words away or add rows."
        )
    return (*words, *(f"x{i + 1}" for i in range(len(words), count)))


# ---- self-attention ---------------------------------------------------------------------------


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
    w_query: Numbers,
    w_key: Numbers,
    w_value: Numbers,
    *,
    scaled: bool = True,
    masked: bool = False,
) -> VectorTrace:
    """Vaswani et al. 2017, eq. 1, with every step kept: softmax(q k^T / sqrt(n)) v."""
    queries = project(inputs, w_query, ("x", "Wq"))  # (token, n)
    keys = project(inputs, w_key, ("x", "Wk"))  # (token, n)
    values = project(inputs, w_value, ("x", "Wv"))  # (token, value width)
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
    joined: Numbers  # (token, h * value width)
    w_out: Numbers
    outputs: Numbers  # (token, width)


def mix(heads: Sequence[VectorTrace], w_out: Numbers) -> Mixed:
    """Concat(head_1 .. head_h) Wo."""
    joined = np.concatenate([head.outputs for head in heads], axis=1)
    outputs = project(joined, w_out, ("the joined heads", "Wo"))
    return Mixed(tokens=heads[0].tokens, joined=joined, w_out=w_out, outputs=outputs)


def shuffled(items: Sequence[Any], seed: int) -> list[int]:
    """Positions in another order: never the given one where there are two items or more."""
    order = list(range(len(items)))
    while len(order) > 1 and order == sorted(order):
        random.Random(seed).shuffle(order)
        seed += 1
    return order


# ---- look-up ----------------------------------------------------------------------------------


def hard_match(query: Numbers, keys: Numbers) -> int | None:
    """SELECT value WHERE key = query: the row of the equal key, or none."""
    equal = np.flatnonzero((keys == query).all(axis=1))
    return int(equal[0]) if len(equal) else None


def soft_match(query: Numbers, keys: Numbers, temperature: float) -> Numbers:
    """softmax(k . q / T). At T = 0 the limit: all weight on the best keys, shared if they tie."""
    if query.shape[-1] != keys.shape[1]:
        raise ValueError(
            f"The query has {query.shape[-1]} numbers and each key {keys.shape[1]}: make them equal."
        )
    scores = keys @ query.ravel()
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
    """Vaswani et al. 2017, section 3.5: PE(pos, 2k) = sin(pos / base^(2k/width)), 2k+1 the cosine."""
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

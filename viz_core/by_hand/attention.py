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

from viz_core.traces.by_hand import VectorTrace

Numbers = NDArray[np.float64]

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
    return attended(tokens, inputs, (queries, keys, values), scaled=scaled, masked=masked)


def attended(
    tokens: Sequence[str],
    inputs: Numbers,
    vectors: tuple[Numbers, Numbers, Numbers],
    *,
    scaled: bool = True,
    masked: bool = False,
) -> VectorTrace:
    """softmax(q k^T / sqrt(n)) v from queries, keys and values."""
    queries, keys, values = vectors
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitHeads:
    """Heads made from one query, key and value of each word, as lectures draw it."""

    whole: tuple[Numbers, Numbers, Numbers]  # q, k and v, (token, width)
    heads: tuple[VectorTrace, ...]
    mixed: Mixed


def split_heads(
    tokens: Sequence[str],
    inputs: Numbers,
    projections: Sequence[Numbers],
    per_head: Sequence[Sequence[Numbers]],
    w_out: Numbers,
) -> SplitHeads:
    """q^i = W^q a^i, then q^{i,1} = W^{q,1} q^i and q^{i,2} = W^{q,2} q^i; k and v alike.

    Each head attends by itself, and b^i = W_O [b^{i,1}; b^{i,2}]. Rows are words here, so a matrix
    stands at the right: q = a Wq, q1 = q Wq1. That is one projection per head, by Wq Wq1.
    """
    names = ("q", "k", "v")
    whole = tuple(
        project(inputs, weight, ("a", f"W{name}"))
        for weight, name in zip(projections, names, strict=True)
    )
    heads = []
    for number, three in enumerate(per_head, start=1):
        parts = tuple(
            project(vectors, weight, (name, f"W{name}{number}"))
            for vectors, weight, name in zip(whole, three, names, strict=True)
        )
        heads.append(attended(tokens, inputs, (parts[0], parts[1], parts[2])))
    return SplitHeads(
        whole=(whole[0], whole[1], whole[2]), heads=tuple(heads), mixed=mix(heads, w_out)
    )


def shuffled(items: Sequence[Any], seed: int) -> list[int]:
    """Positions in another order: never the given one where there are two items or more."""
    order = list(range(len(items)))
    while len(order) > 1 and order == sorted(order):
        random.Random(seed).shuffle(order)
        seed += 1
    return order


def attended_in_two_orders(
    tokens: Sequence[str],
    inputs: Numbers,
    projections: Sequence[Numbers],
    order: Sequence[int],
    places: Numbers,
    *,
    scaled: bool = True,
    masked: bool = False,
) -> tuple[VectorTrace, VectorTrace]:
    """The words as given and in another order; the codes of the places stay where they are."""
    given = (tokens, inputs), ([tokens[i] for i in order], inputs[list(order)])
    before, after = (
        self_attention(words, x + places, projections, scaled=scaled, masked=masked)
        for words, x in given
    )
    return before, after


def two_orders(words: Sequence[str], seed: int) -> list[str]:
    """The words as they were given, and in another order."""
    return [" ".join(words), " ".join(words[i] for i in shuffled(words, seed))]


# ---- look-up ----------------------------------------------------------------------------------


def weighted_sum(weights: Numbers, values: Numbers) -> Numbers:
    """sum_i w_i v_i"""
    if weights.size != len(values):
        raise ValueError(
            f"There are {weights.size} weights for {len(values)} values: one for each."
        )
    return weights.ravel() @ values


# ---- positions --------------------------------------------------------------------------------


# ---- norms, gates, lengths --------------------------------------------------------------------

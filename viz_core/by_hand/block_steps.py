"""A Transformer block on a few words: attention, add and norm, and the feed-forward net.

    norm after   y = norm(x + A(x)),   out = norm(y + F(y))          Vaswani et al. 2017, figure 1
    norm first   y = x + A(norm(x)),   out = y + F(norm(y))          ours, and most since GPT-2

A is attention with Q = K = V = its input, F(y) = max(0, y W_1) W_2 (eq. 2, without biases). A block
of a decoder masks its A and looks at a memory in between, with another add and norm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from viz_core.by_hand.attention import Numbers, softmax
from viz_core.by_hand.norms import layer_norm


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """One half of a block: what goes in, what it makes of it, the sum, and what leaves it."""

    name: str
    given: Numbers  # (word, n): what the half reads, normed before where the norm is first
    made: Numbers  # (word, n)
    added: Numbers  # (word, n)
    out: Numbers  # (word, n): the sum itself, or its norm where the norm is after
    inner: Numbers | None = None  # (word, m): of the feed-forward net, after max(0, .)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockSteps:
    x: Numbers  # (word, n)
    halves: tuple[Half, ...]
    norm_first: bool

    @property
    def out(self) -> Numbers:
        return self.halves[-1].out


def attended(queries: Numbers, keys: Numbers, masked: bool = False) -> Numbers:
    """softmax(Q K^T / sqrt(n)) V with K = V; masked, no word sees a later one."""
    scores = queries @ keys.T / np.sqrt(keys.shape[1])
    if masked:
        scores = np.where(np.tri(*scores.shape) > 0, scores, -np.inf)
    found: Numbers = softmax(scores) @ keys
    return found


def feed_forward(x: Numbers, w_1: Numbers, w_2: Numbers) -> tuple[Numbers, Numbers]:
    """Every word by itself: max(0, x W_1), and that times W_2."""
    inner: Numbers = np.maximum(x @ w_1, 0.0)
    return inner, inner @ w_2


def convolved(x: Numbers, kernel: Numbers) -> Numbers:
    """A convolution along the words, kernel (width, n, m): a window slides, zeros at both ends."""
    width, words = len(kernel), len(x)
    padded = np.pad(x, ((width // 2, width - 1 - width // 2), (0, 0)))
    windows = [
        sum(padded[place + offset] @ kernel[offset] for offset in range(width))
        for place in range(words)
    ]
    return np.array(windows)


def block(
    x: Numbers,
    w_1: Numbers,
    w_2: Numbers,
    *,
    norm_first: bool,
    memory: Numbers | None = None,
) -> BlockSteps:
    """A block of an encoder; with a memory, one of a decoder."""
    _check(x, w_1, w_2, memory)
    now, halves = x, []

    def half(name: str) -> None:
        nonlocal now
        given = layer_norm(now) if norm_first else now
        inner = None
        if name == "feed-forward":
            inner, made = feed_forward(given, w_1, w_2)
        elif name == "cross-attention" and memory is not None:
            made = attended(given, memory)
        else:
            made = attended(given, given, masked=memory is not None)
        added = now + made
        out = added if norm_first else layer_norm(added)
        halves.append(Half(name=name, given=given, made=made, added=added, out=out, inner=inner))
        now = out

    half("self-attention" if memory is None else "masked self-attention")
    if memory is not None:
        half("cross-attention")
    half("feed-forward")
    return BlockSteps(x=x, halves=tuple(halves), norm_first=norm_first)


def _check(x: Numbers, w_1: Numbers, w_2: Numbers, memory: Numbers | None) -> None:
    wide, inner = x.shape[1], w_1.shape[1]
    if len(w_1) != wide:
        raise ValueError(f"x has {wide} columns, so W1 needs {wide} rows and has {len(w_1)}.")
    if w_2.shape != (inner, wide):
        raise ValueError(
            f"W1 leads to {inner} numbers and x has {wide}, so W2 must be {inner} x {wide}; it is "
            f"{w_2.shape[0]} x {w_2.shape[1]}."
        )
    if memory is not None and memory.shape[1] != wide:
        raise ValueError(f"x has {wide} columns and the memory {memory.shape[1]}: make them equal.")

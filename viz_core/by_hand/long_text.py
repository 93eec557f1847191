"""Attention over a long text: who may look where, and what that costs.

full        every token looks at every token: n scores for each of n
local       blocks of b tokens, each block by itself (Liu et al. 2018, section 4.2.4)
compressed  a convolution of s tokens with stride s makes one key of s: n / s keys, the same
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from viz_core.by_hand.attention import Numbers

Form = Literal["full attention", "local blocks", "compressed keys"]
FORMS: tuple[Form, ...] = ("full attention", "local blocks", "compressed keys")
COMPRESSED = (
    "**Compressed keys** are made by a convolution over three tokens with a stride of three, whose "
    "weights are learned with the rest: this model was trained without it, so only its cost can be "
    "shown. Liu et al. alternate it with blocks, in a decoder that reads text and title in one row."
)
Rectangle = tuple[int, int, int, int]  # first query, last + 1, first key, last + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    form: Form
    tokens: int
    keys: int
    seen: tuple[Rectangle, ...]  # where there is a score

    @property
    def scores(self) -> int:
        return sum((bottom - top) * (right - left) for top, bottom, left, right in self.seen)


def looks(form: Form, tokens: int, block: int = 256, stride: int = 3) -> Looks:
    """Liu et al. 2018 use blocks of 256 tokens and a stride of 3."""
    if form == "local blocks":
        starts = range(0, tokens, block)
        ends = [min(start + block, tokens) for start in starts]
        seen = tuple((i, j, i, j) for i, j in zip(starts, ends, strict=True))
        return Looks(form=form, tokens=tokens, keys=tokens, seen=seen)
    keys = math.ceil(tokens / stride) if form == "compressed keys" else tokens
    return Looks(form=form, tokens=tokens, keys=keys, seen=((0, tokens, 0, keys),))


def compress(keys: Numbers, kernel: Numbers) -> Numbers:
    """k~_j = sum_i w_i k_{sj + i}: keys (key, width), kernel (stride,); the end is filled up."""
    stride = len(kernel)
    filled = np.pad(keys, ((0, -len(keys) % stride), (0, 0)))
    found: Numbers = np.einsum("i,jiw->jw", kernel, filled.reshape(-1, stride, keys.shape[1]))
    return found


def megabytes(looks: Looks, heads: int) -> float:
    """Of one layer's weights, four bytes each."""
    return looks.scores * heads * 4 / 1e6


def costs(found: Sequence[Looks], heads: int) -> str:
    full, *others = found
    told = [
        f"{one.form} {one.scores:,} ({full.scores / one.scores:.1f} times fewer)" for one in others
    ]
    return (
        f"Of {full.tokens:,} tokens full attention has {full.scores:,} scores in each head, "
        f"{megabytes(full, heads):,.1f} MB in a layer of {heads} heads; {'; '.join(told)}"
    )


def cost_formulas(found: Sequence[Looks], block: int, stride: int = 3) -> list[str]:
    n = found[0].tokens
    whole, rest = divmod(n, block)
    parts = [rf"{whole} \cdot {block}^2"] if whole else []
    parts += [rf"{rest}^2"] if rest else []
    said = [f"{one.scores:,}".replace(",", r"\,") for one in found]
    return [
        rf"n^2 = {n}^2 = {said[0]} \qquad \textstyle\sum b^2 = {' + '.join(parts)} = {said[1]} "
        rf"\qquad n \lceil n/{stride} \rceil = {n} \cdot {found[2].keys} = {said[2]}"
    ]

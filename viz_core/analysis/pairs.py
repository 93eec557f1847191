"""Pairs of sentences: which were drawn as neighbours, and what a model made of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from viz_core.text.neighbours import Pair

NAMES = {True: "IsNext", False: "NotNext"}  # as in Devlin et al. 2019


def formula(chance: float) -> str:
    """The probability as the sigmoid of the margin between both answers, in LaTeX."""
    margin = math.log(max(chance, 1e-9) / max(1 - chance, 1e-9))
    return (
        r"\begin{aligned} P &= \sigma(z_{\mathrm{next}} - z_{\mathrm{other}}) \\"
        rf"&= \sigma({margin:.2f}) = {chance:.3f} \end{{aligned}}"
    )


def table(drawn: Sequence[Pair], chances: Sequence[float]) -> dict[str, list[str]]:
    """A row for each pair: how it was drawn, and how likely a model thinks it."""
    return {
        "drawn as": [NAMES[pair.follows] for pair in drawn],
        "BERT": [f"{chance:.2f}" for chance in chances],
        "first": [pair.first for pair in drawn],
        "second": [pair.second for pair in drawn],
    }


def shares(drawn: Sequence[Pair]) -> dict[str, float]:
    """How often either kind was drawn."""
    follows = sum(pair.follows for pair in drawn) / len(drawn)
    return {NAMES[True]: follows, NAMES[False]: 1 - follows}


def right(drawn: Sequence[Pair], chances: Sequence[float]) -> int:
    """How many pairs a model tells rightly, with one half as the border."""
    return sum((chance > 0.5) == pair.follows for chance, pair in zip(chances, drawn, strict=True))

"""A block of the Transformer by hand, number by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from viz_core.by_hand.block_steps import BlockSteps, Half, convolved
from viz_core.charts.kit import panels, style
from viz_core.charts.kit.arithmetic import added, number
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.panel_layout import Panel, Part

Numbers = NDArray[np.float64]
SHORT = {"self-attention": "A", "masked self-attention": "A", "cross-attention": "C"}


def finding(steps: BlockSteps, words: Sequence[str]) -> str:
    """Where most is added to which word, and what the last norm leaves of it."""
    sizes = np.array([np.linalg.norm(half.made, axis=1) for half in steps.halves])
    half, row = divmod(int(sizes.argmax()), sizes.shape[1])
    gain = f"{style.readable(words[row])} gains most in {steps.halves[half].name}"
    length = float(np.linalg.norm(steps.out[row]))
    end = (
        "the sum keeps growing" if steps.norm_first else "the last norm makes all rows equally long"
    )
    return f"{gain}, {sizes[half, row]:.2f}; its vector leaves with length {length:.2f}: {end}"


def position_wise(
    x: Numbers, w_1: Numbers, w_2: Numbers, order: Sequence[int]
) -> tuple[float, float]:
    """How far permuting the words, and two convolutions of width 1, are from the net itself: 0."""
    net = np.maximum(x @ w_1, 0) @ w_2
    permuted = np.maximum(x[list(order)] @ w_1, 0) @ w_2
    twice = convolved(np.maximum(convolved(x, w_1[None]), 0), w_2[None])
    return float(np.abs(permuted - net[list(order)]).max()), float(np.abs(twice - net).max())


def said(steps: BlockSteps, words: Sequence[str], w_1: Numbers, w_2: Numbers) -> str:
    """What this block shows, and what its feed-forward net is besides."""
    given = steps.halves[-1].given
    permuted, twice = position_wise(given, w_1, w_2, range(len(given))[::-1])
    place = (
        "Ours norms first, so the sum x + A + F passes through untouched; figure 1 of the paper "
        "norms after each sum."
        if steps.norm_first
        else "Figure 1 of the paper norms after each sum; our trained model norms first."
    )
    return (
        f"the sums. {finding(steps, words)}. {place} The feed-forward net takes each row by "
        f"itself: rows turned round come out turned round (difference {permuted:.1g}), and two "
        f"convolutions of width 1 give the same (difference {twice:.1g})."
    )


def formula(steps: BlockSteps) -> str:
    """The block in one line, with the norm where it stands."""
    crosses = len(steps.halves) == 3
    if steps.norm_first:
        middle = r"z = y + C(\mathrm{norm}(y)),\quad " if crosses else ""
        last = "z" if crosses else "y"
        ends = rf"\mathrm{{out}} = {last} + F(\mathrm{{norm}}({last}))"
        return rf"y = x + A(\mathrm{{norm}}(x)),\quad {middle}{ends}"
    middle = r"z = \mathrm{norm}(y + C(y)),\quad " if crosses else ""
    last = "z" if crosses else "y"
    return (
        rf"y = \mathrm{{norm}}(x + A(x)),\quad {middle}"
        rf"\mathrm{{out}} = \mathrm{{norm}}({last} + F({last}))"
    )


def _normed(values: Numbers, row: int, column: int, result: Numbers) -> str:
    mean, deviation = number(float(values[row].mean())), number(float(values[row].std()))
    top = f"({number(float(values[row, column]))} − {mean})".replace("− −", "+ ")
    return f"{top} / {deviation} = {number(float(result[row, column]))}"


def _panels(
    half: Half, names: tuple[str, str], now: Numbers, first: bool, weights: tuple[Numbers, Numbers]
) -> list[Panel]:
    """The panels of one half; names are those of what it begins with and of its result."""
    before, result = names
    letter = SHORT.get(half.name, "F")
    source, total, made = f"norm({before})" if first else before, f"{before} + {letter}", half.name
    inner = half.inner

    def said_made(row: int, column: int) -> str:
        if inner is None:
            return f"{letter}: what the weights mix for this word"
        return added(inner[row], weights[1][:, column])

    def said_sum(row: int, column: int) -> str:
        left, right = float(now[row, column]), float(half.made[row, column])
        return f"{number(left)} + {number(right)} = {number(left + right)}"

    normed = Panel(
        name=source if first else result,
        formula="(x − μ) / σ, by row" if first else f"norm({total}), by row",
        values=half.given if first else half.out,
        said=lambda row, column: (
            _normed(now, row, column, half.given)
            if first
            else _normed(half.added, row, column, half.out)
        ),
        made_from=lambda row, column: (Part(before if first else total, row),),
    )
    hidden = [
        Panel(
            name="inner",
            formula="max(0, row · W1)",
            values=inner,
            said=lambda row, column: f"max(0, {added(half.given[row], weights[0][:, column])})",
            made_from=lambda row, column: (Part(source, row),),
        )
        for inner in (half.inner,)
        if inner is not None
    ]
    return [
        *([normed] if first else []),
        *hidden,
        Panel(
            name=made,
            formula=f"{letter} = softmax(Q Kᵀ/√n) V" if inner is None else "F = inner · W2",
            values=half.made,
            said=said_made,
            made_from=lambda row, column: (Part(source) if inner is None else Part("inner", row),),
        ),
        Panel(
            name=result if first else total,
            formula=total if first else "add",
            values=half.added,
            said=said_sum,
            made_from=lambda row, column: (
                Part(before, row, column),
                Part(made, row, column, "key"),
            ),
        ),
        *([] if first else [normed]),
    ]


@drawn
def block(
    steps: BlockSteps, words: Sequence[str], w_1: Numbers, w_2: Numbers, *, scale: float = 1.0
) -> style.AnyChart:
    """Every number of the block; hovering one shows its arithmetic and what it is made from."""
    rows = tuple(style.shown(words))
    told = [
        Panel(
            name="x",
            formula="a row a word",
            values=steps.x,
            said=lambda row, column: f"{rows[row]}, number {column + 1}",
        )
    ]
    before, now = "x", steps.x
    for half, letter in zip(steps.halves, ("y", "z", "out"), strict=False):
        result = "out" if half is steps.halves[-1] else letter
        more = _panels(half, (before, result), now, steps.norm_first, (w_1, w_2))
        if half is not steps.halves[0]:
            more[0] = replace(more[0], breaks=True)  # a half begins a line
        told += more
        before, now = result, half.out
    shown = [replace(panel, rows=rows) for panel in told]
    return panels.picture(shown, finding(steps, words), start=("out", 0, 0), scale=scale)

"""Two heads by hand, as lectures draw them: one query for each word, made into two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from viz_core.by_hand import SplitHeads
from viz_core.charts.kit import panels, style
from viz_core.charts.kit.arithmetic import added, number, vector
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.panel_layout import Panel, Part, nothing
from viz_core.traces.by_hand import VectorTrace

Matrix = NDArray[np.floating]
FIRST, SECOND = "1 0; 0 1; 0 0; 0 0", "0 0; 0 0; 1 0; 0 1"  # each head picks its half
WHOLE = {
    "q": "1 0 0 1; 0 1 1 0; 1 0 1 0; 0 1 0 1",
    "k": "0 1 0 0; 1 0 0 1; 0 1 1 0; 1 0 1 0",
    "v": "1 0 2 0; 0 1 0 1; 1 1 0 0; 0 0 1 2",
}
# Small numbers in four columns: key in the address bar -> (name, as typed).
EXAMPLE = (
    {
        "a": ("a", "1 0 1 0; 0 2 0 2; 1 1 1 1"),
        "wo": ("W_O", "1 0 0 1; 0 1 1 0; 1 0 0 0; 0 1 0 1"),
    },
    *(
        {
            f"w{letter}": (f"W{letter}", whole),
            f"w{letter}1": (f"W{letter}1", FIRST),
            f"w{letter}2": (f"W{letter}2", SECOND),
        }
        for letter, whole in WHOLE.items()
    ),
)
PICKING = {f"w{letter}{head}": half for letter in WHOLE for head, half in ((1, FIRST), (2, SECOND))}
MIXING = {"wq1": "1 0; 0 1; 1 0; 0 0", "wq2": "0 1; 1 0; 0 1; 1 0", "wk2": "1 1; 0 0; 0 1; 1 0"}


def finding(found: SplitHeads) -> str:
    """How far the heads differ, and what the last word becomes."""
    first, second = found.heads
    gap = float(np.abs(first.weights - second.weights).max())
    last = style.readable(found.mixed.tokens[-1])
    return (
        f"the two heads differ by up to {gap:.2f} in their weights; the output of {last} is "
        f"{vector(found.mixed.outputs[-1])}"
    )


def _product(left: Matrix, right: Matrix, row: int, column: int) -> str:
    return added(left[row], right[:, column])


def _weight(head: VectorTrace, row: int, column: int) -> str:
    score = added(head.queries[row], head.keys[column])
    return f"score {score}, weight {number(float(head.weights[row, column]))}"


def _row_of(panel: str, row: int, column: int) -> Sequence[Part]:
    return (Part(panel, row),)


def _panel(
    name: str,
    formula: str,
    values: Matrix,
    words: tuple[str, ...],
    sums: Callable[[int, int], str],
    made_from: Callable[[int, int], Sequence[Part]] = nothing,
    *,
    is_weight: bool = False,
    breaks: bool = False,
    bars: tuple[int, ...] = (),
) -> Panel:
    def said(row: int, column: int) -> str:
        return f"{name} of {style.readable(words[row])}, number {column + 1}: {sums(row, column)}"

    return Panel(
        name=name,
        formula=formula,
        values=values,
        said=said,
        made_from=made_from,
        rows=words,
        is_weight=is_weight,
        breaks=breaks,
        bars=bars,
    )


@drawn
def by_hand(
    found: SplitHeads,
    projection: Matrix,
    per_head: Sequence[Matrix],
    *,
    scale: float = 1.0,
) -> style.AnyChart:
    """q, its halves by W^{q,1} and W^{q,2}, what each head finds, side by side, and times W_O.

    `projection` is Wq and `per_head` are Wq1 and Wq2, whose products are explained.
    """
    mixed, words, whole = found.mixed, found.mixed.tokens, found.whole[0]
    inputs = found.heads[0].inputs
    shown = [_panel("q", "a · Wq", whole, words, partial(_product, inputs, projection))]
    for i, (head, weight) in enumerate(zip(found.heads, per_head, strict=True), start=1):
        sums, origin = partial(_product, whole, weight), partial(_row_of, "q")
        shown.append(_panel(f"q{i}", f"q · Wq{i}", head.queries, words, sums, origin))
    for i, head in enumerate(found.heads, start=1):
        formula = f"softmax(q{i} · k{i} / √{head.queries.shape[1]})"
        look = (partial(_weight, head), partial(_row_of, f"q{i}"))
        name = f"weights {i}"
        shown.append(
            _panel(name, formula, head.weights, words, *look, is_weight=True, breaks=i == 2)
        )
        sums, origin = partial(_product, head.weights, head.values), partial(_row_of, name)
        shown.append(_panel(f"b{i}", f"weights {i} · v{i}", head.outputs, words, sums, origin))
    second = mixed.starts[1]

    def from_head(row: int, column: int) -> Sequence[Part]:
        return (Part("b1", row, column) if column < second else Part("b2", row, column - second),)

    def same(row: int, column: int) -> str:
        return number(float(mixed.joined[row, column]))

    side = ("[b1; b2]", "side by side", mixed.joined, words, same, from_head)
    shown.append(_panel(*side, bars=(second,)))
    out = partial(_product, mixed.joined, mixed.w_out)
    origin = partial(_row_of, "[b1; b2]")
    shown.append(_panel("b", "[b1; b2] · W_O", mixed.outputs, words, out, origin))
    start = ("b", len(words) - 1, 0)
    return panels.picture(shown, finding(found), start=start, scale=scale)

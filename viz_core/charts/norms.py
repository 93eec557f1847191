"""Layer norm against batch norm, number by number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from viz_core.charts.kit import panels, style
from viz_core.charts.kit.arithmetic import number
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.panel_layout import Panel, Part

Numbers = NDArray[np.floating]


def finding(values: Numbers, rows: Sequence[str]) -> str:
    """The widest row in words: it is what layer norm makes equal to the others."""
    spread = values.std(axis=1)
    widest = int(spread.argmax())
    return (
        f"{style.readable(rows[widest])} spreads widest, standard deviation {spread[widest]:.2f}; "
        "layer norm gives every row mean 0 and deviation 1, batch norm every column"
    )


def _standardised(values: Numbers, result: Numbers, axis: int, row: int, column: int) -> str:
    part = values[row] if axis else values[:, column]
    mean, deviation = number(float(part.mean())), number(float(part.std()))
    top = f"({number(values[row, column])} − {mean})".replace("− −", "+ ")
    where = "its row" if axis else "its column"
    found = number(result[row, column])
    return f"{top} / {deviation} = {found}, with the mean and deviation of {where}"


@drawn
def norms(
    values: Numbers, layer: Numbers, batch: Numbers, rows: Sequence[str], *, scale: float = 1.0
) -> style.AnyChart:
    """The numbers, each row normed by itself, and each column normed over the batch.

    Hovering a result frames the numbers whose mean and deviation it was measured by.
    """
    words = tuple(style.shown(rows))
    shown = [
        Panel(
            name="numbers",
            formula="a row an example, a column a feature",
            values=values,
            said=lambda row, column: f"{words[row]}, feature {column + 1}",
            rows=words,
        ),
        Panel(
            name="layer norm",
            formula="by the mean and deviation of the row",
            values=layer,
            said=lambda row, column: _standardised(values, layer, 1, row, column),
            made_from=lambda row, column: (Part("numbers", row),),
            rows=words,
        ),
        Panel(
            name="batch norm",
            formula="by the mean and deviation of the column",
            values=batch,
            said=lambda row, column: _standardised(values, batch, 0, row, column),
            made_from=lambda row, column: (Part("numbers", None, column, "key"),),
            rows=words,
        ),
    ]
    return panels.picture(shown, finding(values, rows), start=("layer norm", 0, 0), scale=scale)

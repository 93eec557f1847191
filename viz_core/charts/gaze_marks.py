"""What is drawn upon pictures side by side: squares, dots that ask, places to be clicked.

`frame` says where each picture lies; x and y make axes of the whole drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import style


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A place on a picture's grid that asks where to look, in the colour of its map."""

    row: int
    column: int
    grid: tuple[int, int]
    colour: str


def squares(
    frame: pd.DataFrame,
    read: Sequence[tuple[int, tuple[int, int], tuple[int, ...]]],
    wide: float,
    high: float,
    x: Any,
    y: Any,
    scale: float,
) -> alt.Chart:
    """A square around the one place of a grid that hard attention read on each picture."""
    corners = []
    for number, (row, column), (rows, columns) in read:
        left = frame["left"][number] + column * wide / columns
        top = frame["top"][number] + row * high / rows
        corners.append((left, left + wide / columns, top, top + high / rows))
    boxes = pd.DataFrame(corners, columns=["left", "right", "top", "bottom"])
    return (
        alt.Chart(boxes)
        .mark_rect(fillOpacity=0, stroke="#ffffff", strokeWidth=1.5 * scale, tooltip=None)
        .encode(x=x("left"), x2="right:Q", y=y("top"), y2="bottom:Q")
    )


def points(
    frame: pd.DataFrame,
    asking: Sequence[tuple[int, Point]],
    wide: float,
    high: float,
    x: Any,
    y: Any,
    scale: float,
) -> alt.Chart:
    """A dot for each place that asks, ringed in white to be seen on any picture."""
    dots = pd.DataFrame(
        {
            "x": frame["left"][number] + (point.column + 0.5) * wide / point.grid[1],
            "y": frame["top"][number] + (point.row + 0.5) * high / point.grid[0],
            "colour": point.colour,
        }
        for number, point in asking
    )
    return (
        alt.Chart(dots)
        .mark_circle(size=110 * scale**2, opacity=1, stroke="#ffffff", strokeWidth=2, tooltip=None)
        .encode(x=x("x"), y=y("y"), color=alt.Color("colour:N", scale=None, legend=None))
    )


def cells(places: tuple[int, int], wide: float, high: float, x: Any, y: Any) -> alt.Chart:
    """The places of the first picture, to be clicked."""
    rows, columns = places
    row, column = np.divmod(np.arange(rows * columns), columns)
    frame = pd.DataFrame(
        {
            "row": row,
            "column": column,
            "left": column * wide / columns,
            "right": (column + 1) * wide / columns,
            "top": row * high / rows,
            "bottom": (row + 1) * high / rows,
            "where": [f"row {r + 1}, column {c + 1}" for r, c in zip(row, column, strict=True)],
        }
    )
    place = alt.selection_point(name="place", fields=["row", "column"], on="click", empty=False)
    return (
        alt.Chart(frame)
        .mark_rect(fill=style.BLUE, fillOpacity=0, cursor="crosshair")
        .encode(
            x=x("left"),
            x2="right:Q",
            y=y("top"),
            y2="bottom:Q",
            tooltip=[alt.Tooltip("where:N", title="ask this place")],
        )
        .add_params(place)
    )

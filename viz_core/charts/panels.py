"""Small matrices with their numbers, linked: hover a number to see what it was made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.charts import style

CELL_WIDTH, CELL_HEIGHT = 58, 40  # pixels; two decimals in 16-pixel type
GAP = 44  # between panels
HEAD = 50  # title and formula over a panel
WIDEST = 1060  # a row of panels is broken beyond this
TINT = 0.38  # of a panel's largest number: type stays legible upon it
SUM = 6  # terms of a sum that are written out


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a number was made from: a row, a column or a cell of another panel.

    `by` tells which index of the hovered number chooses it.
    """

    panel: str
    what: Literal["row", "column", "cell"] = "row"
    by: Literal["row", "column"] = "row"


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One matrix: its rows are the tokens unless `rows` names them."""

    name: str
    formula: str
    values: NDArray[np.floating]
    said: Callable[[int, int], str]  # the arithmetic of one number
    made_from: tuple[Part, ...] = ()
    columns: tuple[str, ...] = ()  # words over the columns: keys
    rows: tuple[str, ...] = ()
    is_weight: bool = False  # numbers in [0, 1], coloured as in every attention chart
    breaks: bool = False  # begins a new row of panels
    bars: tuple[int, ...] = field(default=())  # columns with a rule before them


def number(value: float, digits: int = 2) -> str:
    """As on a blackboard: whole numbers bare, a true minus sign."""
    if not np.isfinite(value):
        return "−∞" if value < 0 else "∞"
    text = f"{value:.{digits}f}" if abs(value - round(value)) > 1e-9 else f"{value:.0f}"
    return text.replace("-", "−") if float(text) else "0" if text.strip("-") == "0" else text.strip("-")


def added(left: Sequence[float], right: Sequence[float], digits: int = 2) -> str:
    """"1·4 + 0·4 + 2·0 = 4", a long sum shortened."""
    pairs = list(zip(left, right, strict=True))
    terms = [f"{_factor(a, digits)}·{_factor(b, digits)}" for a, b in pairs[:SUM]]
    if len(pairs) > SUM:
        terms.append(f"… ({len(pairs)} products)")
    total = number(float(np.dot(np.asarray(left, float), np.asarray(right, float))), digits)
    return f"{' + '.join(terms)} = {total}"


def _factor(value: float, digits: int) -> str:
    text = number(value, digits)
    return f"({text})" if text.startswith("−") else text


@dataclass(frozen=True, slots=True)
class _Placed:
    panel: Panel
    left: float
    top: float
    width: float  # of a cell

    def box(self, what: str, row: int, column: int, high: float) -> dict[str, float]:
        rows, columns = self.panel.values.shape
        first, last = (0, columns) if what == "row" else (column, column + 1)
        above, below = (0, rows) if what == "column" else (row, row + 1)
        return {
            "x": self.left + first * self.width,
            "x2": self.left + last * self.width,
            "y": self.top + above * high,
            "y2": self.top + below * high,
        }


def _place(
    panels: Sequence[Panel], label: float, scale: float
) -> tuple[list[_Placed], float, float]:
    """Panels from left to right, broken into rows; and the size of the whole."""
    placed: list[_Placed] = []
    x, y, widest, tallest = label, HEAD * scale, 0.0, 0.0
    for panel in panels:
        rows, columns = panel.values.shape
        many = len(panel.columns) > 5
        cell = (CELL_WIDTH - 12 * many) * scale
        room = max(columns * cell, 92 * scale)
        if placed and (panel.breaks or x + room > WIDEST * scale):
            x, y, tallest = label, y + tallest + (HEAD + 26) * scale, 0.0
        placed.append(_Placed(panel, x, y, cell))
        x, widest = x + room + GAP * scale, max(widest, x + room)
        tallest = max(tallest, rows * CELL_HEIGHT * scale)
    return placed, widest, y + tallest


def _cells(placed: Sequence[_Placed], digits: int, scale: float) -> pd.DataFrame:
    """One line a number: where it stands, how it is coloured, and how it came to be."""
    rows: list[dict[str, Any]] = []
    for one in placed:
        values = one.panel.values
        finite = np.abs(values[np.isfinite(values)])
        unit = 1.0 if one.panel.is_weight else max(float(finite.max(initial=0.0)), 1e-12) / TINT
        for row, column in np.ndindex(values.shape):
            value = float(values[row, column])
            rows.append(
                {
                    "hit": len(rows),
                    "panel": one.panel.name,
                    "row": row,
                    "column": column,
                    **one.box("cell", row, column, CELL_HEIGHT * scale),
                    "text": number(value, digits),
                    "tint": round(value / unit, 3) if np.isfinite(value) else 0.0,
                    "said": one.panel.said(row, column),
                }
            )
    return pd.DataFrame(rows)


def _frames(cells: pd.DataFrame, placed: Sequence[_Placed], scale: float) -> pd.DataFrame:
    """For each number the boxes that light up with it, named by its number."""
    by_name = {one.panel.name: one for one in placed}
    rows: list[dict[str, Any]] = []
    for cell in cells.itertuples():
        for part in by_name[str(cell.panel)].panel.made_from:
            index = cell.row if part.by == "row" else cell.column
            row, column = (cell.row, cell.column) if part.what == "cell" else (index, index)
            box = by_name[part.panel].box(part.what, row, column, CELL_HEIGHT * scale)
            rows.append({"hit": cell.hit, "by": part.by, **box})
    return pd.DataFrame(rows, columns=["hit", "by", "x", "x2", "y", "y2"])


def _labels(
    tokens: Sequence[str], placed: Sequence[_Placed], first_hit: int, scale: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The words at the left of each row of panels; and all the places of a word, lit together."""
    high = CELL_HEIGHT * scale
    words: list[dict[str, Any]] = []
    boxes: list[dict[str, Any]] = []
    for top in dict.fromkeys(one.top for one in placed):
        for row, token in enumerate(tokens):
            y = top + row * high
            words.append(
                {"hit": first_hit + row, "text": token, "said": "", "y": y, "y2": y + high}
            )
    for one in placed:
        for row in range(len(tokens) if not one.panel.rows else 0):
            hit = first_hit + row
            boxes.append({"hit": hit, "by": "row", **one.box("row", row, row, high)})
            if one.panel.columns:
                boxes.append({"hit": hit, "by": "column", **one.box("column", row, row, high)})
    return pd.DataFrame(words), pd.DataFrame(boxes, columns=["hit", "by", "x", "x2", "y", "y2"])


def _headings(placed: Sequence[_Placed], scale: float) -> pd.DataFrame:
    lift = 14 * scale  # room for the words over the columns, in every panel alike
    rows: list[dict[str, Any]] = []
    for one in placed:
        for text, rise, size in ((one.panel.name, 34, "name"), (one.panel.formula, 16, "formula")):
            y = one.top - rise * scale - lift * any(p.panel.columns for p in placed)
            rows.append({"text": text, "kind": size, "x": one.left, "y": y})
        for column, word in enumerate(one.panel.columns):
            middle = one.left + (column + 0.5) * one.width
            rows.append({"text": word, "kind": "key", "x": middle, "y": one.top - 9 * scale})
    return pd.DataFrame(rows)


def picture(
    panels: Sequence[Panel],
    tokens: Sequence[str],
    finding: str,
    *,
    start: tuple[str, int, int] | None = None,
    digits: int = 2,
    scale: float = 1.0,
) -> style.AnyChart:
    """The panels in rows, read from left to right like a page.

    Hovering a number frames what it was made from and writes its arithmetic underneath; hovering
    a word frames its row, and its column where it is a key. All of it in the browser. `start` is
    the panel, row and column that is explained before anybody hovers.
    """
    words = style.shown(tokens)
    label = (min(max(map(len, words), default=0), 13) * 8.2 + 14) * scale
    placed, width, height = _place(panels, label, scale)
    cells = _cells(placed, digits, scale)
    names, places = _labels(words, placed, len(cells), scale)
    frames = pd.concat([_frames(cells, placed, scale), places])
    height += 46 * scale  # the line of arithmetic
    x = alt.X("x:Q", scale=alt.Scale(domain=[0, width], nice=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[height, 0], nice=False), axis=None)
    first: Any = alt.Undefined
    if start is not None:
        at = cells.query("panel == @start[0] and row == @start[1] and column == @start[2]")
        first = [{"hit": int(at["hit"].iloc[0])}] if len(at) else first
    # Never cleared, so that the arithmetic stays while the lecturer's pointer leaves the picture.
    hovered = alt.selection_point(
        name="hit", fields=["hit"], on="pointerover", clear=False, empty=False, value=first
    )
    type_size = {"fontSize": style.font(scale, 16), "color": style.INK, "tooltip": None}
    squares = (
        alt.Chart(cells)
        .mark_rect(stroke=style.INK, strokeOpacity=0.3, strokeWidth=0.75)
        .encode(
            x=x,
            x2="x2:Q",
            y=y,
            y2="y2:Q",
            color=alt.Color("tint:Q", scale=style.difference_scale(), legend=None),
            tooltip=alt.Tooltip("said:N", title=" "),
        )
        .add_params(hovered)
    )
    middle: dict[str, Any] = {
        "mx": "(datum.x + datum.x2) / 2",
        "my": "(datum.y + datum.y2) / 2",
    }
    figures = (
        alt.Chart(cells)
        .transform_calculate(**middle)
        .mark_text(**{**type_size, "color": alt.Undefined})
        .encode(
            x=alt.X("mx:Q"), y=alt.Y("my:Q"), text="text:N", color=style.cell_ink("tint", 0.8)
        )
    )
    rules = _rules(placed, x, y, scale)
    lit = alt.Chart(frames).transform_filter(hovered)
    edge = {"fillOpacity": 0, "strokeWidth": 3 * scale, "tooltip": None}
    box = {"x": x, "x2": "x2:Q", "y": y, "y2": "y2:Q"}
    asks = lit.transform_filter("datum.by == 'row'").mark_rect(stroke=style.VERMILION, **edge)
    gives = lit.transform_filter("datum.by == 'column'").mark_rect(
        stroke=style.BLUE, strokeDash=[6, 3], **edge
    )
    own = (
        alt.Chart(cells)
        .transform_filter(hovered)
        .mark_rect(stroke=style.INK, **{**edge, "strokeWidth": 2.5 * scale})
    )
    said = (
        alt.Chart(cells)
        .transform_filter(hovered)
        .mark_text(align="left", **{**type_size, "fontSize": style.font(scale, style.LARGE)})
        .encode(x=alt.value(0), y=alt.value(height - 16 * scale), text="said:N")
    )
    layers = [squares, *rules, figures]
    layers += [asks.encode(**box), gives.encode(**box), own.encode(**box), said]
    layers += _words(names, x, y, label, hovered, scale) + _titles(_headings(placed, scale), x, y, scale)
    return style.layered(*layers).properties(width=width, height=height, description=finding)


def _words(
    names: pd.DataFrame, x: alt.X, y: alt.Y, label: float, hovered: alt.Parameter, scale: float
) -> list[alt.Chart]:
    """The words, and the strips that catch the pointer for them."""
    if names.empty:
        return []
    base = alt.Chart(names)
    text = (
        base.transform_calculate(my="(datum.y + datum.y2) / 2")
        .mark_text(align="right", fontSize=style.font(scale, 15), color=style.INK, tooltip=None)
        .mark_text(
            align="right",
            fontSize=style.font(scale, 15),
            color=style.INK,
            limit=label - 8 * scale,
            tooltip=None,
        )
        .encode(x=alt.value(label - 10 * scale), y=alt.Y("my:Q"), text="text:N")
    )
    strips = base.mark_rect(fill=style.BLUE, fillOpacity=0, cursor="pointer", tooltip=None)
    strip = strips.encode(x=alt.value(0), x2=alt.value(label), y=y, y2="y2:Q")
    return [text, strip]


def _titles(heads: pd.DataFrame, x: alt.X, y: alt.Y, scale: float) -> list[alt.Chart]:
    """Over each panel its name, its formula, and the words of its columns."""
    kinds: dict[str, dict[str, Any]] = {
        "name": {"align": "left", "fontSize": style.font(scale, 15), "fontWeight": 600},
        "formula": {"align": "left", "fontSize": style.font(scale, 13), "opacity": 0.8},
        "key": {"fontSize": style.font(scale, style.SMALL), "limit": CELL_WIDTH * scale - 4},
    }
    return [
        alt.Chart(heads[heads["kind"] == kind])
        .mark_text(color=style.INK, tooltip=None, **look)
        .encode(x=x, y=y, text="text:N")
        for kind, look in kinds.items()
        if (heads["kind"] == kind).any()
    ]


def _rules(placed: Sequence[_Placed], x: alt.X, y: alt.Y, scale: float) -> list[alt.Chart]:
    """Upright rules between the blocks of a joined matrix."""
    ends = [
        {"x": box["x"], "y": box["y"], "y2": box["y2"]}
        for one in placed
        for box in (one.box("column", 0, bar, CELL_HEIGHT * scale) for bar in one.panel.bars)
    ]
    if not ends:
        return []
    chart = alt.Chart(pd.DataFrame(ends)).mark_rule(stroke=style.INK, strokeWidth=3 * scale)
    return [chart.encode(x=x, y=y, y2="y2:Q")]

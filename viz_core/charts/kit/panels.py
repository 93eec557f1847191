"""Small matrices with their numbers, linked: hover a number to see what it was made from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import style
from viz_core.charts.kit.arithmetic import number
from viz_core.charts.kit.panel_layout import BOX, NARROW, Panel, Placed, is_small, place

TYPE, SMALL = 16, 14  # pixels of the numbers: in few rows, and in many
TINT = 0.38  # of a panel's largest number: type stays legible upon it
LINE = 640  # a line of arithmetic needs this much room, however small the matrices


def _cells(placed: Sequence[Placed]) -> pd.DataFrame:
    """One line a number: where it stands, how it is coloured, and how it came to be."""
    few_places = is_small([one.panel for one in placed])
    lines: list[dict[str, Any]] = []
    for one in placed:
        values = one.panel.values
        largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0
        unit = 1.0 if one.panel.is_weight else largest / TINT
        for row, column in np.ndindex(values.shape):
            value = float(values[row, column])
            lines.append(
                {
                    "hit": len(lines),
                    "panel": one.panel.name,
                    "row": row,
                    "column": column,
                    "text": number(value, 1 if few_places and abs(value) >= 10 else 2),
                    "tint": round(value / unit, 3) if np.isfinite(value) else 0.0,
                    "said": one.panel.said(row, column),
                    **one.box(row, column),
                }
            )
    return pd.DataFrame(lines)


def _frames(cells: pd.DataFrame, placed: Sequence[Placed]) -> pd.DataFrame:
    """For each number the boxes that light up with it."""
    by_name = {one.panel.name: one for one in placed}
    lines = [
        {"hit": hit, "side": part.side, **by_name[part.panel].box(part.row, part.column)}
        for hit, name, row, column in cells[["hit", "panel", "row", "column"]].itertuples(False)
        for part in by_name[name].panel.made_from(row, column)
    ]
    return pd.DataFrame(lines, columns=["hit", "side", *BOX])


def _words(placed: Sequence[Placed], hits: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The words at the left, numbered on from `hits`; and all places of a word, lit together."""
    numbers: dict[tuple[tuple[str, ...], int], int] = {}
    words: list[dict[str, Any]] = []
    places: list[dict[str, Any]] = []
    for one in placed:
        for row, word in enumerate(one.panel.rows):
            hit = numbers.setdefault((one.panel.rows, row), hits + len(numbers))
            box = one.box(row, None)
            places.append({"hit": hit, "side": "query", **box})
            if one.panel.columns == one.panel.rows:
                places.append({"hit": hit, "side": "key", **one.box(None, row)})
            if one.label:
                edge = {"x": one.left - one.label, "x2": one.left}
                words.append({"hit": hit, "text": style.readable(word), **box, **edge})
    return (
        pd.DataFrame(words, columns=["hit", "text", *BOX]),
        pd.DataFrame(places, columns=["hit", "side", *BOX]),
    )


def _headings(placed: Sequence[Placed], scale: float) -> pd.DataFrame:
    """Over each panel its name and formula; right over the cells the words of the columns."""
    lines: list[dict[str, Any]] = []
    worded = {one.top for one in placed if one.panel.columns}  # headings of a row stand in line
    for one in placed:
        lift = 18 if one.top in worded else 0
        for text, rise in ((one.panel.name, 30), (one.panel.formula, 12)):
            y = one.top - (rise + lift) * scale
            lines.append({"text": text, "rise": rise, "x": one.left, "y": y})
        for column, word in enumerate(style.shown(one.panel.columns)):
            middle = one.left + (column + 0.5) * one.wide
            lines.append({"text": word, "rise": 0, "x": middle, "y": one.top - 9 * scale})
    return pd.DataFrame(lines)


def picture(
    panels: Sequence[Panel],
    finding: str,
    *,
    start: tuple[str, int, int] | None = None,
    scale: float = 1.0,
) -> style.AnyChart:
    """The panels in rows, read from left to right like a page.

    Hovering a number frames what it was made from and writes its arithmetic underneath; hovering
    a word frames its row, and its column where it is a key. All of it in the browser. `start` is
    the panel, row and column that is explained before anybody hovers.
    """
    placed = place(panels, scale)
    cells = _cells(placed)
    words, places = _words(placed, len(cells))
    frames = pd.concat([_frames(cells, placed), places])
    width = max(LINE * scale, *(one.left + one.room for one in placed))
    height = max(cells["y2"]) + 48 * scale  # below the cells, the line of arithmetic
    value: Any = alt.Undefined
    if start is not None:
        at = (cells["panel"] == start[0]) & (cells["row"] == start[1])
        value = [{"hit": int(cells[at & (cells["column"] == start[2])]["hit"].iloc[0])}]
    # Never cleared, so that the arithmetic stays while the lecturer's pointer leaves the picture.
    hovered = alt.selection_point(
        name="hit", fields=["hit"], on="pointerover", clear=False, empty=False, value=value
    )
    size = style.font(scale, SMALL if is_small(panels) else TYPE)
    drawn = [
        _squares(cells, words).add_params(hovered),
        *_rules(placed, scale),
        _figures(cells, size),
    ]
    drawn += [*_lit(frames, cells, hovered, scale), _labels(words, scale)]
    drawn += [
        *_titles(_headings(placed, scale), scale),
        _line(cells, hovered, (width, height), scale),
    ]
    plain: dict[str, Any] = {"nice": False, "zero": False}
    across = alt.X("x:Q", scale=alt.Scale(domain=[0, width], **plain), axis=None)
    down = alt.Y("y:Q", scale=alt.Scale(domain=[0, height], reverse=True, **plain), axis=None)
    drawn[0] = drawn[0].encode(x=across, y=down)  # the layers share these scales
    return style.layered(*drawn).properties(
        width=width,
        height=height,
        description=finding,
        view=alt.ViewBackground(strokeOpacity=0),
        autosize="none",  # else a long line of arithmetic would squeeze the matrices
        padding=dict.fromkeys(("left", "right", "top", "bottom"), 4),
    )


def _squares(cells: pd.DataFrame, words: pd.DataFrame) -> alt.Chart:
    """What catches the pointer: the cells, and unseen ones behind the words."""
    columns = ["hit", "tint", *BOX]
    places = pd.concat([cells[columns].assign(edge=0.3), words.assign(tint=0.0, edge=0.0)])
    colour = alt.Color("tint:Q", scale=style.difference_scale(), legend=None)
    return (
        alt.Chart(places[[*columns, "edge"]])
        .mark_rect(stroke=style.INK, strokeWidth=0.75, tooltip=None)
        .encode(
            x2="x2:Q",
            y2="y2:Q",
            color=colour,
            strokeOpacity=alt.StrokeOpacity("edge:Q", scale=None),
        )
    )


def _figures(cells: pd.DataFrame, size: float) -> alt.Chart:
    base = alt.Chart(cells).transform_calculate(
        middle="(datum.x + datum.x2) / 2", half="(datum.y + datum.y2) / 2"
    )
    ink = style.cell_ink("tint", 0.8)
    text = base.mark_text(fontSize=size, tooltip=None)
    return text.encode(x="middle:Q", y="half:Q", text="text:N", color=ink)


def _lit(
    frames: pd.DataFrame, cells: pd.DataFrame, hovered: alt.Parameter, scale: float
) -> list[alt.Chart]:
    """Frames: whole for what asks, dashed for what answers, black for the number itself."""
    looks: dict[str, dict[str, Any]] = {
        "query": {"stroke": style.VERMILION},
        "key": {"stroke": style.BLUE, "strokeDash": [6, 3]},
    }
    edge: dict[str, Any] = {"fillOpacity": 0, "strokeWidth": 3 * scale, "tooltip": None}
    charts = [
        alt.Chart(frames[frames["side"] == side]).mark_rect(**look, **edge)
        for side, look in looks.items()
    ]
    charts.append(alt.Chart(cells).mark_rect(stroke=style.INK, **edge))
    return [
        chart.transform_filter(hovered).encode(x="x:Q", x2="x2:Q", y="y:Q", y2="y2:Q")
        for chart in charts
    ]


def _labels(words: pd.DataFrame, scale: float) -> alt.Chart:
    base = alt.Chart(words).transform_calculate(
        right=f"datum.x2 - {10 * scale}", half="(datum.y + datum.y2) / 2"
    )
    size, room = style.font(scale, 15), 120 * scale
    text = base.mark_text(align="right", fontSize=size, color=style.INK, limit=room, tooltip=None)
    return text.encode(x="right:Q", y="half:Q", text="text:N")


def _titles(heads: pd.DataFrame, scale: float) -> list[alt.Chart]:
    looks: dict[int, dict[str, Any]] = {
        30: {"align": "left", "fontSize": style.font(scale, 15), "fontWeight": 600},
        12: {"align": "left", "fontSize": style.font(scale, 13)},
        0: {"fontSize": style.font(scale, style.SMALL), "limit": NARROW * scale},
    }
    return [
        alt.Chart(heads[heads["rise"] == rise])
        .mark_text(color=style.INK, tooltip=None, **look)
        .encode(x="x:Q", y="y:Q", text="text:N")
        for rise, look in looks.items()
    ]


def _line(
    cells: pd.DataFrame, hovered: alt.Parameter, size: tuple[float, float], scale: float
) -> alt.Chart:
    """The arithmetic of the hovered number, large, under everything."""
    chart = alt.Chart(cells).transform_filter(hovered)
    text = chart.mark_text(
        align="left", fontSize=style.font(scale, 17), color=style.INK, limit=size[0], tooltip=None
    )
    return text.encode(x=alt.XDatum(0), y=alt.YDatum(size[1] - 14 * scale), text="said:N")


def _rules(placed: Sequence[Placed], scale: float) -> list[alt.Chart]:
    """Upright rules between the blocks of a joined matrix."""
    ends = [one.box(None, bar) for one in placed for bar in one.panel.bars]
    chart = alt.Chart(pd.DataFrame(ends, columns=BOX))
    mark = chart.mark_rule(stroke=style.INK, strokeWidth=3 * scale, tooltip=None)
    return [mark.encode(x="x:Q", y="y:Q", y2="y2:Q")] if ends else []

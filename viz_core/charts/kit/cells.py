"""The parts of a matrix: squares with their words, frames, numbers, and a row as bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.charts.kit import style
from viz_core.charts.kit.room import Grid, Room, word_width
from viz_core.text import is_right_to_left

TOOLTIP = [
    alt.Tooltip("query word:N", title="from"),
    alt.Tooltip("key word:N", title="to"),
    alt.Tooltip("weight:Q", format=".3f"),
]


def occurrences(tokens: Sequence[str]) -> list[str]:
    """Names that let the n-th "the" of one sentence meet the n-th "the" of another."""
    seen: Counter[str] = Counter()
    names = []
    for token in tokens:
        word = token.casefold()
        names.append(f"{word} {seen[word]}")
        seen[word] += 1
    return names


def frame(
    weights: NDArray[np.floating],
    queries: Sequence[str],
    keys: Sequence[str],
    rows: slice,
    columns: slice,
) -> pd.DataFrame:
    """One line a cell, of the shown part only; positions stay those of the whole sentence."""
    query = np.arange(len(queries))[rows]
    key = np.arange(len(keys))[columns]

    def down(words: Sequence[str]) -> NDArray[np.object_]:
        return np.repeat(np.array(words[rows], dtype=object), len(key))

    return pd.DataFrame(
        {
            "query": np.repeat(query, len(key)),
            "key": np.tile(key, len(query)),
            # Four decimals are more than the eye and the tooltip need, and keep the page light.
            "weight": np.nan_to_num(weights[rows, columns].astype(float)).round(4).ravel(),
            "query word": down(style.shown(queries)),
            "key word": np.tile(np.array(style.shown(keys)[columns], dtype=object), len(query)),
            "linked": down(occurrences(queries)),
        }
    )


def squares(
    cells: pd.DataFrame,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    colour: alt.Color,
    grid: Grid,
    scale: float,
    weighed: bool = True,
    backwards: bool | None = None,
    row: int | None = None,
) -> alt.Chart:
    """The squares with their words: targets down, sources across the top, in the direction in which
    they are read.

    A row that has no squares yet keeps its place; the word of `row` is written in any case.
    `backwards` is the direction of the whole text, where not all of its words are told.
    """
    rows, columns = grid.rows, grid.columns
    backwards = is_right_to_left(keys) if backwards is None else backwards
    across = style.token_axis(
        keys,
        orient="top",
        scale=scale,
        start=columns.start,
        step=grid.wide,
        angle=grid.angle,
        label=grid.label,
    )
    down = style.token_axis(
        queries,
        orient="left",
        scale=scale,
        start=rows.start,
        step=grid.high,
        label=grid.label,
        focus=row,
    )
    tooltip = TOOLTIP if weighed else TOOLTIP[:2]
    wide, high = grid.size

    def every(part: slice, turned: bool = False) -> alt.Scale:
        places = list(range(part.start, part.stop))
        return alt.Scale(padding=0, domain=places[::-1] if turned else places)

    return (
        alt.Chart(cells)
        .mark_rect(stroke=style.INK, strokeOpacity=style.FAINT, strokeWidth=0.75)
        .encode(
            x=alt.X("key:O", axis=across, scale=every(columns, backwards)),
            y=alt.Y("query:O", axis=down, scale=every(rows)),
            color=colour,
            tooltip=tooltip,
        )
        .properties(width=wide, height=high)
    )


def row_frame(cells: pd.DataFrame, hovered: alt.Parameter, scale: float) -> alt.Chart:
    """A frame around the hovered row; hollow, so that the pointer still meets the squares."""
    rows = cells.drop_duplicates("query")[[c for c in ("query", "linked") if c in cells]]
    return (
        alt.Chart(rows)
        .transform_filter(hovered)
        .mark_rect(filled=False, stroke=style.VERMILION, strokeWidth=2.5 * scale, tooltip=None)
        .encode(y="query:O")
    )


def cell_frame(cells: pd.DataFrame, clicked: alt.Parameter, scale: float) -> alt.Chart:
    """A frame around the clicked cell."""
    return (
        alt.Chart(cells)
        .transform_filter(clicked)
        .mark_rect(filled=False, stroke=style.INK, strokeWidth=3 * scale, tooltip=None)
        .encode(x="key:O", y="query:O")
    )


def numbers(cells: pd.DataFrame, side: float, signed: bool = False) -> alt.Chart:
    """The weights in their cells without the leading zero, small ones paler: .62."""
    sign = "+" if signed else ""
    text = f"replace(format(datum.weight, '{sign}.2f'), '0.', '.')"
    whole = "datum.weight >= 0.995 ? '1' : "
    return (
        alt.Chart(cells)
        .transform_calculate(number=text if signed else whole + text)
        .mark_text(fontSize=max(round(side * (0.3 if signed else 0.36), 1), style.least()))
        .encode(
            x="key:O",
            y="query:O",
            text="number:N",
            color=style.cell_ink(),
            tooltip=TOOLTIP,  # the pointer meets the number, not the square below it
            opacity=alt.condition("abs(datum.weight) < 0.05", alt.value(0.62), alt.value(1)),
        )
    )


BAR = 130  # pixels of a full bar
NUMBER = 40  # pixels of the number after it


def bars_width(keys: Sequence[str], scale: float) -> float:
    """Unscaled pixels that row_bars needs beside a matrix."""
    words = min(word_width(keys, style.font(scale)) / scale, 100)
    return words + BAR + NUMBER + 34


def row_bars(
    cells: pd.DataFrame,
    keys: Sequence[str],
    hovered: alt.Parameter,
    findings: Mapping[int, str],
    grid: Grid,
    room: Room,
) -> alt.LayerChart:
    """The hovered row again, as bars beside the matrix, with its finding in words."""
    scale = room.scale
    step, _ = room.less(height=grid.heading / scale).rows(len(keys), 26)
    axis = style.token_axis(
        keys, orient="left", scale=scale, start=grid.columns.start, step=step, label=100
    )
    places = list(range(grid.columns.start, grid.columns.stop))
    y = alt.Y("key:O", axis=axis, scale=alt.Scale(domain=places, padding=0.15))
    x = alt.X("weight:Q", scale=alt.Scale(domain=[0, 1]), axis=None)
    base = alt.Chart(cells).transform_filter(hovered)
    bars = base.mark_bar(color=style.BLUE).encode(
        x=x, y=y, tooltip=[alt.Tooltip("key word:N"), alt.Tooltip("weight:Q", format=".3f")]
    )
    size = style.font(scale, style.SMALL)
    labels = (
        base.transform_filter("datum.weight >= 0.05")
        .mark_text(align="left", dx=4 * scale, fontSize=size, color=style.INK, tooltip=None)
        .encode(x=x, y=y, text=alt.Text("weight:Q", format=".2f"))
    )
    said = pd.DataFrame({"query": list(findings), "finding": list(findings.values())})
    wide = bars_width(keys, scale) - 20
    words = (
        alt.Chart(said)
        .transform_filter(hovered)
        .mark_text(
            align="right",
            baseline="bottom",
            fontSize=size,
            color=style.INK,
            limit=wide * scale,
            tooltip=None,
        )
        .encode(x=alt.value((BAR + NUMBER) * scale), y=alt.value(-6 * scale), text="finding:N")
    )
    return style.layered(bars, labels, words).properties(
        width=BAR * scale, height=step * len(keys), view=alt.ViewBackground(strokeOpacity=0)
    )

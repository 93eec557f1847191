"""A title above its text: each word of it with p_copy, the text shaded by where one word looked."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from viz_core.analysis import summary as told
from viz_core.charts.documents import DEEP, LARGE, LINE, SIZES
from viz_core.charts.kit import style, text_marks
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.recurrent import x_at, y_at
from viz_core.traces.attention import Translation

HEADING = 62  # pixels of what stands above the picture
TITLE, BOLD = 1.35, 1.13  # type of the title in type sizes of the text; how wide bold letters are
LABEL = 1.5  # room below a word of the title, for its p_copy
GAP = 0.7  # between title and text
SPACE = 0.45  # between two words, in type sizes: their widths are estimated, and none may touch


class Layout:
    """Where every word stands, in pixels, in the largest type in which title and text fit."""

    title: list[tuple[float, float, float]]  # left, top and width of each word
    text: list[tuple[float, float, float]]

    def __init__(self, title: tuple[str, ...], text: tuple[str, ...], room: Room) -> None:
        scale, self.width = room.scale, room.width
        sizes = (*LARGE, *SIZES) if scale > 1 else SIZES
        heights = [height - HEADING * scale for height in room.heights(len(text))]
        for self.size, most in ((style.font(scale, s), h) for h in heights for s in sizes):
            if self.place(title, text) <= most:
                break
        else:  # too long for any type: as much of it as there is room for
            last = most - self.above - LINE * self.size
            self.text = [place for place in self.text if place[1] <= self.above + last]
            self.height = most

    def place(self, title: tuple[str, ...], text: tuple[str, ...]) -> float:
        """(left, top, width) of each word; the height of all."""
        large, small = TITLE * self.size, self.size
        bold = BOLD * large
        placed = text_marks.flow(title, self.width / bold, SPACE, ["0.00"] * len(title))
        pitch = large * (1.2 + LABEL / TITLE)
        self.title = [(x * bold, row * pitch, wide * bold) for x, row, wide in placed]
        self.above = (placed[-1][1] + 1) * pitch + GAP * small
        flowing = text_marks.flow(text, self.width / small, SPACE)
        self.text = [
            (x * small, self.above + row * LINE * small, wide * small) for x, row, wide in flowing
        ]
        self.height = self.above + (flowing[-1][1] + 1) * LINE * small
        return self.height


@drawn
def headline(
    trace: Translation, step: int, look: told.Look = "copying", *, room: Room = PAGE
) -> style.AnyChart:
    """Of a trace by words; clicking a word of the title sets the selection "row" to {number}.

    Words of the title after `step` are not yet written; a step past the last shows the whole.
    """
    names = told.title_words(trace)
    written = min(step + 1, len(names))
    at = Layout(style_words(names), style_words(trace.source), room)
    scale, wide, high = room.scale, at.width, at.height
    title = _frame(at.title, names, at.size * TITLE)
    title = title.iloc[:written]
    assert trace.copying is not None
    title["p_copy"] = trace.copying.chances[:written].round(3)
    title["copied"] = trace.copying.shares[:written].round(3)
    title["shade"] = DEEP * title["p_copy"]
    title["under"] = title["bottom"] + 0.62 * at.size
    title["now"] = title["number"] == step
    weights = told.looked(trace, step, look)
    text = _frame(at.text, trace.source[: len(at.text)], at.size)
    text["weight"] = weights[: len(at.text)].round(4)
    text["shade"] = (DEEP * text["weight"] / told.largest(weights)).round(3)

    def box(frame: pd.DataFrame, colour: str, **settings: Any) -> alt.Chart:
        return (
            alt.Chart(frame)
            .mark_rect(fill=colour, cornerRadius=3 * scale, **settings)
            .encode(
                x=x_at("left", wide),
                x2="right:Q",
                y=y_at("top", high),
                y2="bottom:Q",
                fillOpacity=alt.FillOpacity("shade:Q", scale=None, legend=None),
            )
        )

    def said(frame: pd.DataFrame, size: float, down: str = "centre", **settings: Any) -> alt.Chart:
        ink: dict[str, Any] = {
            "color": style.INK,
            "fontSize": size,
            "baseline": "middle",
            "limit": wide,
        }
        return (
            alt.Chart(frame)
            .mark_text(**ink | settings)
            .encode(x=x_at("middle", wide), y=y_at(down, high))
        )

    chosen = alt.selection_point(name="row", fields=["number"], on="click", empty=False)
    numbers = [alt.Tooltip("word:N"), *(alt.Tooltip(f"{n}:Q") for n in ("p_copy", "copied"))]
    weighed = [alt.Tooltip("word:N"), alt.Tooltip("weight:Q", format=".3f")]
    frames = (
        alt.Chart(title[title["now"]])
        .mark_rect(filled=False, stroke=style.VERMILION, strokeWidth=2.5 * scale, cornerRadius=3)
        .encode(x=x_at("left", wide), x2="right:Q", y=y_at("top", high), y2="bottom:Q")
    )
    small = max(style.least(scale), 0.8 * at.size)
    layers = [
        box(title, style.VERMILION, cursor="pointer").encode(tooltip=numbers).add_params(chosen),
        said(title, TITLE * at.size, fontWeight=600).encode(text="word:N", tooltip=numbers),
        said(title, small, down="under").encode(text=alt.Text("p_copy:Q", format=".2f")),
        box(text, style.BLUE).encode(tooltip=weighed),
        said(text, at.size).encode(text="word:N", tooltip=weighed),
        frames,
    ]
    note = style.part_note("words", slice(0, len(at.text)), len(trace.source))
    legend = (
        "orange, and the number: p_copy, the chance to copy · blue: where it looked, deepest at "
        f"{told.largest(weights):.2f}"
    )
    return style.layered(*layers).properties(
        autosize=style.PAD,
        width=wide,
        height=high,
        title=style.title(_heading(names, step), [legend, note], scale),
        description=told.finding(trace, step, look),
    )


def _heading(names: tuple[str, ...], step: int) -> str:
    return "The whole title" if step >= len(names) else f"Where “{names[step]}” looked"


def style_words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(style.shown(words))


def _frame(
    places: list[tuple[float, float, float]], words: tuple[str, ...], size: float
) -> pd.DataFrame:
    left, top, room = np.array(places, dtype=float).reshape(-1, 3).T
    frame = pd.DataFrame({"number": range(len(words)), "word": style_words(words), "left": left})
    frame["top"], frame["right"] = top, left + room - 2
    frame["middle"] = (frame["left"] + frame["right"]) / 2
    frame["bottom"] = frame["top"] + 1.45 * size
    frame["centre"] = frame["top"] + 0.75 * size
    return frame

"""Running text whose words are shaded by their weight, or underlined by their kind."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from itertools import zip_longest

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.text import is_right_to_left

SIZE = 19  # pixels: running text is read, not looked up
# Widths of letters in a common sans serif, in parts of the font size.
NARROW, WIDE = frozenset("iljtfrI.,;:'|!()[]` "), frozenset("mwMW@%")


def width(token: str) -> float:
    """Estimated width in parts of the font size: Vega cannot measure before it draws."""

    def letter(char: str) -> float:
        if unicodedata.combining(char) or unicodedata.category(char) == "Cf":
            return 0.0
        if unicodedata.east_asian_width(char) in "WF":
            return 1.05
        if char in NARROW:
            return 0.36
        if char in WIDE:
            return 0.92
        return 0.72 if char.isupper() else 0.6

    return sum(map(letter, token))


def flow(
    tokens: Sequence[str], line: float, gap: float = 0.34, labels: Sequence[str] = ()
) -> list[tuple[float, int, float]]:
    """(left, line number, width) of each token, wrapped at the width of a line, in font sizes.

    A label below a token needs room as well, or it runs into the next one.
    """
    places: list[tuple[float, int, float]] = []
    left, row = 0.0, 0
    for token, label in zip_longest(tokens, labels, fillvalue=""):
        room = min(max(width(token), width(label) * style.SMALL / SIZE) + gap, line)
        if left and left + room > line:
            left, row = 0.0, row + 1
        places.append((left, row, room))
        left += room
    return places


def finding(tokens: Sequence[str], weights: Sequence[float]) -> str:
    """The darkest words."""
    if not len(tokens):
        return "There is no text."
    values = np.nan_to_num(np.asarray(weights, dtype=float))
    top = [int(i) for i in np.argsort(-np.abs(values), kind="stable")[:3] if values[i]]
    if not top:
        return "No word is marked."
    told = ", ".join(f"{style.readable(tokens[i])} {values[i]:.2f}" for i in top)
    return f"Most weight on {told}"


@drawn
def shaded(
    tokens: Sequence[str],
    weights: Sequence[float],
    *,
    labels: Sequence[str] = (),
    hues: Mapping[str, str] | None = None,
    signed: bool = False,
    highlight: int | None = None,
    around: int | None = None,
    title: str = "",
    line: int = 700,
    scale: float = 1.0,
    limit: int = 400,
) -> style.AnyChart:
    """The text itself, each word on a blue as deep as its weight; hovering tells the number.

    `labels` writes a small word under a token, such as its entity, and underlines it; "" for none;
    `hues` has a colour for each of them instead of the blue. `signed` takes weights in [-1, 1].
    `line` is the width to wrap at. Of a text longer than `limit` words the part `around` a word is
    drawn. Clicking a word sets the selection "word" to {position}.
    """
    if not len(tokens):
        return style.blank("There is no text.", scale)
    part = style.part(len(tokens), limit, around if highlight is None else highlight)
    words = style.shown(tokens)[part]
    size = style.font(scale, SIZE)
    below = list(labels)[part]
    places = flow(words, line * scale / size, labels=below)
    if is_right_to_left(words):
        places = [(line * scale / size - left - room, row, room) for left, row, room in places]
    pitch = (2.5 if any(labels) else 1.75) * size
    frame = pd.DataFrame(
        {
            "position": range(part.start, part.stop),
            "word": words,
            "weight": np.nan_to_num(np.asarray(weights, dtype=float))[part].round(4),
            "label": below or "",
            "left": [left * size for left, _, _ in places],
            "right": [(left + room) * size - 2 for left, _, room in places],
            "top": [row * pitch for _, row, _ in places],
            "room": [room * size - 2 for _, _, room in places],
        }
    )
    frame["middle"] = (frame["left"] + frame["right"]) / 2
    frame["bottom"] = frame["top"] + 1.5 * size
    frame["centre"] = frame["top"] + 0.78 * size
    wide, high = line * scale, (places[-1][1] + 1) * pitch

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, wide], nice=False), axis=None)

    def y(field: str) -> alt.Y:
        down = alt.Scale(domain=[high, 0], nice=False, zero=False)
        return alt.Y(f"{field}:Q", scale=down, axis=None)

    shade = alt.Color(
        "weight:Q",
        scale=style.difference_scale() if signed else style.weight_scale(),
        legend=None,
    )
    kind = alt.Color(
        "label:N",
        scale=alt.Scale(domain=list(hues or ()), range=list((hues or {}).values())),
        legend=None,
    )
    faint = alt.Opacity("weight:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.5]), legend=None)
    clicked = alt.selection_point(name="word", fields=["position"], on="click", empty=False)
    tooltip = [alt.Tooltip("word:N"), alt.Tooltip("weight:Q", format=".3f")]
    if any(labels):
        tooltip.append(alt.Tooltip("label:N"))
    base = alt.Chart(frame).encode(tooltip=tooltip)
    marks = base.mark_rect(cornerRadius=3 * scale).encode(
        x=x("left"), x2="right:Q", y=y("top"), y2="bottom:Q"
    )
    marks = marks.encode(color=kind, opacity=faint) if hues else marks.encode(color=shade)
    text = base.mark_text(fontSize=size, baseline="middle", limit=wide).encode(
        x=x("middle"),
        y=y("centre"),
        text="word:N",
        color=alt.value(style.INK) if hues else style.cell_ink(),
    )
    layers: list[alt.Chart] = [marks.add_params(clicked), text]
    if any(labels):
        named = base.transform_filter("datum.label")
        lines = named.mark_rule(strokeWidth=3 * scale).encode(
            x=x("left"),
            x2="right:Q",
            y=y("bottom"),
            color=kind if hues else alt.value(style.VERMILION),
        )
        layers.append(lines)
        layers.append(
            named.mark_text(
                fontSize=style.font(scale, style.SMALL), dy=10 * scale, color=style.INK
            ).encode(x=x("middle"), y=y("bottom"), text="label:N")
        )
    if highlight is not None:
        frames = base.transform_filter(f"datum.position == {highlight}")
        layers.append(
            frames.mark_rect(
                filled=False,
                stroke=style.VERMILION,
                strokeWidth=2.5 * scale,
                cornerRadius=3 * scale,
            ).encode(x=x("left"), x2="right:Q", y=y("top"), y2="bottom:Q")
        )
    note = style.part_note("words", part, len(tokens))
    chart = style.layered(*layers)
    return chart.properties(
        autosize=style.PAD,
        width=wide,
        height=high,
        title=style.title(title, note, scale),
        description=finding(tokens, weights),
    )

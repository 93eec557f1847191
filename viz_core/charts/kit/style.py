"""Colour, type and words that all charts share.

A chart is drawn once and seen on a light page, on a dark one and on a projector. So a weight is an
opacity of one blue over whatever background there is, and text and grid lines are the host's own
text colour. `scale` multiplies type and cells: 1 on a desk, about 1.8 in a lecture hall.
"""

from __future__ import annotations

import html
import json
import math
import unicodedata
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import altair as alt

from viz_core.text import dotted, inside_english

AnyChart: TypeAlias = (
    alt.Chart | alt.LayerChart | alt.ConcatChart | alt.HConcatChart | alt.VConcatChart
)

# The host's text colour: browsers resolve it in SVG, so no chart knows its theme.
INK = "currentColor"
FAINT = 0.14  # opacity of grid lines and empty cells in INK
QUIET = 0.3  # opacity of what steps back while something else is in focus

# Blue and vermilion stay apart for every kind of colour blindness, and each has a contrast of about
# 4 with white and with near-black.
BLUE = "#1f78c8"
VERMILION = "#d55e00"
CLEAR = "rgba(31,120,200,0)"
CLEAR_VERMILION = "rgba(213,94,0,0)"
ON_BLUE = "#ffffff"  # text upon a full cell

# Twelve heads: neighbours differ in lightness as well as in hue, all have a contrast of 3 with
# both backgrounds.
HEADS = (
    *("#1f78c8", "#d55e00", "#00936b", "#c2529b", "#a07c00", "#7a5fd0"),
    *("#2596a8", "#d03a4a", "#6f8f1e", "#7d7f8c", "#a8683c", "#4d6ee0"),
)

BASE, SMALL, LARGE = 14, 12, 17  # the type scale in pixels
CELL = 34  # side of a square cell, in pixels
ROOM = 900  # pixels that a row of cells may fill before the cells shrink
# Streamlit would squeeze labels into the width that is meant for the cells alone.
PAD = alt.AutoSizeParams(type="pad", contains="padding")
LIMIT = 64  # tokens per axis that a chart shows unless told otherwise


def least(scale: float = 1.0) -> float:
    """The smallest type in pixels: on a desk, and from the last row of a hall."""
    return 11.0 if scale <= 1 else 18.0


def font(scale: float = 1.0, size: float = BASE) -> float:
    """Font size in pixels, never too small to be read."""
    return max(round(size * scale, 1), least(scale))


def cell(count: int, scale: float = 1.0, largest: float = CELL) -> float:
    """Side of a cell so that `count` of them fit: the most legible one that still fits."""
    return round(min(largest, max(ROOM / max(count, 1), 9)) * scale, 1)


def readable(token: str) -> str:
    """The token as it may stand in a picture: characters that cannot be drawn become signs."""

    def drawn(char: str) -> str:
        if ord(char) < 32:
            return chr(0x2400 + ord(char))  # the control picture, such as ␉ for a tab
        return "\ufffd" if unicodedata.category(char) in ("Cc", "Cs") else char

    return "".join(map(drawn, dotted(token)))


def shown(tokens: Sequence[str]) -> list[str]:
    return [readable(token) for token in tokens]


def plotly_text(token: str) -> str:
    """The token for a Plotly label, where it would else be read as HTML, or LaTeX in dollars.

    Quotes stay: Plotly does not know &quot;, and would write it out.
    """
    return html.escape(readable(token), quote=False).replace("$", "&#36;")


def weight_scale() -> alt.Scale:
    """Weights from 0, nothing to see, to 1, full blue: the same in every chart of the atlas."""
    return alt.Scale(domain=[0, 1], range=[CLEAR, BLUE], interpolate="rgb", clamp=True)


def difference_scale(extent: float = 1.0) -> alt.Scale:
    """Vermilion below zero, nothing at zero, blue above it."""
    return alt.Scale(
        domain=[-extent, 0, extent],
        range=[VERMILION, "rgba(122,107,100,0)", BLUE],
        interpolate="rgb",
        clamp=True,
    )


def plotly_weights() -> list[tuple[float, str]]:
    """The weight scale for Plotly."""
    return [(0.0, "rgba(31,120,200,0)"), (1.0, "rgba(31,120,200,1)")]


def plotly_differences() -> list[tuple[float, str]]:
    """Vermilion at -1, nothing at 0, blue at 1."""
    return [(0.0, VERMILION), (0.5, "rgba(122,107,100,0)"), (1.0, "rgba(31,120,200,1)")]


def legend(title: str | None, scale: float = 1.0, **settings: Any) -> alt.Legend:
    return alt.Legend(
        title=title,
        labelFontSize=font(scale, SMALL),
        titleFontSize=font(scale, SMALL),
        titleFontWeight="normal",
        **{"gradientLength": 130 * scale, "gradientThickness": 12 * scale, **settings},
    )


def weight_colour(field: str = "weight", scale: float = 1.0, title: str = "weight") -> alt.Color:
    return alt.Color(
        f"{field}:Q",
        scale=weight_scale(),
        legend=legend(title, scale, values=[0, 0.5, 1], format=".1f"),
    )


def axis(title: str | None = None, scale: float = 1.0, **settings: Any) -> alt.Axis:
    """A numeric axis in the house type, with a faint grid."""
    return alt.Axis(
        title=title,
        **{
            "labelFontSize": font(scale, SMALL),
            "titleFontSize": font(scale, BASE),
            "titleFontWeight": "normal",
            "gridColor": INK,
            "gridOpacity": FAINT,
            "domain": False,
            "ticks": False,
            "labelPadding": 6 * scale,
            **settings,
        },
    )


def token_axis(
    tokens: Sequence[str],
    *,
    orient: Literal["top", "bottom", "left", "right"],
    title: str | None = None,
    scale: float = 1.0,
    start: int = 0,
    step: float = CELL,
    angle: float | None = None,
    label: float = 150,
    focus: int | None = None,
) -> alt.Axis:
    """An axis by position whose labels are the tokens, so a repeated word keeps its own place.

    The tokens travel as an ASCII JSON list inside the label expression: quotes, backslashes, markup
    and any script stay data. `start` is the position of the first token, `step` the room for one,
    `label` that for its longest word; what is longer is shortened. Where there is not room for all,
    every second or third one is written, and that of the position in `focus`.
    """
    across = orient in ("top", "bottom")
    tilt = (-45 if across else 0) if angle is None else angle
    # A label may be as high as its cell; where nobody could read it, some are left out.
    size = min(font(scale), max(round(step * 0.85, 1), least(scale)))
    labels = json.dumps(some(shown(tokens), step, size, focus, start))
    return alt.Axis(
        orient=orient,
        title=title,
        labelExpr=f"{labels}[datum.value - {start}]",
        labelAngle=tilt,
        labelAlign="left" if across and tilt and orient == "top" else alt.Undefined,
        labelBaseline="middle" if across and abs(tilt) in (45, 90) else alt.Undefined,
        labelFontSize=size,
        labelLimit=label * scale,
        labelOverlap=False,
        labelFlush=False,
        labelPadding=5 * scale,
        titleFontSize=font(scale, SMALL),
        titleFontWeight="normal",
        titlePadding=10 * scale,
        domain=False,
        ticks=False,
        grid=False,
    )


def some(
    labels: Sequence[str], step: float, size: float, focus: int | None = None, start: int = 0
) -> list[str]:
    """The labels that there is room for, every second or third one, and surely the one in focus;
    the others are empty."""
    every = max(math.ceil(size / max(step, 1)), 1)
    at = None if focus is None else focus - start
    if at is None or not 0 <= at < len(labels):
        at = 0
    return [
        each if place == at or (place % every == 0 and abs(place - at) >= every) else ""
        for place, each in enumerate(labels)
    ]


def title(text: str, subtitle: str | Sequence[str] = (), scale: float = 1.0) -> alt.TitleParams:
    lines = [subtitle] if isinstance(subtitle, str) else list(subtitle)
    return alt.TitleParams(
        text,
        subtitle=[line for line in lines if line],
        anchor="start",
        frame="group",
        fontSize=font(scale, LARGE),
        fontWeight=600,
        subtitleFontSize=font(scale, SMALL),
        subtitleColor=INK,
        subtitlePadding=4 * scale,
        offset=10 * scale,
    )


def layered(*charts: alt.Chart | alt.LayerChart) -> alt.LayerChart:
    """Charts upon each other; unlike alt.layer, never a facet."""
    return alt.LayerChart(layer=list(charts))


def blank(sentence: str, scale: float = 1.0) -> alt.Chart:
    """A chart that says why there is nothing to see."""
    return (
        alt.Chart(alt.Data(values=[{}]), description=sentence)
        .mark_text(text=sentence, fontSize=font(scale), color=INK, opacity=0.75, align="center")
        .properties(width=320 * scale, height=60 * scale, autosize=PAD)
    )


def cell_ink(field: str = "weight", change: float = 0.9) -> Any:
    """Text colour upon a cell: the page's own, and white upon an almost full blue.

    On a light page dark text keeps the better contrast up to there.
    """
    return alt.condition(f"abs(datum.{field}) > {change}", alt.value(ON_BLUE), alt.value(INK))


def place(layer: int, head: int | None, layers: int = 2, heads: int = 2) -> str:
    """Where a weight lives, counted from one as in papers; "" for a model with one attention."""
    if layers == heads == 1:
        return ""
    return f"layer {layer + 1}" + (", mean of heads" if head is None else f" head {head + 1}")


def describe(query: str, key: str, weight: float, where: str = "") -> str:
    """The finding in words: "it attends most to animal, 0.62, layer 3 head 5"."""
    if not math.isfinite(weight):
        return f"{query} has no finite weights" + (f", {where}" if where else "")
    most = f"{inside_english(key)}, {weight:.2f}"
    return f"{query} attends most to {most}" + (f", {where}" if where else "")


def part(total: int, limit: int, focus: int | None = None) -> slice:
    """The positions that a chart shows: `limit` of them around the focus, or the first ones."""
    start = 0 if focus is None else min(max(focus - limit // 2, 0), max(total - limit, 0))
    return slice(start, min(start + limit, total))


def part_note(what: str, shown: slice, total: int) -> str:
    """What a cut axis shows; "" when it shows everything."""
    whole = shown.stop - shown.start >= total
    return "" if whole else f"{what} {shown.start + 1} to {shown.stop} of {total}"

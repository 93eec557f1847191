"""Labelled drawings, a drawing without a label, and what it looks at among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.analysis import few_shot as told
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.recurrent import x_at, y_at
from viz_core.charts.tiles import png
from viz_core.traces.few_shot import FewShot

TILE, LARGE = 120, 170  # pixels of an example and of the question, at most
GAP, CAPTION, HEAD = 22, 20, 46  # between columns, under a drawing, over the columns
TITLE = 60
PAPER, PEN = "#ffffff", (24, 28, 40)


def picture(ink: NDArray[np.floating]) -> str:
    """(28, 28) in 0..1 as an image of dark ink upon nothing."""
    pixels = np.empty((*ink.shape, 4), dtype=np.uint8)
    pixels[..., :3] = PEN
    pixels[..., 3] = np.round(255 * np.clip(ink, 0, 1))
    return png(pixels)


@drawn
def episode(
    trace: FewShot, layer: int = 0, right: int | None = None, *, room: Room = PAGE
) -> style.AnyChart:
    """The question at the left, a column for each kind: over it how likely the question is of this
    kind, under each example the weight that the question gives it in one attention block."""
    scale, ways, shots = room.scale, len(trace.probabilities), trace.shots
    gap, caption, head = GAP * scale, CAPTION * scale, HEAD * scale
    high = room.height - TITLE * scale
    large = min(LARGE * scale, 0.2 * room.width)
    tile = min(
        TILE * scale,
        (room.width - large - (ways + 1) * gap) / ways,
        (high - head) / shots - caption,
    )
    wide, left = max(tile, 84 * scale), large + 2 * gap
    frame = _tiles(trace, layer, left, wide, tile, head, caption, gap)
    frame = pd.concat([frame, _question(trace, layer, head, large)], ignore_index=True)
    width = left + ways * wide + (ways - 1) * gap
    height = max(head + shots * (tile + caption), head + large + caption)
    at = _Canvas(width, height, scale)
    layers = [
        *_drawings(frame, at),
        *_weights(frame, at),
        *_chances(trace, left, wide, gap, at, large),
    ]
    block = f"below a drawing: its weight in attention block {layer + 1} of {trace.layers}"
    return style.layered(*layers).properties(
        autosize=style.PAD,
        width=width,
        height=height,
        title=style.title(told.verdict(trace, right), block, scale),
        description=f"{told.verdict(trace, right)}. {told.finding(trace, layer)}",
    )


class _Canvas:
    """Pixels from the left upper corner."""

    def __init__(self, width: float, height: float, scale: float) -> None:
        self.width, self.height, self.scale = width, height, scale

    def box(self) -> dict[str, Any]:
        return {
            "x": x_at("left", self.width),
            "x2": "right:Q",
            "y": y_at("top", self.height),
            "y2": "bottom:Q",
        }

    def texts(self, rows: pd.DataFrame, **more: Any) -> alt.Chart:
        size = style.font(self.scale, more.pop("size", style.SMALL))
        mark = alt.Chart(rows).mark_text(
            color=style.INK, fontSize=size, baseline="middle", tooltip=None, **more
        )
        return mark.encode(
            x=x_at("x", self.width), y=y_at("y", self.height), text=alt.Text("text:N")
        )


def _tiles(
    trace: FewShot, layer: int, left: float, wide: float, tile: float, head: float,
    caption: float, gap: float,
) -> pd.DataFrame:  # fmt: skip
    """A row for each example: where it stands, its weight, its picture."""
    weights, seen, rows = trace.looked(layer), [0] * len(trace.probabilities), []
    for number, label in enumerate(trace.labels):
        x = left + label * (wide + gap) + (wide - tile) / 2
        y = head + seen[label] * (tile + caption)
        seen[label] += 1
        rows.append(_row(x, y, tile, float(weights[number]), trace.drawings[number]))
        rows[-1] |= {"label": told.LETTERS[label], "read as": f"number {number + 1}"}
    return pd.DataFrame(rows)


def _question(trace: FewShot, layer: int, top: float, size: float) -> pd.DataFrame:
    row = _row(0, top, size, float(trace.looked(layer)[-1]), trace.drawings[-1])
    return pd.DataFrame([row | {"label": "the question itself", "read as": "the last"}])


def _row(x: float, y: float, size: float, weight: float, ink: Any) -> dict[str, Any]:
    return {
        "left": x,
        "right": x + size,
        "top": y,
        "bottom": y + size,
        "weight": round(weight, 4),
        "picture": picture(ink),
    }


def _drawings(frame: pd.DataFrame, at: _Canvas) -> list[alt.Chart]:
    """White paper on every page, dark or light, framed in blue by weight."""
    paper = alt.Chart(frame).mark_rect(fill=PAPER, stroke=style.INK, strokeOpacity=0.3)
    framed = (
        alt.Chart(frame)
        .mark_rect(fillOpacity=0, stroke=style.BLUE, strokeWidth=4 * at.scale)
        .encode(
            **at.box(),
            strokeOpacity=alt.StrokeOpacity("weight:Q", scale=None, legend=None),
            tooltip=["label:N", "read as:N", alt.Tooltip("weight:Q", format=".4f")],
        )
    )
    images = [
        alt.Chart(
            own.assign(x=(own["left"] + own["right"]) / 2, y=(own["top"] + own["bottom"]) / 2)
        )
        .mark_image(width=size, height=size, aspect=False, smooth=False, tooltip=None)
        .encode(x=x_at("x", at.width), y=y_at("y", at.height), url="picture:N")
        for size, own in frame.groupby(frame["right"] - frame["left"])
    ]
    return [paper.encode(**at.box()), *images, framed]


def _weights(frame: pd.DataFrame, at: _Canvas) -> list[alt.Chart]:
    """Under each drawing a bar and its number."""
    wide = (frame["right"] - frame["left"] - 30 * at.scale).clip(lower=4)
    bars = pd.DataFrame(
        {
            "left": frame["left"],
            "right": frame["left"] + wide * frame["weight"],
            "top": frame["bottom"] + 6 * at.scale,
            "bottom": frame["bottom"] + 14 * at.scale,
        }
    )
    numbers = pd.DataFrame(
        {
            "x": frame["right"],
            "y": frame["bottom"] + 10 * at.scale,
            "text": [f"{weight:.2f}".lstrip("0") for weight in frame["weight"]],
        }
    )
    return [
        alt.Chart(bars).mark_rect(fill=style.BLUE, tooltip=None).encode(**at.box()),
        at.texts(numbers, align="right"),
    ]


def _chances(
    trace: FewShot, left: float, wide: float, gap: float, at: _Canvas, large: float
) -> list[alt.Chart]:
    """Over each column its letter, and how likely the question is of this kind."""
    scale, chances = at.scale, trace.probabilities.astype(float)
    x = left + np.arange(len(chances)) * (wide + gap)
    back = pd.DataFrame({"left": x, "right": x + wide, "top": 26 * scale, "bottom": 36 * scale})
    full = back.assign(right=x + wide * chances)
    letters = [told.LETTERS[label] for label in range(len(chances))]
    named = pd.DataFrame({"x": x, "y": 12.0 * scale, "text": letters})
    said = [f"{chance:.0%}" for chance in chances]
    asked = pd.DataFrame({"x": [0.0], "y": [30.0 * scale], "text": ["Which kind is this?"]})
    return [
        alt.Chart(back)
        .mark_rect(fill=style.INK, fillOpacity=style.FAINT, tooltip=None)
        .encode(**at.box()),
        alt.Chart(full).mark_rect(fill=style.VERMILION, tooltip=None).encode(**at.box()),
        at.texts(named, align="left", fontWeight=600, size=style.LARGE),
        at.texts(named.assign(x=x + wide, text=said), align="right"),
        at.texts(asked, align="left", size=style.BASE),
    ]


def formula(trace: FewShot, layer: int) -> str:
    """The weights of the question in one attention block, summed by kind."""
    terms = [
        rf"\underbrace{{{share:.2f}}}_{{\text{{{told.LETTERS[label]}}}}}"
        for label, share in enumerate(trace.by_label(layer))
    ]
    itself = rf"\underbrace{{{trace.looked(layer)[-1]:.2f}}}_{{\text{{itself}}}}"
    return (
        r"\alpha_{?i} = \underset{i \le ?}{\mathrm{softmax}}"
        r"\left(\frac{q_? \cdot k_i}{\sqrt{d}}\right), \qquad \sum_i \alpha_{?i} = "
        rf"{' + '.join((*terms, itself))} = 1"
    )


@drawn
def comparison(rows: Sequence[Mapping[str, Any]], *, room: Room = PAGE) -> style.AnyChart:
    """Both kinds of blocks, and each alone: right answers with one example and with five."""
    scale = room.scale
    splits = list(told.PUBLISHED)
    frame = pd.DataFrame(
        [
            {
                "blocks": row["blocks"],
                "examples": split,
                "right": 100 * row[split],
                "said": f"{row[split]:.1%}",  # rounded as in the text below
            }
            for row in rows
            for split in splits
        ]
    )
    base = alt.Chart(frame).encode(
        y=alt.Y(
            "blocks:N",
            sort=None,
            axis=style.axis(scale=scale, title=None, grid=False, labelLimit=180 * scale),
        ),
        yOffset=alt.YOffset("examples:N", sort=splits),
        x=alt.X(
            "right:Q",
            scale=alt.Scale(domain=[0, 112]),
            axis=style.axis(scale=scale, title="right answers in percent", values=[0, 20, 50, 100]),
        ),
    )
    colour = alt.Color(
        "examples:N",
        scale=alt.Scale(domain=splits, range=[style.BLUE, style.VERMILION]),
        legend=alt.Legend(
            orient="top", title=None, labelFontSize=style.font(scale, style.SMALL),
            labelLimit=0,
        ),
    )  # fmt: skip
    numbers = base.mark_text(
        align="left", dx=4 * scale, color=style.INK, fontSize=style.font(scale, style.SMALL)
    )
    return style.layered(
        base.mark_bar().encode(color=colour, tooltip=["blocks:N", "examples:N", "right:Q"]),
        numbers.encode(text="said:N"),
    ).properties(
        autosize=style.PAD,
        width=min(room.width - 240 * scale, 620 * scale),
        height=150 * scale,
        description="; ".join(
            f"{row['blocks']} {row[splits[0]]:.1%} and {row[splits[1]]:.1%}" for row in rows
        ),
    )

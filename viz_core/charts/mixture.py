"""c_t in the making: both readers' states, the weights, the weighted states, and their sum."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room, word_width
from viz_core.charts.recurrent import x_at, y_at
from viz_core.traces.mixture import MixtureTrace

PARTS = 5  # numbers shown of each reader's state
MARGIN, CELL, COLUMN = 132, 13, 62  # pixels beside, of a number, of a word at most
WORDS, BARS, GAP, SUM = 54, 54, 20, 90  # pixels over the states, of the weights, between, for c_t


def finding(trace: MixtureTrace) -> str:
    """What the sum is made of, and which word it leads to."""
    top = int(trace.weights.argmax())
    source, word = style.readable(trace.source[top]), style.readable(trace.target[trace.step])
    first = style.shown(trace.tokens)[int(np.argmax(trace.after))]
    said = f"For {word}, {trace.weights[top]:.0%} of c_t comes from {source}"
    if not trace.moved:
        return f"{said}; the word that follows is {first}, {max(trace.after):.2f}"
    was = style.shown(trace.tokens)[int(np.argmax(trace.before))]
    now = f"now the likeliest word is {first}, {max(trace.after):.2f}"
    return f"{said}; {now}" + (f", in place of {was}" if first != was else ", as before")


@drawn
def mixture(trace: MixtureTrace, chosen: int, *, room: Room = PAGE) -> style.AnyChart:
    """A column a source token: forward and backward state joined, its weight, their product.

    Clicking a column sets the selection "column" to {key}. Colour is the number itself, from -1 to
    1, the same above and below: what has a small weight fades. The chosen weight is vermilion.
    """
    scale, count = room.scale, len(trace.source)
    margin, total = MARGIN * scale, SUM * scale
    wide = min((room.width - margin - total) / count, COLUMN * scale)
    words, bars, gap, cell = (each * scale for each in (WORDS, BARS, GAP, CELL))
    tall = 2 * PARTS * cell + 4 * scale
    tops = {"states": words, "bars": words + tall + gap, "sum": words + tall + bars + 2 * gap}
    width, height = margin + count * wide + total, tops["sum"] + tall + 2
    cells = _cells(trace, tops, margin, wide, cell, scale)
    x, y = x_at("x", width), y_at("y", height)
    clicked = alt.selection_point(name="column", fields=["key"], on="click", empty=False)
    squares = (
        alt.Chart(cells)
        .mark_rect(stroke=style.INK, strokeWidth=0.5, strokeOpacity=0.25)
        .encode(
            x=x,
            x2="x2:Q",
            y=y,
            y2="y2:Q",
            color=alt.Color("value:Q", scale=style.difference_scale(), legend=None),
            tooltip=["what:N", alt.Tooltip("value:Q", format=".3f")],
        )
        .add_params(clicked)
    )
    joined = _frames(trace, tops["states"], margin, wide, tall)
    frames = (
        alt.Chart(joined)
        .mark_rect(fillOpacity=0, stroke=style.INK, strokeWidth=1.5 * scale, tooltip=None)
        .encode(x="x:Q", x2="x2:Q", y="y:Q", y2="y2:Q")
    )
    weights = _weights(trace, chosen, tops["bars"], margin, wide, bars)
    upright = (
        alt.Chart(weights)
        .mark_rect()
        .encode(
            x="x:Q",
            x2="x2:Q",
            y="y:Q",
            y2="y2:Q",
            color=alt.condition("datum.chosen", alt.value(style.VERMILION), alt.value(style.BLUE)),
            tooltip=["word:N", alt.Tooltip("weight:Q", format=".3f")],
        )
    )
    small = style.font(scale, style.SMALL)
    figures = (
        alt.Chart(weights[weights["weight"] >= (0.005 if wide > 26 * scale else 0.05)])
        .mark_text(fontSize=small, baseline="bottom", color=style.INK, dy=-2)
        .encode(x="middle:Q", y="y:Q", text=alt.Text("weight:Q", format=".2f"))
    )
    upright_words = word_width(style.shown(trace.source), small) > wide
    labels = (
        alt.Chart(weights)
        .mark_text(
            fontSize=small,
            color=style.INK,
            angle=315 if upright_words else 0,
            align="left" if upright_words else "center",
            limit=80 * scale,
        )
        .encode(x="middle:Q", y=alt.YDatum(words - 12 * scale), text="word:N")
    )
    side: list[tuple[str, float, float]] = [
        ("reader → forward", tops["states"] + PARTS * cell / 2, 0),
        ("reader ← backward", tops["states"] + PARTS * cell * 1.5 + 4 * scale, 0),
        ("weights a_tj", tops["bars"] + bars / 2, 0),
        ("a_tj times state", tops["sum"] + tall / 2, 0),
        ("c_t = Σ", tops["sum"] - 9 * scale, margin + count * wide + total * 0.2),
    ]
    names = (
        alt.Chart(pd.DataFrame(side, columns=["text", "y", "x"]))
        .mark_text(align="left", fontSize=small, color=style.INK, tooltip=None)
        .encode(x="x:Q", y="y:Q", text="text:N")
    )
    return style.layered(squares, frames, upright, figures, labels, names).properties(
        width=width,
        height=height,
        autosize=style.PAD,
        view=alt.ViewBackground(strokeOpacity=0),
        description=finding(trace),
    )


def _cells(
    trace: MixtureTrace,
    tops: dict[str, float],
    margin: float,
    wide: float,
    cell: float,
    scale: float,
) -> pd.DataFrame:
    """A row a number: the states, the weighted states under them, and the sum at the right."""
    half = trace.forward.shape[1]
    parts = [*range(PARTS), *range(half, half + PARTS)]
    states, rows = trace.states[:, parts], []
    for key, word in enumerate(style.shown(trace.source)):
        for row, value in enumerate(states[key]):
            left, drop = margin + key * wide, row * cell + (4 * scale if row >= PARTS else 0)
            box = {"x": left + 1, "x2": left + wide - 1, "key": key}
            name = f"number {row % PARTS + 1} of {'backward' if row >= PARTS else 'forward'}"
            for where, factor in (("states", 1.0), ("sum", float(trace.weights[key]))):
                top = tops[where] + drop
                said = f"{word}, {name}" + ("" if where == "states" else ", times its weight")
                rows.append(
                    {**box, "y": top, "y2": top + cell, "value": factor * value, "what": said}
                )
    left = margin + len(trace.source) * wide + SUM * scale * 0.2
    for row, value in enumerate(trace.context[parts]):
        top = tops["sum"] + row * cell + (4 * scale if row >= PARTS else 0)
        box = {"x": left, "x2": left + SUM * scale * 0.6, "y": top, "y2": top + cell, "key": -1}
        rows.append({**box, "value": float(value), "what": "c_t"})
    return pd.DataFrame(rows)


def _frames(trace: MixtureTrace, top: float, margin: float, wide: float, tall: float) -> Any:
    """One frame round both states of a token: the two readers are joined."""
    keys = np.arange(len(trace.source))
    return pd.DataFrame(
        {
            "x": margin + keys * wide,
            "x2": margin + (keys + 1) * wide,
            "y": top - 1,
            "y2": top + tall + 1,
        }
    )


def _weights(
    trace: MixtureTrace, chosen: int, top: float, margin: float, wide: float, bars: float
) -> pd.DataFrame:
    keys = np.arange(len(trace.source))
    middle = margin + (keys + 0.5) * wide
    return pd.DataFrame(
        {
            "word": style.shown(trace.source),
            "weight": trace.weights.astype(float),
            "chosen": keys == chosen,
            "middle": middle,
            "x": middle - wide * 0.35,
            "x2": middle + wide * 0.35,
            "y": top + bars * (1 - trace.weights.astype(float)),
            "y2": top + bars,
        }
    )


def formulas(trace: MixtureTrace, key: int) -> list[str]:
    """The sum with its largest terms, and what happens to the other weights when one is moved."""
    top = np.argsort(-trace.weights)[:3]
    terms = " + ".join(rf"{trace.weights[j]:.2f}\,h_{{{j + 1}}}" for j in top)
    first = " + ".join(rf"{trace.weights[j]:.2f}\cdot({trace.forward[j, 0]:.2f})" for j in top)
    said = [
        rf"c_t = \sum_j a_{{tj}} h_j = {terms} + \dots,"
        r"\quad h_j = [\overrightarrow{h}_j; \overleftarrow{h}_j]",
        rf"c_{{t,1}} = {first} + \dots = {float(trace.context[0]):.2f}",
    ]
    if trace.moved and trace.own[key] < 0.9995:
        left = (1 - float(trace.weights[key])) / (1 - float(trace.own[key]))
        said.append(
            rf"a'_{{tj}} = a_{{tj}}\,\frac{{1 - {trace.weights[key]:.2f}}}"
            rf"{{1 - {trace.own[key]:.2f}}} = {left:.2f}\,a_{{tj}} \quad (j \neq {key + 1})"
        )
    return said

"""Gates under a text, and one gate small enough to be worked by hand."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.recurrent import SPACE, seen, x_at, y_at
from viz_core.traces.characters import GateTrace

LINE = 46  # characters in a line of text
MEANING = (
    "An open gate (1) lets the new value in, a closed one (0) keeps the old. A GRU does this with "
    "$g = 1 - z_t$ for each of its units; an LSTM has two gates, one to keep and one to let in."
)
SIDE, TALL, MARGIN, OVER, UNDER = 20, 17, 150, 28, 16  # pixels of a cell, and around a line


def finding(trace: GateTrace, names: Sequence[str], values: NDArray[np.floating]) -> str:
    """Where each row is highest, in words."""
    places = [int(row.argmax()) for row in values]
    return "; ".join(
        f"{name}: highest at {seen(trace.tokens[place])}, position {place + 1}, {row[place]:.2f}"
        for name, place, row in zip(names, places, values, strict=True)
    )


def guesses(trace: GateTrace, at: int) -> tuple[list[str], tuple[float, ...]]:
    """What is expected after a character: labels and probabilities."""
    guess = trace.predictions[at]
    return [seen(token) for token in guess.tokens], guess.probabilities


def _characters(trace: GateTrace, part: slice, block: float, scale: float) -> pd.DataFrame:
    """A row a character: where it stands, and what the model expected and expects."""
    shown = trace.tokens[part]
    place = np.arange(len(shown))
    told = [
        ", ".join(f"{token} {chance:.2f}" for token, chance in zip(*guesses(trace, i), strict=True))
        for i in range(part.start, part.stop)
    ]
    left = (MARGIN + (place % LINE) * SIDE) * scale
    return pd.DataFrame(
        {
            "character": [seen(token) for token in shown],
            "position": place + part.start,
            "column": place % LINE,
            "expected": np.round(trace.expected[part], 3),
            "next": told,
            "left": left,
            "right": left + SIDE * scale,
            "centre": left + SIDE * scale / 2,
            "top": (place // LINE) * block,
        }
    )


@drawn
def gate_strip(
    trace: GateTrace,
    names: Sequence[str],
    values: NDArray[np.floating],
    at: int | None = None,
    *,
    scale: float = 1.0,
    limit: int = 6 * LINE,
) -> style.AnyChart:
    """The text in lines, and under each character a cell for each row of values.

    `values` is (row, token), gates in [0, 1] or states in [-1, 1]. Hovering a cell tells its value
    and what the model expects next; `at` frames a character.
    """
    part = style.part(len(trace.tokens), limit, at)
    count = part.stop - part.start
    block = (OVER + len(names) * TALL + UNDER) * scale
    wide, high = (MARGIN + SIDE * min(count, LINE)) * scale, block * ((count - 1) // LINE + 1)
    characters = _characters(trace, part, block, scale)
    rows = [
        characters.assign(
            row=name,
            weight=np.round(values[i, part], 3),
            top=characters["top"] + (OVER + i * TALL) * scale,
        )
        for i, name in enumerate(names)
    ]
    cells = pd.concat(rows)
    cells["bottom"] = cells["top"] + TALL * scale
    box = {
        "x": x_at("left", wide),
        "x2": alt.X2("right:Q"),
        "y": y_at("top", high),
        "y2": alt.Y2("bottom:Q"),
    }
    expects = [
        alt.Tooltip("character:N"),
        alt.Tooltip("expected:Q", title="was expected with", format=".3f"),
        alt.Tooltip("next:N", title="expects next"),
    ]
    value = [alt.Tooltip("row:N"), alt.Tooltip("weight:Q", title="value", format=".3f")]
    colour = alt.Color("weight:Q", scale=style.difference_scale(), legend=None)
    faint = alt.condition(f"datum.character == '{SPACE}'", alt.value(0.35), alt.value(1))
    layers = [
        alt.Chart(cells)
        .mark_rect(stroke=style.INK, strokeOpacity=style.FAINT, strokeWidth=0.75)
        .encode(**box, color=colour, tooltip=[*value, *expects]),
        alt.Chart(characters)
        .mark_text(fontSize=style.font(scale, style.LARGE), dy=15 * scale, color=style.INK)
        .encode(
            x=x_at("centre", wide),
            y=y_at("top", high),
            text=alt.Text("character:N"),
            opacity=faint,
            tooltip=expects,
        ),
        _row_names(cells[cells["column"] == 0], wide, high, scale),
    ]
    if at is not None:
        now = characters[characters["position"] == at]
        frame = alt.Chart(now.assign(bottom=now["top"] + block - 12 * scale))
        layers.append(
            frame.mark_rect(
                fillOpacity=0, stroke=style.VERMILION, strokeWidth=2.5 * scale, tooltip=None
            ).encode(**box)
        )
    note = style.part_note("characters", part, len(trace.tokens))
    return style.layered(*layers).properties(
        title=style.title("", note, scale),
        width=wide,
        height=high,
        description=finding(trace, names, values),
    )


def _row_names(first: pd.DataFrame, wide: float, high: float, scale: float) -> alt.Chart:
    """The names of the rows, before each line."""
    return (
        alt.Chart(first)
        .mark_text(
            align="right",
            dx=-8 * scale,
            dy=TALL / 2 * scale,
            baseline="middle",
            fontSize=style.font(scale, style.SMALL),
            color=style.INK,
            limit=(MARGIN - 8) * scale,
        )
        .encode(x=x_at("left", wide), y=y_at("top", high), text=alt.Text("row:N"))
    )


# ---- by hand ----------------------------------------------------------------------------------


def finding_by_hand(gate: Sequence[float], result: Sequence[float]) -> str:
    """What comes out, and from where."""
    return "The result is " + ", ".join(
        f"{value:g} ({source(opening)})" for opening, value in zip(gate, result, strict=True)
    )


def source(opening: float) -> str:
    return "new" if opening == 1 else "old" if opening == 0 else "mixed"


@drawn
def by_hand(
    rows: NDArray[np.floating], result: NDArray[np.floating], *, scale: float = 1.0
) -> style.AnyChart:
    """The rows g, x and s and what comes out: what the gate lets through is blue."""
    names = ["gate g", "new x", "old s", "g·x + (1−g)·s"]
    gate = rows[0]
    shares = [gate, gate, 1 - gate, np.ones_like(gate)]
    frame = pd.DataFrame(
        [
            {
                "row": row,
                "column": column,
                "number": f"{value:g}",
                "weight": float(shares[row][column]),
                "from": source(gate[column]) if row == 3 else "",
            }
            for row, values in enumerate((*rows, result))
            for column, value in enumerate(values)
        ]
    )
    side = 78 * scale
    labels = style.token_axis(names, orient="left", scale=scale, step=side)
    base = alt.Chart(frame).encode(
        x=alt.X("column:O", axis=None, scale=alt.Scale(padding=0.04)),
        y=alt.Y("row:O", axis=labels, scale=alt.Scale(padding=0.08)),
    )
    colour = alt.Color("weight:Q", scale=style.weight_scale(), legend=None)
    ink = style.cell_ink()
    layers = [
        base.mark_rect(stroke=style.INK, strokeOpacity=0.3, cornerRadius=3).encode(color=colour),
        base.mark_text(fontSize=style.font(scale, 22), fontWeight=600, tooltip=None).encode(
            text=alt.Text("number:N"), color=ink
        ),
        base.mark_text(dy=18 * scale, fontSize=style.font(scale, 11), tooltip=None).encode(
            text=alt.Text("from:N"), color=ink
        ),
    ]
    said = finding_by_hand(gate.tolist(), result.tolist())
    return style.layered(*layers).properties(
        width=side * len(gate), height=60 * 4 * scale, description=said
    )

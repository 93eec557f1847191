"""Accuracy of a head on frozen states by the number of examples, beside a fine-tuned model."""

from __future__ import annotations

import altair as alt
import pandas as pd

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.traces.frozen import FrozenTrace

CAUTION = (
    "Our own short sentences, a third of them only to try on: easier than real reviews. The band "
    "goes from the worst to the best of eight draws. The fine-tuned BERT learned from phrases of "
    "film reviews (SST-2), never from these. Pairs are read as [CLS] A [SEP] B [SEP]; no model was "
    "tuned for them."
)


def finding(trace: FrozenTrace, tuned: float | None) -> str:
    """The first and the last point of the curve, and the model that was tuned as a whole."""
    means = trace.accuracies.mean(axis=0)
    told = (
        f"A head on frozen states is right on {means[0]:.0%} of {trace.tried} with "
        f"{trace.sizes[0]} examples and on {means[-1]:.0%} with {trace.sizes[-1]}"
    )
    return told if tuned is None else f"{told}; the fine-tuned BERT on {tuned:.0%}"


@drawn
def curve(trace: FrozenTrace, tuned: float | None, *, room: Room = PAGE) -> style.AnyChart:
    """The mean of several draws of examples, with the worst and the best draw as a band."""
    scale = room.scale
    frame = pd.DataFrame(
        {
            "examples": trace.sizes,
            "accuracy": trace.accuracies.mean(axis=0),
            "low": trace.accuracies.min(axis=0),
            "high": trace.accuracies.max(axis=0),
        }
    )
    x = alt.X(
        "examples:Q",
        scale=alt.Scale(type="log", base=2, nice=False),
        axis=style.axis("labelled examples", scale, values=list(trace.sizes), format="d"),
    )
    axis = style.axis("right on sentences never seen", scale, format=".0%")
    y = alt.Y("accuracy:Q", scale=alt.Scale(domain=[0.3, 1.0], clamp=True), axis=axis)
    shares = [alt.Tooltip(f"{name}:Q", format=".2f") for name in ("accuracy", "low", "high")]
    base = alt.Chart(frame)
    band = base.mark_area(opacity=0.2, color=style.BLUE).encode(x=x, y=alt.Y("low:Q"), y2="high:Q")
    line = base.mark_line(
        color=style.BLUE,
        strokeWidth=3 * scale,
        point=alt.OverlayMarkDef(size=90 * scale, color=style.BLUE),
    ).encode(x=x, y=y, tooltip=["examples:Q", *shares])
    levels = pd.DataFrame(
        [
            {"accuracy": 0.5, "name": "guessing"},
            *([] if tuned is None else [{"accuracy": tuned, "name": "fine-tuned"}]),
        ]
    )
    rules = alt.Chart(levels).mark_rule(
        color=style.VERMILION, strokeWidth=2.5 * scale, strokeDash=[7, 4]
    )
    names = alt.Chart(levels).mark_text(
        align="right", dy=-9 * scale, color=style.INK, fontSize=style.font(scale, style.SMALL)
    )
    wide = min(room.width - 90 * scale, 760 * scale)
    return style.layered(
        band,
        rules.encode(y=y),
        line,
        names.encode(y=y, x=alt.value(wide), text="name:N"),
    ).properties(
        width=wide,
        height=min(room.height - 70 * scale, 300 * scale),
        autosize=style.PAD,
        description=finding(trace, tuned),
    )


def formula(trace: FrozenTrace) -> str:
    """The head on a frozen BERT, in LaTeX."""
    return (
        r"P = \sigma(w \cdot \bar v + b),\quad \bar v = \tfrac1n\textstyle\sum_i v_i,\quad"
        rf"{trace.width} + 1\text{{ numbers learned, all of BERT kept}}"
    )

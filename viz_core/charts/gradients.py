"""What a loss still hears of earlier inputs, over their distance, on a logarithmic scale."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.traces.gradients import GradientTrace

FADED, GROWN = 1e-3, 1e3  # of the last gradient: it has vanished, it has exploded
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LEAST, MOST = 1e-16, 1e16  # of the axis


def _told(name: str, kept: float) -> str:
    does = "vanishes in" if kept < FADED else "explodes in" if kept > GROWN else "gets through"
    named = name if name.islower() else f"the {name}"  # attention needs no article
    return f"{does} {named} (times {factor(kept)})"


def factor(value: float) -> str:
    """A number of any size as it is said aloud: 4,200, or 0.13, or 3 · 10⁻⁹."""
    if GROWN * 1000 > value >= FADED:
        return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"
    digits, exponent = f"{value:.0e}".split("e")
    return f"{digits} · 10{str(int(exponent)).translate(RAISED)}"


def finding(trace: GradientTrace) -> str:
    """What is left of the first input's gradient in each network."""
    steps = trace.norms.shape[1] - 1
    told = (_told(name, trace.kept(number)) for number, name in enumerate(trace.names))
    return f"Over {steps} steps the gradient {', '.join(told)}"


@drawn
def curves(trace: GradientTrace, *, room: Room = PAGE) -> style.AnyChart:
    """A line a network: distance from the loss to the right, the size of the gradient up."""
    scale, count = room.scale, trace.norms.shape[1]
    frame = pd.DataFrame(
        {
            "distance": np.tile(np.arange(count)[::-1], len(trace.names)),
            "gradient": trace.norms.clip(LEAST, MOST).ravel(),
            "network": np.repeat(trace.names, count),
        }
    )
    names = list(trace.names)
    legend = style.legend(None, scale, symbolStrokeWidth=3 * scale, orient="top")
    low, high = frame["gradient"].min(), frame["gradient"].max()
    return (
        alt.Chart(frame, description=finding(trace))
        .mark_line(strokeWidth=3 * scale)
        .encode(
            x=alt.X("distance:Q", axis=style.axis("steps between the input and the loss", scale)),
            y=alt.Y(
                "gradient:Q",
                scale=alt.Scale(type="log", domain=[min(low, 1e-6), max(high, 10.0)]),
                axis=style.axis("|d loss / d x|", scale, format=".0e", tickCount=6),
            ),
            color=alt.Color(
                "network:N",
                scale=alt.Scale(domain=names, range=list(style.HEADS[: len(names)])),
                legend=legend,
            ),
            strokeDash=alt.StrokeDash(
                "network:N",
                scale=alt.Scale(domain=names, range=[[1, 0], [8, 4], [2, 3]]),
                legend=None,
            ),
            tooltip=["network:N", "distance:Q", alt.Tooltip("gradient:Q", format=".2e")],
        )
        .properties(
            width=min(room.width - 90 * scale, 860 * scale),
            height=min(room.height - 80 * scale, 300 * scale),
            autosize=style.PAD,
        )
    )


def formula(trace: GradientTrace) -> str:
    """The product of matrices behind the curve of the plain net, and its bound with this scale.

    The slope of tanh, 1 - h^2, is 1 at most: it can only make the product smaller.
    """
    steps = trace.norms.shape[1] - 1
    return (
        r"\frac{\partial\, loss_T}{\partial x_1} = \frac{\partial\, loss_T}{\partial h_T}"
        r"\Bigl( \prod_{t=2}^{T} \mathrm{diag}(1 - h_t^2)\, W_{hh} \Bigr)"
        r"\, \mathrm{diag}(1 - h_1^2), \quad"
        rf"\Bigl\| \prod_{{t=2}}^{{T}} \cdots \Bigr\| \le \|W_{{hh}}\|^{{T-1}}"
        rf" = {trace.scale:g}^{{{steps}}} = {_latex(trace.scale**steps)}"
    )


def _latex(value: float) -> str:
    digits, _, exponent = factor(value).partition(" · 10")
    level = exponent.translate({up: down for down, up in RAISED.items()})
    return rf"{digits} \cdot 10^{{{level}}}" if level else digits.replace(",", "{,}")

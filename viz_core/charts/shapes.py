"""A recurrent net unrolled over its steps, whatever its shape: inputs, layers, outputs, losses."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.recurrent import x_at, y_at
from viz_core.traces.shapes import ShapeTrace

NOTHING = "."
UNITS = 6  # units drawn of each state
TIP = 5  # pixels from the middle of an arrow's tip to its end
MARGIN, COLUMN, BOX, GAP, TOP = 96, 118, 40, 26, 26  # pixels


def finding(trace: ShapeTrace) -> str:
    """What went in and came out, and whether it is right."""
    right = "right" if trace.said == trace.wanted else f"wrong: {trace.wanted.strip(NOTHING)} is"
    given, said = trace.given.strip(NOTHING), trace.said.strip(NOTHING)
    return f"{given} gives {said}, {right}; loss {sum(trace.losses):.2f} over all steps"


def said(trace: ShapeTrace, kind: str, task: str) -> str:
    """What this shape is for, and how well the net does."""
    asked = sum(sign != NOTHING for sign in trace.wanted)
    return (
        f"where lines come in and go out: {kind}. Task: {task}. {finding(trace)}. It learned in "
        f"{len(trace.curve)} updates, the loss from {trace.curve[0]:.2f} to {trace.curve[-1]:.2f}; "
        f"{trace.accuracy:.0%} of 200 fresh draws are right. Loss is counted at {asked} of "
        f"{len(trace.given)} steps."
    )


@drawn
def unrolled(trace: ShapeTrace, *, room: Room = PAGE) -> style.AnyChart:
    """A column a step: the input below, a box a layer, above it the output with its chance and its
    loss. A step without input or output has no box there."""
    scale, steps, depth = room.scale, len(trace.given), len(trace.states)
    margin, top = MARGIN * scale, TOP * scale
    column = min(COLUMN * scale, (room.width - margin) / steps)
    rows = depth + 2
    gap = GAP * scale
    box = min(BOX * scale, (room.height - top) / rows - gap)
    wide, high = margin + column * steps, top + rows * (box + gap)

    def y(row: int) -> float:
        return top + row * (box + gap)

    boxes: list[Any] = []
    words: list[Any] = []
    lines: list[Any] = []
    for step in range(steps):
        left, right = margin + step * column, margin + (step + 0.72) * column
        middle = (left + right) / 2
        if trace.wanted[step] != NOTHING:
            boxes.append((left, right, y(0), y(0) + box, trace.probabilities[step], "output"))
            words.append((middle, y(0) + box / 2, trace.said[step], 16))
            loss = f"p {trace.probabilities[step]:.2f}, loss {trace.losses[step]:.2f}"
            words.append((middle, y(0) - 10 * scale, loss, 11))
            lines.append((middle, y(1), middle, y(0) + box))
        for layer in range(depth):
            row = depth - layer
            for unit in range(UNITS):
                x = left + (right - left) * unit / UNITS
                value = float(trace.states[layer, step, unit])
                part = (x, x + (right - left) / UNITS, y(row), y(row) + box, value, "state")
                boxes.append(part)
            if step + 1 < steps:
                middle_y = y(row) + box / 2
                lines.append((right, middle_y, left + column, middle_y))
            if layer:
                lines.append((middle, y(row + 1), middle, y(row) + box))
        if trace.given[step] != NOTHING:
            boxes.append((left, right, y(depth + 1), y(depth + 1) + box, 0.0, "input"))
            words.append((middle, y(depth + 1) + box / 2, trace.given[step], 16))
            lines.append((middle, y(depth + 1), middle, y(depth) + box))
    names = ["output", *(f"h, layer {layer}" for layer in range(depth, 0, -1)), "input"]
    words += [(margin / 2 - 6, y(row) + box / 2, name, 12) for row, name in enumerate(names)]
    return style.layered(
        *_lines(lines, wide, high, scale),
        _boxes(boxes, wide, high),
        _words(words, wide, high, scale),
    ).properties(
        width=wide,
        height=high,
        autosize=style.PAD,
        view=alt.ViewBackground(strokeOpacity=0),
        description=finding(trace),
    )


def _boxes(boxes: list[Any], w: float, h: float) -> alt.Chart:
    frame = pd.DataFrame(boxes, columns=["x", "x2", "y", "y2", "value", "what"])
    return (
        alt.Chart(frame)
        .mark_rect(stroke=style.INK, strokeWidth=1, strokeOpacity=0.5)
        .encode(
            x=x_at("x", w),
            y=y_at("y", h),
            x2="x2:Q",
            y2="y2:Q",
            color=alt.Color("value:Q", scale=style.difference_scale(1.3), legend=None),
            tooltip=["what:N", alt.Tooltip("value:Q", format=".2f")],
        )
    )


def _lines(lines: list[Any], w: float, h: float, scale: float) -> tuple[alt.Chart, alt.Chart]:
    """Arrows: from the input up, and from each step to the next."""
    frame = pd.DataFrame(lines, columns=["x", "y", "x2", "y2"])
    up = frame["x"] == frame["x2"]  # or on to the next step
    frame["turn"] = np.where(up, 0, 90)
    frame["tip"] = frame["x2"] - np.where(up, 0, TIP * scale)
    frame["point"] = frame["y2"] + np.where(up, TIP * scale, 0)
    base = alt.Chart(frame)
    line = base.mark_rule(color=style.INK, strokeWidth=2 * scale, tooltip=None)
    tip = base.mark_point(
        shape="triangle", filled=True, color=style.INK, opacity=1, size=70 * scale**2, tooltip=None
    )
    return (
        line.encode(x=x_at("x", w), y=y_at("y", h), x2="x2:Q", y2="y2:Q"),
        tip.encode(
            x=x_at("tip", w), y=y_at("point", h), angle=alt.Angle("turn:Q", scale=None, legend=None)
        ),
    )


def _words(words: list[Any], w: float, h: float, scale: float) -> alt.Chart:
    frame = pd.DataFrame(words, columns=["x", "y", "text", "size"])
    frame["size"] = [style.font(scale, size) for size in frame["size"]]
    return (
        alt.Chart(frame)
        .mark_text(color=style.INK, tooltip=None)
        .encode(
            x=x_at("x", w),
            y=y_at("y", h),
            text="text:N",
            size=alt.Size("size:Q", scale=None, legend=None),
        )
    )


def formulas(trace: ShapeTrace) -> list[str]:
    """One unit of the last step: state and input joined, one matrix, a bias; and the total loss."""
    state, given, bias = (float(part) for part in trace.parts[-1])
    value = float(np.tanh(state + given + bias))
    parts = {"W_h h_{t-1}": state, "W_x x_t": given, "b": bias}
    inside = " + ".join(
        rf"\underbrace{{{_signed(part)}}}_{{{name}}}" for name, part in parts.items()
    )
    losses = [
        loss for loss, sign in zip(trace.losses, trace.wanted, strict=True) if sign != NOTHING
    ]
    terms = " + ".join(f"{loss:.3f}" for loss in losses)  # of two digits all would be nought
    return [
        r"h_t = \tanh(W\,[h_{t-1}; x_t] + b),\quad W = [W_h\ W_x]:\quad "
        rf"h_{{{len(trace.given)},1}} = \tanh\bigl( {inside} \bigr) = {value:.2f}",
        rf"loss = \sum_t -\ln p_t = {terms} = {sum(losses):.3f}",
    ]


def _signed(value: float) -> str:
    return f"({value:.2f})" if value < 0 else f"{value:.2f}"

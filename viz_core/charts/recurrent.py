"""A plain recurrent network unrolled over a word, and the loss while it learns to spell it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.traces.characters import LearningTrace

SPACE = "␣"  # a space that is seen


def x_at(field: str, wide: float) -> alt.X:
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, wide], nice=False), axis=None)


def y_at(field: str, high: float) -> alt.Y:
    return alt.Y(f"{field}:Q", scale=alt.Scale(domain=[high, 0], nice=False, zero=False), axis=None)


def seen(token: str) -> str:
    return SPACE if token == " " else "¶" if token == "\n" else style.readable(token)


# ---- a word, unrolled -------------------------------------------------------------------------


def finding(trace: LearningTrace) -> str:
    """How far the lesson has come, in words."""
    right = trace.probabilities[np.arange(len(trace.word) - 1), _wanted(trace)]
    low = int(right.argmin())
    sign = "✓ learned" if trace.written == trace.word[1:] else "✗ not learned yet"
    return (
        f"After {trace.updates} updates: {seen(trace.word[0])} → {trace.written} {sign}. "
        f"Loss {trace.losses[-1]:.2f}; least sure of the {seen(trace.word[low + 1])} at step "
        f"{low + 1}, {right[low]:.2f}."
    )


def hint(trace: LearningTrace) -> str:
    """Why this word needs a memory: a letter that is followed by different ones."""
    for t, letter in enumerate(trace.word[:-1]):
        for u in range(t + 1, len(trace.word) - 1):
            first, second = trace.word[t + 1], trace.word[u + 1]
            if trace.word[u] == letter and first != second:
                return (
                    f"steps {t + 1} and {u + 1}: both read {seen(letter)}, but {seen(first)} comes "
                    f"after the one and {seen(second)} after the other. Only the hidden state "
                    "tells them apart."
                )
    return "letters with two successors: this word has none, so it needs no memory."


def _wanted(trace: LearningTrace) -> list[int]:
    return [trace.letters.index(letter) for letter in trace.word[1:]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Pixels of the unrolled network: a column a moment, three layers above each other."""

    moments: int
    letters: int
    units: int
    scale: float

    margin: ClassVar[int] = 76  # for the names of the layers
    tall: ClassVar[int] = 25  # of a cell
    gap: ClassVar[int] = 36  # between two layers
    head: ClassVar[int] = 30  # over the columns

    @property
    def pitch(self) -> float:
        """From one moment to the next: six letters fit beside the loss, more of them scroll."""
        return max(min(134.0, 590 / self.moments), 84)

    @property
    def wide(self) -> float:
        return self.pitch * 0.66

    @property
    def tops(self) -> dict[str, float]:
        hidden = self.head + self.letters * self.tall + self.gap
        return {
            "output": self.head,
            "hidden": hidden,
            "input": hidden + self.units * self.tall + self.gap,
        }

    @property
    def size(self) -> tuple[float, float]:
        wide = self.margin + self.pitch * self.moments
        return wide * self.scale, (self.tops["input"] + self.letters * self.tall + 2) * self.scale

    def left(self, moment: int) -> float:
        return self.margin + moment * self.pitch

    def rooms(self, layer: str) -> int:
        return self.units if layer == "hidden" else self.letters

    def x(self, field: str) -> alt.X:
        return x_at(field, self.size[0])

    def y(self, field: str) -> alt.Y:
        return y_at(field, self.size[1])


def _cells(trace: LearningTrace, layout: Layout) -> pd.DataFrame:
    """A row a cell: layer, time, value, label, and where it stands."""
    rows: list[tuple[str, int, int, float, str, bool]] = []
    for t, letter in enumerate(trace.word[:-1]):
        for i, name in enumerate(trace.letters):
            chance, read = float(trace.probabilities[t, i]), float(name == letter)
            wanted = name == trace.word[t + 1]
            rows.append(("output", t, i, chance, f"{seen(name)}  {chance:.2f}", wanted))
            rows.append(("input", t, i, read, f"{seen(name)}  {read:.0f}", False))
        for i, value in enumerate(trace.states[t + 1].tolist()):
            rows.append(("hidden", t, i, value, f"{value:+.2f}", False))
    columns = ["layer", "time", "place", "weight", "label", "wanted"]
    frame = pd.DataFrame(rows, columns=columns)
    left = layout.margin + frame["time"] * layout.pitch
    top = frame["layer"].map(layout.tops) + frame["place"] * layout.tall
    frame["left"], frame["right"] = left * layout.scale, (left + layout.wide) * layout.scale
    frame["top"], frame["bottom"] = top * layout.scale, (top + layout.tall) * layout.scale
    frame["centre"] = (frame["left"] + frame["right"]) / 2
    frame["middle"] = (frame["top"] + frame["bottom"]) / 2
    return frame


@drawn
def unrolled(
    trace: LearningTrace, step: int | None = None, *, scale: float = 1.0
) -> style.AnyChart:
    """The network once for each letter: one-hot input below, hidden state, probabilities above.

    The letter that should come next is framed; `step` shades a moment in time.
    """
    layout = Layout(
        moments=len(trace.word) - 1,
        letters=len(trace.letters),
        units=trace.states.shape[1],
        scale=scale,
    )
    base = alt.Chart(_cells(trace, layout))
    box = {
        "x": layout.x("left"),
        "x2": alt.X2("right:Q"),
        "y": layout.y("top"),
        "y2": alt.Y2("bottom:Q"),
    }
    colour = alt.Color("weight:Q", scale=style.difference_scale(), legend=None)
    tooltip = ["layer:N", "label:N", alt.Tooltip("weight:Q", title="value", format=".3f")]
    layers = [
        base.mark_rect(stroke=style.INK, strokeOpacity=style.FAINT).encode(
            **box, color=colour, tooltip=tooltip
        ),
        base.mark_text(fontSize=style.font(scale, 13), tooltip=None).encode(
            x=layout.x("centre"),
            y=layout.y("middle"),
            text=alt.Text("label:N"),
            color=style.cell_ink(),
        ),
        base.transform_filter("datum.wanted")
        .mark_rect(fillOpacity=0, stroke=style.VERMILION, strokeWidth=2.5 * scale, tooltip=None)
        .encode(**box),
        *_arrows(layout),
        *_headings(trace, layout),
    ]
    if step is not None:
        left, wide = layout.left(step) - 9, layout.wide + 18
        now = {"left": left * scale, "right": (left + wide) * scale, "top": 0}
        shade = alt.Chart(pd.DataFrame([{**now, "bottom": layout.size[1]}]))
        layers.insert(
            0, shade.mark_rect(color=style.INK, opacity=0.08, cornerRadius=4).encode(**box)
        )
    return style.layered(*layers).properties(
        width=layout.size[0], height=layout.size[1], description=finding(trace)
    )


def _arrows(layout: Layout) -> list[alt.Chart]:
    """Up from input to hidden to output, and on from each hidden state to the next."""
    rows: list[tuple[float, float, float, float, int]] = []  # from x, to x, from y, to y, angle
    labels: list[tuple[float, float, str]] = []
    for t in range(layout.moments):
        x = layout.left(t) + layout.wide / 2
        for low, high, name in (("hidden", "output", "W_hy"), ("input", "hidden", "W_xh")):
            end = layout.tops[high] + layout.rooms(high) * layout.tall
            rows.append((x, x, layout.tops[low] - 3, end + 5, 0))
            labels.append((x + 8, (layout.tops[low] + end) / 2, name if t == 0 else ""))
        if t + 1 < layout.moments:
            y = layout.tops["hidden"] + layout.units * layout.tall / 2
            x = layout.left(t) + layout.wide
            rows.append((x + 3, layout.left(t + 1) - 5, y, y, 90))
            labels.append((x + 5, y - 11, "W_hh" if layout.pitch - layout.wide > 38 else ""))
    lines = pd.DataFrame(rows, columns=["left", "right", "bottom", "top", "angle"])
    lines[["left", "right", "bottom", "top"]] *= layout.scale
    turned = alt.Angle("angle:Q", scale=alt.Scale(domain=[0, 360], range=[0, 360]))
    rule = alt.Chart(lines).mark_rule(color=style.INK, strokeWidth=1.5 * layout.scale, opacity=0.75)
    tip = alt.Chart(lines).mark_point(
        shape="triangle", filled=True, size=70 * layout.scale**2, color=style.INK, opacity=0.75
    )
    return [
        rule.encode(
            x=layout.x("left"), x2=alt.X2("right:Q"), y=layout.y("bottom"), y2=alt.Y2("top:Q")
        ),
        tip.encode(x=layout.x("right"), y=layout.y("top"), angle=turned),
        _texts(labels, layout, 11),
    ]


def _headings(trace: LearningTrace, layout: Layout) -> list[alt.Chart]:
    """The names of the layers, and over each column the letter that should come next."""
    sides = [
        (0.0, top + layout.rooms(layer) * layout.tall / 2, layer)
        for layer, top in layout.tops.items()
    ]
    best = trace.probabilities.argmax(axis=1)
    heads = [
        (
            layout.left(t) + layout.wide / 2 - 14,
            12.0,
            f"{seen(letter)} {'✓' if trace.letters[best[t]] == letter else '✗'}",
        )
        for t, letter in enumerate(trace.word[1:])
    ]
    return [
        _texts([*sides, (0.0, 12.0, "next letter")], layout, style.SMALL),
        _texts(heads, layout, style.LARGE),
    ]


def _texts(rows: list[tuple[float, float, str]], layout: Layout, size: int) -> alt.Chart:
    """Words at places: from the left, at half their height."""
    frame = pd.DataFrame(rows, columns=["left", "top", "label"])
    frame[["left", "top"]] *= layout.scale
    return (
        alt.Chart(frame)
        .mark_text(
            align="left",
            baseline="middle",
            fontSize=style.font(layout.scale, size),
            fontWeight=600 if size == style.LARGE else "normal",
            color=style.INK,
        )
        .encode(x=layout.x("left"), y=layout.y("top"), text=alt.Text("label:N"))
    )


@drawn
def losses(trace: LearningTrace, updates: int, *, scale: float = 1.0) -> style.AnyChart:
    """Loss after each update so far, and where guessing would stand."""
    chance = float(np.log(len(trace.letters)))
    frame = pd.DataFrame({"update": range(len(trace.losses)), "loss": np.round(trace.losses, 4)})
    top = max(chance, *trace.losses) * 1.1
    x = alt.X(
        "update:Q",
        scale=alt.Scale(domain=[0, updates], nice=False),
        axis=style.axis("updates", scale, grid=False, tickCount=5),
    )
    y = alt.Y(
        "loss:Q", scale=alt.Scale(domain=[0, top]), axis=style.axis("loss", scale, tickCount=4)
    )
    label = f"guessing: ln {len(trace.letters)}"
    guess = pd.DataFrame({"update": [updates], "loss": [chance], "label": [label]})
    small = style.font(scale, style.SMALL)
    layers = [
        alt.Chart(guess).mark_rule(strokeDash=[5, 4], color=style.INK, opacity=0.6).encode(y=y),
        alt.Chart(guess)
        .mark_text(align="right", dy=-8 * scale, fontSize=small, color=style.INK)
        .encode(x=x, y=y, text=alt.Text("label:N")),
        alt.Chart(frame).mark_line(color=style.BLUE, strokeWidth=2.5 * scale).encode(x=x, y=y),
        alt.Chart(frame.tail(1))
        .mark_point(filled=True, color=style.BLUE, size=90 * scale**2, opacity=1)
        .encode(x=x, y=y, tooltip=["update:Q", alt.Tooltip("loss:Q", format=".3f")]),
    ]
    said = f"The loss falls from {trace.losses[0]:.2f} to {trace.losses[-1]:.2f}"
    return style.layered(*layers).properties(
        width=370 * scale, height=150 * scale, description=f"{said}; guessing costs {chance:.2f}"
    )

"""A plain recurrent network unrolled over a word, and the loss while it learns to spell it."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts import style
from viz_core.traces import LearningTrace

SPACE = "␣"  # a space that is seen


def x_at(field: str, wide: float) -> alt.X:
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, wide], nice=False), axis=None)


def y_at(field: str, high: float) -> alt.Y:
    return alt.Y(f"{field}:Q", scale=alt.Scale(domain=[high, 0], nice=False, zero=False), axis=None)


def seen(token: str) -> str:
    return SPACE if token == " " else style.readable(token)


# ---- a word, unrolled -------------------------------------------------------------------------


def finding(trace: LearningTrace) -> str:
    """How far the lesson has come, in words."""
    right = trace.probabilities[np.arange(len(trace.word) - 1), _wanted(trace)]
    low = int(right.argmin())
    sign = "✓ learned" if trace.is_learned else "✗ not learned yet"
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


def _blocks(trace: LearningTrace) -> pd.DataFrame:
    """A row a cell: layer, time, place within the layer, value, label."""
    rows = []
    for t, letter in enumerate(trace.word[:-1]):
        read = trace.letters.index(letter)
        for i, name in enumerate(map(seen, trace.letters)):
            chance = float(trace.probabilities[t, i])
            rows.append(("output", t, i, chance, f"{name}  {chance:.2f}", i == _wanted(trace)[t]))
            rows.append(("input", t, i, float(i == read), f"{name}  {int(i == read)}", False))
        for i, value in enumerate(trace.states[t + 1]):
            rows.append(("hidden", t, i, float(value), f"{value:+.2f}", False))
    columns = ["layer", "time", "place", "weight", "label", "wanted"]
    return pd.DataFrame(rows, columns=columns)


def unrolled(
    trace: LearningTrace, step: int | None = None, *, scale: float = 1.0
) -> style.AnyChart:
    """The network once for each letter: one-hot input below, hidden state, probabilities above.

    The letter that should come next is framed; `step` shades a moment in time.
    """
    count = len(trace.word) - 1
    pitch = max(min(134.0, 700 / count), 92) * scale  # from one moment to the next
    wide, tall, margin, gap = pitch - 46 * scale, 25 * scale, 76 * scale, 36 * scale
    letters, units = len(trace.letters), trace.states.shape[1]
    tops = {"output": 30 * scale}
    tops["hidden"] = tops["output"] + letters * tall + gap
    tops["input"] = tops["hidden"] + units * tall + gap
    width, height = margin + pitch * count, tops["input"] + letters * tall + 2
    frame = _blocks(trace)
    frame["left"] = margin + frame["time"] * pitch
    frame["right"] = frame["left"] + wide
    frame["top"] = frame["layer"].map(tops) + frame["place"] * tall
    frame["bottom"] = frame["top"] + tall
    frame["centre"], frame["middle"] = frame["left"] + wide / 2, frame["top"] + tall / 2
    base = alt.Chart(frame)
    box = {"x": x_at("left", width), "x2": "right:Q", "y": y_at("top", height), "y2": "bottom:Q"}
    colour = alt.Color("weight:Q", scale=style.difference_scale(), legend=None)
    tooltip = ["layer:N", "label:N", alt.Tooltip("weight:Q", title="value", format=".3f")]
    layers = [
        base.mark_rect(stroke=style.INK, strokeOpacity=style.FAINT).encode(
            **box, color=colour, tooltip=tooltip
        ),
        base.mark_text(fontSize=style.font(scale, 13), tooltip=None).encode(
            x=x_at("centre", width),
            y=y_at("middle", height),
            text="label:N",
            color=style.cell_ink(),
        ),
        base.transform_filter("datum.wanted")
        .mark_rect(fillOpacity=0, stroke=style.VERMILION, strokeWidth=2.5 * scale, tooltip=None)
        .encode(**box),
        *_arrows(
            tops, (count, letters, units), (margin, pitch, wide, tall), (width, height), scale
        ),
        *_words(trace, tops, (margin, pitch, wide, tall), (width, height), scale),
    ]
    if step is not None:
        now = pd.DataFrame({"left": [margin + step * pitch - 9], "top": [0], "bottom": [height]})
        now["right"] = now["left"] + wide + 18
        shade = alt.Chart(now).mark_rect(color=style.INK, opacity=0.08, cornerRadius=4)
        layers.insert(0, shade.encode(**box))
    return style.layered(*layers).properties(width=width, height=height, description=finding(trace))


def _arrows(
    tops: dict[str, float],
    counts: tuple[int, int, int],
    sizes: tuple[float, float, float, float],
    area: tuple[float, float],
    scale: float,
) -> list[alt.Chart]:
    """Up from input to hidden to output, and on from each hidden state to the next."""
    (count, letters, units), (margin, pitch, wide, tall) = counts, sizes
    rows, labels = [], []
    for t in range(count):
        x = margin + t * pitch + wide / 2
        for low, high, rooms, name in (
            ("hidden", "output", letters, "W_hy"),
            ("input", "hidden", units, "W_xh"),
        ):
            end = tops[high] + rooms * tall
            rows.append((x, x, tops[low] - 3, end + 5 * scale, 0))
            labels.append((x + 8 * scale, (tops[low] + end) / 2, name if t == 0 else ""))
        if t + 1 < count:
            y = tops["hidden"] + units * tall / 2
            left = margin + t * pitch + wide
            rows.append((left + 3, left + pitch - wide - 5 * scale, y, y, 90))
            labels.append((left + 5 * scale, y - 11 * scale, "W_hh"))
    lines = pd.DataFrame(rows, columns=["left", "right", "bottom", "top", "angle"])
    named = pd.DataFrame(labels, columns=["left", "top", "label"])
    x, y = x_at("left", area[0]), y_at("bottom", area[1])
    rule = alt.Chart(lines).mark_rule(color=style.INK, strokeWidth=1.5 * scale, opacity=0.75)
    head = alt.Chart(lines).mark_point(
        shape="triangle", filled=True, size=70 * scale**2, color=style.INK, opacity=0.75
    )
    small = {"fontSize": style.font(scale, 11), "color": style.INK, "align": "left"}
    return [
        rule.encode(x=x, x2="right:Q", y=y, y2="top:Q"),
        head.encode(
            x=x_at("right", area[0]),
            y=y_at("top", area[1]),
            angle=alt.Angle("angle:Q", scale=alt.Scale(domain=[0, 360], range=[0, 360])),
        ),
        alt.Chart(named)
        .mark_text(**small, baseline="middle", opacity=0.8)
        .encode(x=x, y=y_at("top", area[1]), text="label:N"),
    ]


def _words(
    trace: LearningTrace,
    tops: dict[str, float],
    sizes: tuple[float, float, float, float],
    area: tuple[float, float],
    scale: float,
) -> list[alt.Chart]:
    """The names of the layers, and over each column the letter that should come next."""
    margin, pitch, wide, tall = sizes
    heights = {"output": len(trace.letters), "hidden": trace.states.shape[1]}
    sides = [
        (0.0, tops[layer] + heights.get(layer, len(trace.letters)) * tall / 2, layer)
        for layer in tops
    ]
    sides.append((0.0, 12 * scale, "next letter"))
    best = trace.probabilities.argmax(axis=1)
    heads = [
        (
            margin + t * pitch + wide / 2,
            12 * scale,
            f"{seen(trace.word[t + 1])} {'✓' if best[t] == wanted else '✗'}",
        )
        for t, wanted in enumerate(_wanted(trace))
    ]
    columns = ["left", "top", "label"]

    def text(rows: list[tuple[float, float, str]], size: int, align: str, weight: int) -> alt.Chart:
        return (
            alt.Chart(pd.DataFrame(rows, columns=columns))
            .mark_text(
                fontSize=style.font(scale, size),
                align=align,
                baseline="middle",
                color=style.INK,
                fontWeight=weight,
            )
            .encode(x=x_at("left", area[0]), y=y_at("top", area[1]), text="label:N")
        )

    return [text(sides, style.SMALL, "left", 400), text(heads, style.LARGE, "center", 600)]


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
        .encode(x=x, y=y, text="label:N"),
        alt.Chart(frame).mark_line(color=style.BLUE, strokeWidth=2.5 * scale).encode(x=x, y=y),
        alt.Chart(frame.tail(1))
        .mark_point(filled=True, color=style.BLUE, size=90 * scale**2, opacity=1)
        .encode(x=x, y=y, tooltip=["update:Q", alt.Tooltip("loss:Q", format=".3f")]),
    ]
    said = f"The loss falls from {trace.losses[0]:.2f} to {trace.losses[-1]:.2f}"
    return style.layered(*layers).properties(
        width=370 * scale, height=190 * scale, description=f"{said}; guessing costs {chance:.2f}"
    )

"""Numbers beside words: probabilities, entropies, next-word guesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room, word_width
from viz_core.traces import AttentionTrace, Prediction


def finding(labels: Sequence[str], values: Sequence[float]) -> str:
    """The longest bar in words."""
    if not len(values):
        return "There is nothing to compare."
    top = int(np.nan_to_num(np.asarray(values, dtype=float), nan=-np.inf).argmax())
    return f"{style.readable(labels[top])} is highest, {values[top]:.2f}"


@drawn
def bars(
    labels: Sequence[str],
    values: Sequence[float],
    title: str = "",
    *,
    highlight: int | None = None,
    domain: tuple[float, float] | None = (0.0, 1.0),
    form: str = ".2f",
    room: Room = PAGE,
    limit: int = 30,
) -> alt.LayerChart | alt.Chart:
    """One horizontal bar a label with its number at the end, in the order given.

    `domain` is the range of probabilities unless told; None fits it to the values. Clicking a bar
    sets the selection "bar" to {position}.
    """
    scale = room.scale
    if not len(labels):
        return style.blank("There is nothing to compare.", scale)
    step, shown = room.less(height=34 if title else 0).rows(min(limit, len(labels)), 26, every=True)
    frame = pd.DataFrame(
        {"position": range(shown.stop), "label": style.shown(labels)[shown], "value": values[shown]}
    )
    frame["chosen"] = frame["position"] == highlight
    words = min(word_width(frame["label"], style.font(scale)), 150 * scale)
    full = min(260 * scale, room.width - words - 50 * scale)  # of a bar, beside word and number
    y = alt.Y(
        "position:O",
        axis=style.token_axis(labels[shown], orient="left", scale=scale, step=step),
        scale=alt.Scale(paddingInner=0.25, paddingOuter=0.1),
    )
    extent = alt.Scale(domain=list(domain), clamp=True) if domain else alt.Scale()
    x = alt.X("value:Q", scale=extent, axis=None)
    base = alt.Chart(frame).encode(y=y, x=x)
    clicked = alt.selection_point(name="bar", fields=["position"], on="click", empty=False)
    colour = alt.condition("datum.chosen", alt.value(style.VERMILION), alt.value(style.BLUE))
    marks = base.mark_bar(cornerRadiusEnd=2).encode(
        color=colour, tooltip=["label:N", alt.Tooltip("value:Q", format=".3f")]
    )
    numbers = base.mark_text(
        align="left", dx=5 * scale, fontSize=style.font(scale, style.SMALL), color=style.INK
    ).encode(text=alt.Text("value:Q", format=form))
    note = style.part_note("bars", shown, len(labels))
    chart = style.layered(marks.add_params(clicked), numbers)
    return chart.properties(
        autosize=style.PAD,
        title=style.title(title, note, scale),
        description=finding(labels, values),
        width=full,
        height=step * shown.stop,
    )


def row_entropy(
    trace: AttentionTrace,
    layer: int = 0,
    head: int | None = 0,
    unit: Literal["bits", "nats"] = "bits",
) -> list[float]:
    """H = - sum w log w of each row; a weight of zero adds nothing."""
    weights = np.nan_to_num(trace.matrix(layer, head).astype(float))
    logs = np.log(weights, where=weights > 0, out=np.zeros_like(weights))
    return list(-(weights * logs).sum(axis=1) / (np.log(2) if unit == "bits" else 1.0))


def finding_of_entropy(
    trace: AttentionTrace,
    layer: int = 0,
    head: int | None = 0,
    unit: Literal["bits", "nats"] = "bits",
) -> str:
    """The sharpest and the broadest row in words."""
    rows = row_entropy(trace, layer, head, unit)
    if not rows:
        return "There are no words to attend to."
    low, high = int(np.argmin(rows)), int(np.argmax(rows))
    words = style.shown(trace.queries)
    return (
        f"{words[low]} looks sharpest, {rows[low]:.2f} {unit}; "
        f"{words[high]} broadest, {rows[high]:.2f} {unit}"
    )


def next_word(guess: Prediction, *, room: Room = PAGE) -> alt.LayerChart | alt.Chart:
    """What a decoder expects at one place."""
    return bars(guess.tokens, guess.probabilities, "Next word", room=room)


@drawn
def entropy(
    trace: AttentionTrace,
    layer: int = 0,
    head: int | None = 0,
    *,
    unit: Literal["bits", "nats"] = "bits",
    highlight_row: int | None = None,
    room: Room = PAGE,
) -> alt.LayerChart | alt.Chart:
    """How widely each target word looks: short bars are sharp, the full width is uniform."""
    rows = row_entropy(trace, layer, head, unit)
    if not rows:
        return style.blank("There are no words to attend to.", room.scale)
    keys = max(len(trace.keys), 2)
    most = float(np.log2(keys) if unit == "bits" else np.log(keys))
    chart = bars(
        trace.queries,
        rows,
        f"Entropy of each row, {unit}",
        highlight=highlight_row,
        domain=(0.0, most),
        room=room,
        limit=style.LIMIT,
    )
    return chart.properties(description=finding_of_entropy(trace, layer, head, unit))


def finding_of_predictions(predictions: Sequence[Prediction], written: Sequence[str] = ()) -> str:
    """The surest and the least sure step in words."""
    first = [(p.probabilities[0], p.tokens[0]) for p in predictions if p.tokens]
    if not first:
        return "There are no predictions."
    high, low = max(first), min(first)
    return f"Surest word {high[1]}, {high[0]:.2f}; least sure {low[1]}, {low[0]:.2f}"


@drawn
def predictions(
    guesses: Sequence[Prediction],
    written: Sequence[str] = (),
    *,
    top: int = 5,
    room: Room = PAGE,
    limit: int = 24,
    step: int | None = None,
) -> alt.LayerChart | alt.Chart:
    """A column for each step, its likeliest words from the top down, bluer where surer.

    The word that was written is framed; `step` frames a column. Where not all steps fit, those
    around it are shown.
    """
    scale = room.scale
    if not any(guess.tokens for guess in guesses):
        return style.blank("There are no predictions.", scale)
    longest = max((len(token) for guess in guesses for token in guess.tokens[:top]), default=1)
    width, height = max(52, 8 * min(longest, 14) + 12) * scale, 42 * scale
    fitting = max(int(room.less(width=145).width / width), 1)  # beside the ranks and the legend
    part = style.part(len(guesses), min(limit, fitting), step)
    rows = [
        {
            "step": number,
            "rank": rank + 1,
            "word": style.readable(token),
            "weight": round(float(probability), 4),
            "written": number < len(written) and token == written[number],
        }
        for number, guess in list(enumerate(guesses))[part]
        for rank, (token, probability) in enumerate(
            zip(guess.tokens[:top], guess.probabilities[:top], strict=True)
        )
    ]
    frame = pd.DataFrame(rows)
    labels = [written[i] if i < len(written) else str(i + 1) for i in range(part.start, part.stop)]
    across = style.token_axis(
        labels, orient="top", scale=scale, start=part.start, step=width, angle=0
    )
    base = alt.Chart(frame).encode(
        x=alt.X("step:O", axis=across),
        y=alt.Y("rank:O", axis=style.axis("rank", scale, grid=False)),
        tooltip=["word:N", alt.Tooltip("weight:Q", title="probability", format=".3f")],
    )
    clicked = alt.selection_point(name="guess", fields=["step", "rank", "word"], empty=False)
    tiles = base.mark_rect(stroke=style.INK, strokeOpacity=style.FAINT).encode(
        color=style.weight_colour(scale=scale, title="probability")
    )
    ink = style.cell_ink()
    words = base.mark_text(fontSize=style.font(scale, 13), dy=-7 * scale, limit=width - 6).encode(
        text="word:N", color=ink
    )
    numbers = base.mark_text(fontSize=style.font(scale, 11), dy=9 * scale).encode(
        text=alt.Text("weight:Q", format=".2f"), color=ink
    )
    frames = base.transform_filter("datum.written").mark_rect(
        filled=False, stroke=style.VERMILION, strokeWidth=2.5 * scale
    )
    layers: list[alt.Chart] = [tiles.add_params(clicked), words, numbers, frames]
    if step is not None:
        now = base.transform_filter(f"datum.step == {step}")
        layers.append(now.mark_rect(filled=False, stroke=style.INK, strokeWidth=1.5 * scale))
    note = style.part_note("steps", part, len(guesses))
    chart = style.layered(*layers)
    return chart.properties(
        autosize=style.PAD,
        title=style.title("Next word, step by step", note, scale),
        description=finding_of_predictions(guesses, written),
        width=width * (part.stop - part.start),
        height=height * int(frame["rank"].max()),
    )

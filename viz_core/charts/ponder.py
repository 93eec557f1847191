"""Thinking in steps: what the question looks at in each, and how often a sentence is gone over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from viz_core.analysis import ponder as told
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import LEGEND, PAGE, Room
from viz_core.traces.ponder import PonderTrace

ROW, COLUMN, BARS = 34, 74, 200  # pixels of a sentence, of a step, of the bars, at most
SENTENCE = 430  # pixels of the longest sentence beside its row
HEADING = 96  # the title, and the words over the columns


@drawn
def thinking(
    trace: PonderTrace,
    head: int | None = None,
    *,
    until: int | None = None,
    room: Room = PAGE,
) -> style.AnyChart:
    """Sentences down, steps across: the bluer a square, the more the question looks there. Beside
    it how often each sentence is gone over. Steps after `until` are not drawn yet."""
    scale, steps = room.scale, trace.thought
    now = steps - 1 if until is None else until
    count = len(trace.sentences)
    size, rows = room.less(height=HEADING).rows(count, ROW, focus=count, every=True)
    label = min(SENTENCE, 0.42 * room.width / scale)
    left = room.width - (label + LEGEND + 30) * scale
    bars = min(BARS * scale, 0.3 * left)
    column = min(COLUMN * scale, (left - bars) / steps)
    weights = told.looked(trace, head=head)[:, rows.start : rows.stop] * (
        np.arange(steps) <= now
    )[:, None]  # fmt: skip
    sentences = trace.sentences[rows]
    names = [*sentences[:-1], f"Question: {sentences[-1]}"]
    place = np.arange(rows.start, rows.stop)
    frame = pd.DataFrame(
        {
            "step": np.repeat(np.arange(steps), len(place)),
            "row": np.tile(place, steps),
            "sentence": np.tile([style.readable(name) for name in names], steps),
            "weight": np.round(weights.ravel().astype(float), 4),
        }
    )
    frame["step of thought"] = frame["step"] + 1
    y = alt.Y(
        "row:O",
        axis=style.token_axis(
            names, orient="left", scale=scale, step=size, label=label, start=rows.start
        ),
    )
    across = style.token_axis(
        [str(step + 1) for step in range(steps)],
        orient="top", title="step of thought", scale=scale, step=column, angle=0,
    )  # fmt: skip
    squares = (
        alt.Chart(frame)
        .mark_rect(stroke=style.INK, strokeOpacity=style.FAINT, strokeWidth=0.75)
        .encode(
            x=alt.X("step:O", axis=across),
            y=y,
            color=style.weight_colour(scale=scale),
            tooltip=["sentence:N", "step of thought:Q", alt.Tooltip("weight:Q", format=".4f")],
        )
        .properties(width=column * steps, height=size * len(place))
    )
    chart = alt.hconcat(
        squares,
        _times(trace, place, names, now, bars, size, scale),
        spacing=14 * scale,
    )
    whole = now >= steps - 1
    note = style.part_note("sentences", rows, count)
    lost = f"the first {trace.left_out} facts were not read" if trace.left_out else ""
    title = f"Answer: {told.verdict(trace)}" if whole else f"Step {now + 1} of {steps}"
    return chart.properties(
        autosize=style.PAD,
        title=style.title(title, [each for each in (note, lost) if each], scale),
        description=f"{title}. {told.finding(trace, head)}" if whole else title,
    )


def _times(
    trace: PonderTrace,
    place: Any,
    names: Sequence[str],
    now: int,
    width: float,
    size: float,
    scale: float,
) -> alt.LayerChart:
    """How often each sentence is gone over, so far."""
    steps = np.minimum(np.array(trace.steps)[place], now + 1)
    frame = pd.DataFrame(
        {"row": place, "sentence": [style.readable(name) for name in names], "steps": steps}
    )
    frame["said"] = [
        f"{n}" if n < now + 1 or n == trace.steps[i] else f"{n} …"
        for i, n in zip(place, steps, strict=True)
    ]
    most = max(trace.thought, 1)
    base = alt.Chart(frame).encode(
        x=alt.X(
            "steps:Q",
            scale=alt.Scale(domain=[0, most * 1.15]),
            axis=style.axis("steps pondered", scale, orient="top", values=list(range(most + 1))),
        ),
        y=alt.Y("row:O", axis=None),
        tooltip=["sentence:N", "steps:Q"],
    )
    bars = base.mark_bar(color=style.VERMILION, height={"band": 0.62})
    type_size = min(style.font(scale, style.SMALL), max(size, style.least(scale)))
    words = base.mark_text(align="left", dx=4 * scale, color=style.INK, fontSize=type_size)
    return style.layered(bars, words.encode(text="said:N")).properties(
        width=width, height=size * len(place)
    )


@drawn
def by_task(rows: Sequence[Mapping[str, Any]], *, room: Room = PAGE) -> style.AnyChart:
    """Right answers by task, and beside them how long was thought."""
    scale = room.scale
    names = [f"{number} {row['name']}" for number, row in enumerate(rows, start=1)]
    frame = pd.DataFrame(
        {
            "row": np.arange(len(rows)),
            "task": names,
            "right": [100 * row[told.ACCURACY] for row in rows],
            "steps": [row["steps"] for row in rows],
            "needed": [row["needed"] for row in rows],
        }
    )
    high = 21 * scale
    half = (room.width - 300 * scale) / 2
    panels: list[alt.LayerChart] = []
    for field, title, most, every, digits in (
        ("right", "right answers in percent", 112.0, 20, ".1f"),
        ("steps", "steps pondered, mean over all sentences", 6.8, 1, ".2f"),
    ):
        first = not panels
        base = alt.Chart(frame).encode(
            x=alt.X(
                f"{field}:Q",
                scale=alt.Scale(domain=[0, most]),
                axis=style.axis(
                    title, scale, orient="top", values=list(range(0, int(most), every))
                ),
            ),
            y=alt.Y(
                "row:O",
                axis=style.token_axis(
                    names, orient="left", scale=scale, step=high, label=190
                ) if first else None,
            ),
            tooltip=["task:N", "right:Q", "steps:Q", alt.Tooltip("needed:Q", title="facts needed")],
        )  # fmt: skip
        colour = style.BLUE if first else style.VERMILION
        words = base.mark_text(
            align="left",
            dx=4 * scale,
            color=style.INK,
            fontSize=style.font(scale, style.SMALL),
        ).encode(text=alt.Text(f"{field}:Q", format=digits))
        bars = base.mark_bar(color=colour, height={"band": 0.65})
        panels.append(style.layered(bars, words).properties(width=half, height=high * len(names)))
    worst = min(rows, key=lambda row: float(row[told.ACCURACY]))
    return alt.hconcat(*panels, spacing=16 * scale).properties(
        autosize=style.PAD,
        description=f"Right answers by task, lowest in {worst['name']}: {worst[told.ACCURACY]:.1%}",
    )

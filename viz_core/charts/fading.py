"""What a reader remembers: how the mark of each word fades while the later words are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import cells, style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import LEGEND, PAGE, Room, fit_grid
from viz_core.traces.rnn import FadingTrace, Reader

NOTHING = "There are no words to remember."
ENDS: dict[Reader, str] = {
    "forward": "Read from left to right",
    "backward": "Read from right to left",
}


def finding(trace: FadingTrace, reader: Reader = "forward") -> str:
    """What the last state of a reader still knows of the word it read first."""
    if not trace.words:
        return NOTHING
    end, first = (-1, 0) if reader == "forward" else (0, -1)
    share = float(trace.faded(reader)[end, first])
    word = style.readable(trace.words[first])
    return f"At the end {share:.0%} is left of what was known of “{word}”, which was read first"


@drawn
def fading(
    trace: FadingTrace,
    reader: Reader = "forward",
    *,
    room: Room = PAGE,
    limit: int = style.LIMIT,
) -> style.AnyChart:
    """Down: the state after each word. Across: the words. A square is what is left of a word.

    It is 1 where the word has just been read. The framed row is the last state, all that the
    decoder gets from this reader. Hovering tells the numbers.
    """
    scale = room.scale
    if not trace.words:
        return style.blank(NOTHING, scale)
    inner = room.less(width=LEGEND + 20, height=30)
    fit = fit_grid(inner, trace.words, trace.words, largest=26, limit=limit)
    part = slice(0, min(fit.rows.stop, fit.columns.stop))
    fit = replace(fit, rows=part, columns=part)
    words = trace.words[part]
    data = cells.frame(trace.faded(reader), trace.words, trace.words, part, part)
    data["seen"] = data["weight"].clip(upper=1.0)
    tooltip = [
        alt.Tooltip("query word:N", title="after reading"),
        alt.Tooltip("key word:N", title="left of"),
        alt.Tooltip("weight:Q", title="share", format=".2f"),
    ]
    colour = style.weight_colour("seen", scale, "share left")
    grid = cells.squares(data, words, words, colour=colour, grid=fit, scale=scale)
    grid = grid.encode(tooltip=tooltip)
    last = (part.stop if reader == "forward" else part.start + 1) - 1
    frame = (
        alt.Chart(pd.DataFrame({"query": [last]}))
        .mark_rect(filled=False, stroke=style.VERMILION, strokeWidth=2.5 * scale, tooltip=None)
        .encode(y="query:O")
    )
    notes = [style.part_note("words", part, len(trace.words))]
    return style.layered(grid, frame).properties(
        autosize=style.PAD,
        title=style.title(ENDS[reader], notes, scale),
        description=f"{ENDS[reader]}: {finding(trace, reader)}",
    )


def finding_of_rest(traces: Mapping[str, FadingTrace]) -> str:
    """The word that each model keeps least of."""
    said = []
    for name, trace in traces.items():
        if trace.words:
            low = int(trace.left.argmin())
            word = style.readable(trace.words[low])
            said.append(
                f"{name} the word most forgotten is “{word}”: {trace.left[low]:.0%} is left"
            )
    return "; ".join(said) or NOTHING


@drawn
def rest(
    traces: Mapping[str, FadingTrace], *, room: Room = PAGE, limit: int = style.LIMIT
) -> style.AnyChart:
    """What is left of each word in the last states of both readers: a line for each model."""
    scale = room.scale
    full = {name: trace for name, trace in traces.items() if trace.words}
    if not full:
        return style.blank(NOTHING, scale)
    words = next(iter(full.values())).words
    step, part = room.less(width=80).across(len(words), 26, limit)
    frame = pd.concat(
        [
            pd.DataFrame(
                {
                    "position": np.arange(part.start, part.stop),
                    "word": style.shown(trace.words)[part],
                    "left": trace.left[part].astype(float).round(4),
                    "model": name,
                }
            )
            for name, trace in full.items()
        ]
    )
    count = part.stop - part.start
    angle = -45 if step > 1.6 * room.least else -90
    names = list(full)
    palette = [style.HEADS[i % len(style.HEADS)] for i in range(len(names))]
    hue = alt.Color(
        "model:N",
        scale=alt.Scale(domain=names, range=palette),
        legend=style.legend(None, scale, orient="top"),
    )
    base = alt.Chart(frame).encode(
        x=alt.X(
            "position:O",
            axis=style.token_axis(
                words[part],
                orient="bottom",
                scale=scale,
                start=part.start,
                step=step,
                angle=angle,
                label=100,
            ),
        ),
        y=alt.Y(
            "left:Q",
            axis=style.axis("share left", scale, format=".0%", tickCount=5),
            scale=alt.Scale(domainMin=0),
        ),
        color=hue,
    )
    points = base.mark_point(filled=True, size=70 * scale**2, opacity=1).encode(
        shape=alt.Shape("model:N", scale=alt.Scale(domain=names), legend=None),
        tooltip=["model:N", "word:N", alt.Tooltip("left:Q", title="share left", format=".2f")],
    )
    return style.layered(base.mark_line(strokeWidth=2.5 * scale), points).properties(
        autosize=style.PAD,
        width=step * count,
        height=190 * scale,
        title=style.title(
            "What the decoder is given", style.part_note("words", part, len(words)), scale
        ),
        description=finding_of_rest(full),
    )

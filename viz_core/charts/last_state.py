"""The verdict of a plain reader after each word: only what its last state says will count."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.analysis import documents as told
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.text.document import bare
from viz_core.traces.document import DocumentTrace, RunningTrace

NAMED = 7  # words with the largest jumps that are written at the line
HIGH = 240  # pixels
EDGE = 0.07  # of the chance: nearer to the edge a word has no room beyond its point
APART = 90  # pixels between two words that are written


@drawn
def running(trace: RunningTrace, document: DocumentTrace, *, room: Room = PAGE) -> style.AnyChart:
    """P(positive) over the words; its end is the verdict. Dashed: that of the weighted sum."""
    scale, count = room.scale, len(trace.words)
    wide, high = room.width - 190 * scale, HIGH * scale
    frame = pd.DataFrame(
        {
            "position": np.arange(1, count + 1),
            "word": [style.readable(bare(word)) for word in trace.words],
            "chance": trace.positive.astype(float).round(4),
            "sentence": np.array(trace.sentence) + 1,
        }
    )
    frame["jump"] = np.diff(trace.positive, prepend=0.5)
    frame["side"] = _sides(trace.positive.astype(float))
    jumps = frame["jump"].abs().to_numpy()
    frame["named"] = frame.index.isin(_apart(jumps, wide / max(count, 1), APART * scale))
    across = alt.X(
        "position:Q",
        scale=alt.Scale(domain=[0, count + 1], nice=False),
        axis=style.axis("words read", scale, grid=False, tickMinStep=1),
    )
    up = alt.Y(
        "chance:Q",
        scale=alt.Scale(domain=[0, 1]),
        axis=style.axis("chance of positive", scale, values=[0, 0.5, 1], format=".0%"),
    )
    base = alt.Chart(frame).encode(
        x=across,
        y=up,
        tooltip=["word:N", "sentence:Q", alt.Tooltip("chance:Q", format=".0%")],
    )
    last, total = float(trace.positive[-1]), document.positive
    apart = 0.09 if abs(last - total) < 0.09 else 0.0
    ends = pd.DataFrame(
        [
            {"at": last, "chance": last + np.sign(last - total or 1) * apart / 2,
             "said": f"last state {last:.0%}", "hue": style.BLUE},
            {"at": total, "chance": total - np.sign(last - total or 1) * apart / 2,
             "said": f"weighted sum {total:.0%}", "hue": style.VERMILION},
        ]
    )  # fmt: skip
    hue = alt.Color("hue:N", scale=None, legend=None)
    end = alt.value(wide)
    layers = [
        alt.Chart(ends.iloc[[1]])
        .mark_rule(strokeDash=[6, 5], strokeWidth=2 * scale, tooltip=None)
        .encode(y=alt.Y("at:Q"), color=hue),
        base.mark_line(strokeWidth=2.2 * scale, color=style.BLUE, interpolate="monotone"),
        base.mark_point(filled=True, opacity=1, color=style.BLUE, size=34 * scale**2),
        base.transform_filter("datum.named").mark_text(
            fontSize=style.font(scale, 13),
            color=style.INK,
            dy=alt.expr(f"{15 * scale} * datum.side"),
            tooltip=None,
        ).encode(text="word:N"),
        alt.Chart(ends).mark_text(
            align="left", dx=8 * scale, fontSize=style.font(scale), fontWeight=600, tooltip=None
        ).encode(x=end, y=alt.Y("chance:Q"), text="said:N", color=hue),
    ]  # fmt: skip
    return style.layered(*layers).properties(
        autosize=style.PAD,
        width=wide,
        height=high,
        title=style.title(
            "A plain GRU, after each word",
            "named: the words at which its opinion jumps most",
            scale,
        ),
        description=told.beside(document, trace),
    )


def _sides(chances: NDArray[np.floating]) -> NDArray[np.integer]:
    """1 where a word is written below its point, -1 above: where the line leaves it free."""
    before, after = np.append(chances[0], chances[:-1]), np.append(chances[1:], chances[-1])
    below = (before + after) / 2 > chances
    # At the edges of the picture there is room on one side only.
    return np.where((below & (chances > EDGE)) | (chances > 1 - EDGE), 1, -1)


def _apart(jumps: NDArray[np.floating], step: float, least: float) -> list[int]:
    """The largest jumps whose words do not stand on each other."""
    kept: list[int] = []
    for place in np.argsort(-jumps, kind="stable"):
        if len(kept) < NAMED and all(abs(place - other) * step >= least for other in kept):
            kept.append(int(place))
    return kept

"""The residual stream read as words: a row for every block, a column for every token."""

from __future__ import annotations

import altair as alt
import pandas as pd

from viz_core.analysis import writing
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.traces.transformer import StreamTrace

WIDEST = 84  # pixels of a column
NARROWEST = 46


@drawn
def lens(stream: StreamTrace, token: int, *, room: Room = PAGE) -> style.AnyChart:
    """The likeliest next word at every place after every block, the last block on top.

    The bluer a cell, the surer; `token` frames a column. Clicking sets the selection "place" to
    {token}.
    """
    scale = room.scale
    inner = room.less(width=176, height=90)
    count = len(stream.tokens)
    fitting = max(int(inner.width / (NARROWEST * scale)), 1)
    part = style.part(count, fitting, token)
    shown = part.stop - part.start
    width = min(inner.width / shown, WIDEST * scale)
    last = len(stream.stages) - 1
    frame = pd.DataFrame(
        [
            {
                "token": place,
                "row": last - stage,
                "word": style.readable(stream.nearest[stage][place][0]),
                "others": ", ".join(map(style.readable, stream.nearest[stage][place][1:4])),
                "weight": round(float(stream.probabilities[stage, place, 0]), 3),
            }
            for stage in range(last + 1)
            for place in range(part.start, part.stop)
        ]
    )
    across = style.token_axis(
        stream.tokens[part], orient="bottom", scale=scale, start=part.start, step=width, angle=-45
    )
    across.labelAlign = "right"
    down = style.token_axis(stream.stages[::-1], orient="left", scale=scale, angle=0)
    base = alt.Chart(frame).encode(
        x=alt.X("token:O", axis=across),
        y=alt.Y("row:O", axis=down),
        tooltip=[
            alt.Tooltip("word:N", title="next word"),
            alt.Tooltip("weight:Q", title="probability"),
            alt.Tooltip("others:N", title="or"),
        ],
    )
    clicked = alt.selection_point(name="place", fields=["token"], on="click", empty=False)
    tiles = base.mark_rect(stroke=style.INK, strokeOpacity=style.FAINT, cursor="pointer").encode(
        color=style.weight_colour("weight", scale, "probability")
    )
    words = base.mark_text(fontSize=style.font(scale, 12), limit=width - 4).encode(
        text="word:N", color=style.cell_ink()
    )
    now = base.transform_filter(f"datum.token == {token}").mark_rect(
        filled=False, stroke=style.VERMILION, strokeWidth=2 * scale
    )
    note = style.part_note("tokens", part, count)
    return style.layered(tiles.add_params(clicked), words, now).properties(
        width=width * shown,
        height=min(40 * scale, inner.height / (last + 1)) * (last + 1),
        title=style.title("The next word, read after every block", note, scale),
        description=writing.lens_finding(stream, token),
        autosize=style.PAD,
    )

"""Keys and values of a decoder: which are kept, and which are computed anew."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from viz_core.analysis import writing
from viz_core.analysis.writing import CacheCost
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room

KEPT, NEW = "kept", "computed anew"


@drawn
def kept(tokens: Sequence[str], cost: CacheCost, *, room: Room = PAGE) -> style.AnyChart:
    """A square for the keys and values of each token in each layer, without and with the cache.

    tokens are those that are read, the new one last.
    """
    scale = room.scale
    inner = room.less(width=180, height=120)
    step, part = inner.across(len(tokens), 38, focus=len(tokens) - 1)
    now = len(tokens) - 1
    panels = []
    for name, anew in (("With the cache", {now}), ("Without", set(range(len(tokens))))):
        frame = pd.DataFrame(
            [
                {
                    "token": place,
                    "layer": cost.layers - layer,
                    "state": NEW if place in anew else KEPT,
                    "word": style.readable(tokens[place]),
                }
                for layer in range(cost.layers)
                for place in range(part.start, part.stop)
            ]
        )
        axis = style.token_axis(
            tokens[part], orient="top", scale=scale, start=part.start, step=step
        )
        colours = alt.Scale(domain=[KEPT, NEW], range=[style.BLUE, style.VERMILION])
        key = style.legend(None, scale, orient="top", symbolSize=160 * scale, symbolStrokeWidth=0)
        chart = (
            alt.Chart(frame)
            .mark_rect(stroke=style.INK, strokeOpacity=style.FAINT)
            .encode(
                x=alt.X("token:O", axis=axis),
                y=alt.Y(
                    "layer:O",
                    sort="descending",
                    axis=style.axis("layer", scale, grid=False),
                ),
                color=alt.Color("state:N", scale=colours, legend=key),
                opacity=alt.condition(f"datum.state == '{NEW}'", alt.value(0.9), alt.value(0.3)),
                tooltip=["word:N", "layer:O", "state:N"],
            )
            .properties(
                width=step * (part.stop - part.start),
                height=min(22 * scale, inner.height / 2 / cost.layers) * cost.layers,
                title=style.title(name, style.part_note("tokens", part, len(tokens)), scale),
            )
        )
        panels.append(chart)
    return alt.vconcat(*panels, spacing=14 * scale).properties(
        description=writing.cache_finding(cost), autosize=style.PAD
    )

"""Two futures in one search tree: the forced one, and what would have won without forcing."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from viz_core.charts import tree
from viz_core.charts.kit import style, text_marks
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.text import inside_english
from viz_core.traces.search import BeamTrace

NAME = "winner without forcing"
COLOUR = "#00936b"  # the diamonds tell it as well


def finding(beam: BeamTrace, free: int, until_step: int | None = None) -> str:
    """Both winners in words; one where they are the same."""
    if free == beam.best:
        return tree.finding(beam, until_step)
    words = " ".join(style.readable(beam.nodes[i].token) for i in beam.path(free)[1:])
    forced = tree.finding(beam, until_step)
    return f"{forced}; {words} was best without forcing, {beam.nodes[free].score:.2f}"


@drawn
def futures(
    beam: BeamTrace,
    free: int,
    *,
    until_step: int | None = None,
    minimum: float = 0.0,
    limit: int = 12,
    room: Room = PAGE,
    **settings: Any,
) -> go.Figure:
    """The tree of both searches, with diamonds along the path that won without forcing.

    `free` is the node at which that path ends; the rest is as in tree.tree.
    """
    same: dict[str, Any] = {"until_step": until_step, "minimum": minimum, "limit": limit}
    figure = tree.tree(beam, **same, room=room, **settings)
    scale = room.scale
    rows = tree.arranged(beam, until_step, minimum, limit, room, tree.COLUMN).rows
    ours = set(beam.path(beam.best))
    path = [index for index in beam.path(free) if index in rows and index not in ours]
    if not path:
        return figure
    figure.add_scatter(
        x=[beam.nodes[index].step for index in path],
        y=[rows[index] for index in path],
        mode="markers",
        marker={
            "symbol": "diamond-open",
            "color": COLOUR,
            "size": 19 * scale,
            "line": {"width": 2.5 * scale},
        },
        name=NAME,
        hoverinfo="skip",
    )
    figure.update_layout(
        meta={**figure.layout.meta, "description": finding(beam, free, until_step)}
    )
    return figure


def looked(beam: BeamTrace, node: int) -> style.AnyChart:
    """The source sentence, shaded by what the decoder looked at to write one word."""
    written = beam.nodes[node]
    weights = [] if beam.attention is None else beam.attention[node]
    word = inside_english(style.readable(written.token))
    title = f"To write “{word}” ({written.probability:.2f}) the decoder looked at"
    return text_marks.shaded(beam.source, weights, title=title, line=480)

"""The search tree: time to the right, one node for each hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from viz_core.charts.kit import style
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.tree_layout import leader, placed
from viz_core.traces.search import BeamTrace, Hypothesis

ROW, MARGIN = 34, 24  # pixels
COLUMN, NUMBERED = 54, 104  # pixels of a step at least, and with numbers on the edges
CLOSE = 25  # pixels of a row at least: a word stands above its node
AROUND = 82  # pixels above and below the tree: steps and legend
START = "start"
CHOSEN = "#8a63d2"  # the ring around the node that the reader clicked
FATES = ("pruned", "kept", "finished", "leading", "leading, finished")  # drawn in this order
BARE = {"showgrid": False, "zeroline": False, "showline": False, "fixedrange": True}
WIDTHS = ((0.6, 6.0), (0.3, 4.0), (0.1, 2.4), (0.0, 1.2))  # probability from, width of the edge


def finding(beam: BeamTrace, until_step: int | None = None) -> str:
    """The leading hypothesis in words."""
    if len(beam.nodes) < 2:
        return "The search has not begun."
    best = leader(beam, until_step)
    words = " ".join(style.readable(beam.nodes[i].token) for i in beam.path(best)[1:])
    node = beam.nodes[best]
    verb = "wins" if best == beam.best and beam.complete else "leads"
    return f"{words} {verb}, log-probability {node.log_prob:.2f}, score {node.score:.2f}"


def _hover(beam: BeamTrace, index: int) -> str:
    node = beam.nodes[index]
    path = beam.path(index)[1:]
    words = " ".join(style.plotly_text(beam.nodes[i].token) for i in path[-12:]) or START
    lines = [
        f"<b>{'… ' if len(path) > 12 else ''}{words}</b>",
        f"probability {node.probability:.3f}, log-probability {node.log_prob:.2f}",
        f"score {node.score:.3f}, {node.status}",
    ]
    return "<br>".join([*lines, style.plotly_text(node.reason)] if node.reason else lines)


def _curves(
    nodes: Sequence[Hypothesis], edges: Sequence[int], rows: dict[int, float]
) -> tuple[list[float | None], list[float | None]]:
    """Edges as one broken line: each leaves its parent and reaches its child horizontally."""
    along = np.linspace(0, 1, 12)
    rise = along**2 * (3 - 2 * along)
    x: list[float | None] = []
    y: list[float | None] = []
    for child in edges:
        parent = nodes[child].parent
        x += [*(nodes[parent].step + along).tolist(), None]
        y += [*(rows[parent] + (rows[child] - rows[parent]) * rise).tolist(), None]
    return x, y


def _width(probability: float) -> float:
    return next(width for least, width in WIDTHS if probability >= least or least == 0.0)


def _edges(
    beam: BeamTrace, rows: dict[int, float], winning: set[int], scale: float
) -> list[go.Scatter]:
    """Few lines rather than one for each edge: edges of one look are drawn together."""
    looks: dict[tuple[str, float], list[int]] = {}
    for index in rows:
        node = beam.nodes[index]
        if node.parent in rows:
            look = (
                "winning" if index in winning else "pruned" if node.status == "pruned" else "kept"
            )
            looks.setdefault((look, _width(node.probability)), []).append(index)
    paint = {
        "pruned": ("rgba(128,132,142,0.45)", 0.7),
        "kept": ("rgba(31,120,200,0.75)", 1.0),
        "winning": (style.VERMILION, 1.25),
    }
    traces = []
    for (look, width), children in sorted(
        looks.items(), key=lambda item: list(paint).index(item[0][0])
    ):
        colour, factor = paint[look]
        x, y = _curves(beam.nodes, children, rows)
        line = {"color": colour, "width": width * factor * scale}
        traces.append(
            go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False)
        )
    return traces


def _short(word: str, letters: int) -> str:
    return word if len(word) <= letters else f"{word[: letters - 1]}…"


def _points(
    beam: BeamTrace,
    name: str,
    members: Sequence[int],
    rows: dict[int, float],
    column: float,
    scale: float,
) -> go.Scatter:
    """Nodes of one fate. Shape, size and weight of type tell it as well as the colour does."""
    symbol, colour, size = {
        "pruned": ("circle-open", "#84889a", 7),
        "kept": ("circle", style.BLUE, 10),
        "finished": ("square", style.BLUE, 12),
        "leading": ("circle", style.VERMILION, 13),
        "leading, finished": ("square", style.VERMILION, 14),
    }[name]
    strong = name.startswith("leading")
    letters = max(int(1.6 * column / style.font(scale)), 4)  # longer words are whole on hover
    words = [style.plotly_text(_short(beam.nodes[i].token, letters)) or START for i in members]
    return go.Scatter(
        x=[beam.nodes[i].step for i in members],
        y=[rows[i] for i in members],
        mode="markers+text",
        name=name,
        text=[f"<b>{word}</b>" for word in words] if strong else words,
        textposition="top center",
        textfont={"size": style.font(scale, style.SMALL if name == "pruned" else style.BASE)},
        marker={"symbol": symbol, "color": colour, "size": size * scale, "opacity": 1},
        opacity=0.72 if name == "pruned" else 1.0,
        customdata=list(members),
        hovertext=[_hover(beam, i) for i in members],
        hoverinfo="text",
        unselected={"marker": {"opacity": 1}},
        cliponaxis=False,
    )


def _numbers(beam: BeamTrace, rows: dict[int, float], scale: float) -> go.Scatter:
    """The probability of each token, upon the last part of its edge."""
    ends = [i for i in rows if beam.nodes[i].parent in rows]
    lift = [
        rows[beam.nodes[i].parent] + (rows[i] - rows[beam.nodes[i].parent]) * 0.65 for i in ends
    ]
    return go.Scatter(
        x=[beam.nodes[i].step - 0.42 for i in ends],
        y=[row - 0.08 for row in lift],
        mode="text",
        text=[f"{beam.nodes[i].probability:.2f}" for i in ends],
        textposition="top center",
        textfont={"size": style.font(scale, style.SMALL)},
        hoverinfo="skip",
        showlegend=False,
    )


def _fates(beam: BeamTrace, shown: Sequence[int], best: set[int]) -> dict[str, list[int]]:
    fates: dict[str, list[int]] = {name: [] for name in FATES}
    for index in shown:
        status = beam.nodes[index].status
        ended = ", finished" if status == "finished" else ""
        fates[f"leading{ended}" if index in best else status].append(index)
    return {name: members for name, members in fates.items() if members}


class Arranged(NamedTuple):
    """A tree in its room: the rows of its nodes, and the frame that they fill step by step."""

    rows: dict[int, float]
    steps: range  # that are shown
    end: int  # the last step of the whole search
    high: float  # pixels of a row
    top: float  # the first row of the frame
    bottom: float


def arranged(
    beam: BeamTrace, until_step: int | None, minimum: float, limit: int, room: Room, least: float
) -> Arranged:
    """What of a tree can be shown with steps at least so wide. What was pruned makes room for what
    lived: fewer of the pruned are drawn where words would else lie upon each other."""
    most = max(int((room.width / room.scale - 2 * MARGIN) / least), 2)
    last = max((node.step for node in beam.nodes), default=0)
    now = last if until_step is None else min(until_step, last)
    whole = None if last < most else max(now, most - 1)
    pixels = room.less(height=AROUND).heights(last)
    for pruned in range(limit, -1, -1):
        frame, _ = placed(beam, whole, minimum, pruned, most)
        top, bottom = min(frame.values(), default=0.0), max(frame.values(), default=0.0)
        heights = [each / (bottom - top + 1.6) for each in pixels]
        high = next((each for each in heights if each >= CLOSE * room.scale), heights[-1])
        if high >= CLOSE * room.scale:
            break
    rows, end = placed(beam, until_step, minimum, pruned, most)
    first = max(min(now, end) - most + 1, 0)
    steps = range(first, min(first + most, end + 1))
    return Arranged(rows, steps, end, high, top, bottom)


def _frame(
    figure: go.Figure, steps: range, low: float, high: float, size: tuple[float, float], room: Room
) -> None:
    """The size of the tree, steps along the top, and a legend below."""
    scale = room.scale
    small = {"size": style.font(scale, style.SMALL)}
    column, row = size
    figure.update_layout(
        width=round(max(column * len(steps) + 2 * MARGIN * scale, min(560 * scale, room.width))),
        height=round(row * (high - low + 1.6) + AROUND * scale),
        margin={"l": MARGIN * scale, "r": MARGIN * scale, "t": 36 * scale, "b": 42 * scale},
        legend={
            "orientation": "h",
            "x": 0,
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
            "font": small,
            "itemclick": False,
            "itemdoubleclick": False,
        },
        clickmode="event+select",
        dragmode=False,
        hoverlabel={"font": small, "align": "left"},
        plot_bgcolor="rgba(0,0,0,0)",
        paper_bgcolor="rgba(0,0,0,0)",
    )
    figure.update_xaxes(
        range=[steps.start - 0.5, steps.stop - 0.5],
        side="top",
        tickvals=list(steps),
        ticktext=[f"step {step}" if step == 0 else str(step) for step in steps],
        tickfont=small,
        ticks="",
        **BARE,
    )
    figure.update_yaxes(range=[high + 0.5, low - 1.1], showticklabels=False, **BARE)


def tree(
    beam: BeamTrace,
    *,
    until_step: int | None = None,
    minimum: float = 0.0,
    chosen: int | None = None,
    numbers: bool = False,
    room: Room = PAGE,
    limit: int = 12,
    ink: str | None = None,
) -> go.Figure:
    """Every hypothesis as it lived and died, the winning path thick, the pruned ones faint.

    Hovering a node tells its text, scores and why it was pruned; clicking one selects it, with the
    index of its node as customdata. `until_step` stops the clock. At most `limit` pruned nodes are
    drawn at each step, of at least `minimum` probability. `numbers` writes the probability on each
    edge, for small trees. A long search shows the steps up to this one, as many as there is room
    for; layout.meta["note"] says so. `ink` is the colour of its words.
    """
    scale = room.scale
    least = NUMBERED if numbers else COLUMN
    fit = arranged(beam, until_step, minimum, limit, room, least)
    rows, steps, shown = fit.rows, fit.steps, sorted(fit.rows)
    longest = max((len(style.readable(beam.nodes[i].token)) for i in shown), default=1)
    natural = min(max(least, 9 * longest + 18), 130) * scale
    column = max(min(natural, (room.width - 2 * MARGIN * scale) / len(steps)), least * scale)
    best = set(beam.path(leader(beam, until_step))) if len(beam.nodes) > 1 else set()
    figure = go.Figure()
    figure.add_traces(_edges(beam, rows, best, scale))
    for name, members in _fates(beam, shown, best).items():
        figure.add_trace(_points(beam, name, members, rows, column, scale))
    if chosen is not None and chosen in rows:
        ring = {"symbol": "circle-open", "color": CHOSEN, "line": {"width": 3 * scale}}
        figure.add_scatter(
            x=[beam.nodes[chosen].step],
            y=[rows[chosen]],
            mode="markers",
            marker={**ring, "size": 24 * scale},
            name="chosen",
            hoverinfo="skip",
        )
    if numbers:
        figure.add_trace(_numbers(beam, rows, scale))
    row = max(min(fit.high, (62 if numbers else ROW) * scale), 1.6 * room.least)
    _frame(figure, steps, fit.top, fit.bottom, (column, row), room)
    last = steps.stop - 1 if until_step is None else until_step
    hidden = sum(node.step in steps and node.step <= last for node in beam.nodes) - len(shown)
    notes = [
        f"Steps {steps.start} to {last} of {fit.end}: move the stepper to see others"
        if len(steps) <= fit.end
        else "",
        f"{hidden} pruned hypotheses are not drawn" if hidden > 0 else "",
    ]
    said = {
        "description": finding(beam, until_step),
        "note": "; ".join(note for note in notes if note),
    }
    figure.update_layout(meta=said, font={"color": ink})
    return figure

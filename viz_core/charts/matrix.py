"""Alignment matrices: who attends to whom, one square for each pair of words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import altair as alt
import numpy as np

from viz_core.charts.kit import cells, style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import LEGEND, PAGE, Grid, Room, fit_grid
from viz_core.text import is_right_to_left
from viz_core.traces import AttentionTrace

NOTHING = "There are no words to attend to."
NOT_YET = "not written yet"
GAP = 20  # pixels between panels


def finding(
    trace: AttentionTrace, layer: int = 0, head: int | None = 0, row: int | None = None
) -> str:
    """The row's strongest link in words; without a row, that of the surest row."""
    weights = np.nan_to_num(trace.matrix(layer, head))
    if not weights.size:
        return NOTHING
    if row is None:
        row = int(weights.max(axis=1).argmax())
    key = int(weights[row].argmax())
    where = style.place(layer, head, trace.layers, trace.heads)
    query, found = style.readable(trace.queries[row]), style.readable(trace.keys[key])
    return style.describe(query, found, float(weights[row, key]), where)


def growing(
    trace: AttentionTrace,
    row: int,
    layer: int,
    head: int | None,
    *,
    title: str = "",
    legend: bool = True,
    room: Room = PAGE,
) -> style.AnyChart:
    """The matrix as it stands while a text is written: this row is framed, later ones wait."""
    return matrix(
        trace,
        layer,
        head,
        highlight_row=row,
        written=row + 1,
        bars=False,
        legend=legend,
        title=title,
        room=room,
    )


def _notes(trace: AttentionTrace, grid: Grid) -> list[str]:
    """What is shown, where it is not all."""
    translates = trace.kind in ("cross", "alignment")
    down, across = ("target words", "source words") if translates else ("rows", "columns")
    return [
        style.part_note(down, grid.rows, len(trace.queries)),
        style.part_note(across, grid.columns, len(trace.keys)),
    ]


def _clicked(*fields: str) -> alt.Parameter:
    return alt.selection_point(name="cell", fields=list(fields), on="click", empty=False)


@drawn
def matrix(
    trace: AttentionTrace,
    layer: int = 0,
    head: int | None = 0,
    *,
    room: Room = PAGE,
    values: bool = False,
    highlight_row: int | None = None,
    written: int | None = None,
    conceal: bool = False,
    bars: bool = True,
    legend: bool = True,
    title: str = "",
    limit: int = style.LIMIT,
) -> style.AnyChart:
    """Target words down, source words across: the bluer a square, the larger the weight.

    Hovering frames a row and shows its weights as bars beside it, in the browser; it stays until
    another row is hovered. Clicking sets the selection "cell" to {query, key}. `written` is the
    number of target words that are there already: the rows of the others wait, empty and without
    their words. `conceal` draws the grid without the weights, so that the audience can predict
    them; they are not sent either.
    """
    scale = room.scale
    weights = trace.matrix(layer, head)
    if not weights.size:
        return style.blank(NOTHING, scale)
    heading = title or style.place(layer, head, trace.layers, trace.heads).capitalize()
    inner = room.less(width=LEGEND * legend, height=30 if heading else 6)
    beside = inner.less(width=cells.bars_width(trace.keys, scale) if bars else 0)
    at = None if highlight_row is None else int(np.nan_to_num(weights[highlight_row]).argmax())
    if at is not None and trace.kind == "masked":
        at = highlight_row  # the triangle ends here
    grid, least = (
        fit_grid(each, trace.queries, trace.keys, focus=highlight_row, column=at, limit=limit)
        for each in (beside, inner)
    )
    # Bars are worth smaller squares, but not the loss of words.
    bars = bars and grid.columns == least.columns and grid.wide >= min(12 * scale, least.wide)
    grid = grid if bars else least
    rows, columns = grid.rows, grid.columns
    notes = _notes(trace, grid)
    data = cells.frame(weights, trace.queries, trace.keys, rows, columns).drop(columns="linked")
    queries, keys = trace.queries, trace.keys
    if written is not None:
        same = keys == queries
        queries = _waiting(queries, written)
        keys = _waiting(keys, written) if same else keys
        waiting = data["query"] >= written
        data.loc[waiting, ["weight", "query word"]] = (0.0, NOT_YET)
        data.loc[(data["key"] >= written) & same, "key word"] = NOT_YET
    if conceal:
        data["weight"] = 0.0
        notes.append("weights hidden: predict first")
    first = rows.start if highlight_row is None else highlight_row
    # Never cleared, so that the row stays while the lecturer's pointer leaves the picture.
    hovered = alt.selection_point(
        name="row", fields=["query"], on="pointerover", clear=False, empty=False, value=first
    )
    clicked = _clicked("query", "key")
    colour = style.weight_colour(scale=scale)
    colour = colour if legend else colour.legend(None)
    squares = cells.squares(
        data,
        queries[rows],
        keys[columns],
        colour=colour,
        grid=grid,
        scale=scale,
        weighed=not conceal,
        backwards=is_right_to_left(trace.keys),  # of a word that is not written yet, too
        row=highlight_row,
    )
    layers = [squares.add_params(hovered, clicked)]
    if values and not conceal:
        layers.append(cells.numbers(data, grid.wide))
    layers += [cells.row_frame(data, hovered, scale), cells.cell_frame(data, clicked, scale)]
    chart: style.AnyChart = style.layered(*layers)
    if bars:
        said = {row: finding(trace, layer, head, row) for row in range(rows.start, rows.stop)}
        panel = cells.row_bars(data, keys[columns], hovered, {} if conceal else said, grid, inner)
        chart = alt.hconcat(chart, panel, spacing=16 * scale)
    return chart.properties(
        autosize=style.PAD,
        title=style.title(heading, notes, scale),
        description="Weights hidden." if conceal else finding(trace, layer, head, highlight_row),
    )


def _waiting(words: tuple[str, ...], written: int) -> tuple[str, ...]:
    return tuple(word if place < written else "" for place, word in enumerate(words))


def _at(trace: AttentionTrace, layer: int, head: int | None) -> tuple[int, int | None]:
    """The layer and head to show where a trace may have fewer of them than another."""
    return min(layer, trace.layers - 1), None if head is None else min(head, trace.heads - 1)


def finding_of_many(
    traces: Mapping[str, AttentionTrace], layer: int = 0, head: int | None = None
) -> str:
    """The surest link of each panel."""
    return "; ".join(
        f"{name}: {finding(trace, *_at(trace, layer, head))}" for name, trace in traces.items()
    )


@drawn
def matrices(
    traces: Mapping[str, AttentionTrace],
    columns: int = 3,
    *,
    layer: int = 0,
    head: int | None = None,
    room: Room = PAGE,
    values: bool = False,
    limit: int = 40,
) -> style.AnyChart:
    """Several matrices, at most so many beside each other: hovering a target word frames it in
    every panel.

    A word meets its n-th occurrence in the other panels, wherever it stands there. Clicking sets
    the selection "cell" to {panel, query, key}. Traces with one layer or head show that one.
    """
    scale = room.scale
    hovered = alt.selection_point(name="row", fields=["linked"], on="pointerover", empty=False)
    clicked = _clicked("panel", "query", "key")
    full = {name: trace for name, trace in traces.items() if trace.weights.size}
    if not full:
        return style.blank(NOTHING, scale)
    columns, grids = _arranged(full, min(columns, len(full)), room.less(width=LEGEND), limit)
    panels: list[alt.LayerChart] = []
    views = [f"panel_{number}" for number in range(len(full))]
    for view, grid, (name, trace) in zip(views, grids, full.items(), strict=True):
        rows, across = grid.rows, grid.columns
        weights = trace.matrix(*_at(trace, layer, head))
        data = cells.frame(weights, trace.queries, trace.keys, rows, across)
        data["panel"] = name
        queries, keys = trace.queries[rows], trace.keys[across]
        colour = style.weight_colour(scale=scale)
        squares = cells.squares(data, queries, keys, colour=colour, grid=grid, scale=scale)
        squares = squares.properties(name=view)
        layers = [squares if panels else squares.add_params(hovered, clicked)]
        if values:
            layers.append(cells.numbers(data, grid.wide))
        layers += [cells.row_frame(data, hovered, scale), cells.cell_frame(data, clicked, scale)]
        heading = style.title(name, _notes(trace, grid), scale)
        heading.fontSize = style.font(scale, 15)
        panels.append(style.layered(*layers).properties(title=heading))
    chart: alt.ConcatChart = alt.concat(*panels, columns=columns, spacing=GAP * scale)
    # One selection over all panels. Adding it to each would do the same, with a warning for each.
    for parameter in chart.params if isinstance(chart.params, list) else []:
        parameter.views = views
    return chart.properties(autosize=style.PAD, description=finding_of_many(full, layer, head))


def _arranged(
    traces: Mapping[str, AttentionTrace], most: int, room: Room, limit: int
) -> tuple[int, list[Grid]]:
    """How many panels stand beside each other so that their squares are largest."""
    best: tuple[float, int, list[Grid]] = (-1.0, 1, [])
    for columns in range(most, 0, -1):
        lines = -(-len(traces) // columns)
        each = replace(
            room,
            width=room.width / columns - GAP * room.scale,
            height=room.height / lines - (30 + GAP) * room.scale,
            tall=room.tall / lines - (30 + GAP) * room.scale,
        )
        grids = [
            fit_grid(each, t.queries, t.keys, largest=26, limit=limit) for t in traces.values()
        ]
        smallest = min(min(grid.wide, grid.high) for grid in grids)
        whole = min(grid.rows.stop + grid.columns.stop for grid in grids)
        best = max(best, (whole * 1000 + smallest, columns, grids), key=lambda found: found[0])
    return best[1], best[2]


def finding_of_difference(
    trace_a: AttentionTrace, trace_b: AttentionTrace, layer: int = 0, head: int | None = 0
) -> str:
    """The largest change in words."""
    change = np.nan_to_num(trace_a.matrix(layer, head) - trace_b.matrix(layer, head))
    if not change.size:
        return NOTHING
    query, key = np.unravel_index(int(np.abs(change).argmax()), change.shape)
    where = style.place(layer, head, trace_a.layers, trace_a.heads)
    said = f"The largest change is {trace_a.queries[query]} to {trace_a.keys[key]}"
    return f"{said}, {change[query, key]:+.2f}" + (f", {where}" if where else "")


def _either(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(a if a == b else f"{a} | {b}" for a, b in zip(first, second, strict=True))


@drawn
def difference(
    trace_a: AttentionTrace,
    trace_b: AttentionTrace,
    layer: int = 0,
    head: int | None = 0,
    *,
    names: tuple[str, str] = ("first", "second"),
    room: Room = PAGE,
    values: bool = False,
    limit: int = style.LIMIT,
) -> style.AnyChart:
    """First minus second: blue squares are stronger in the first, vermilion ones in the second."""
    scale = room.scale
    a, b = trace_a.matrix(layer, head), trace_b.matrix(layer, head)
    if a.shape != b.shape:
        raise ValueError(
            f"Only sentences of equal length can be subtracted: {a.shape} and {b.shape} words."
        )
    if not a.size:
        return style.blank(NOTHING, scale)
    queries, keys = _either(trace_a.queries, trace_b.queries), _either(trace_a.keys, trace_b.keys)
    inner = room.less(width=LEGEND + 20, height=30)
    grid = fit_grid(inner, queries, keys, limit=limit)
    rows, columns, notes = grid.rows, grid.columns, _notes(trace_a, grid)
    data = cells.frame(a - b, queries, keys, rows, columns)
    colour = alt.Color(
        "weight:Q",
        scale=style.difference_scale(),
        legend=style.legend("difference", scale, values=[-1, 0, 1], format="+.0f"),
    )
    clicked = _clicked("query", "key")
    squares = cells.squares(
        data, queries[rows], keys[columns], colour=colour, grid=grid, scale=scale
    )
    layers = [squares.add_params(clicked)]
    # Colour must not be the only carrier of the sign: large changes always show their number.
    told = data if values else data[data["weight"].abs() >= 0.1]
    layers += [cells.numbers(told, grid.wide, signed=True), cells.cell_frame(data, clicked, scale)]
    heading = f"{names[0]} minus {names[1]}"
    return style.layered(*layers).properties(
        autosize=style.PAD,
        title=style.title(heading, notes, scale),
        description=finding_of_difference(trace_a, trace_b, layer, head),
    )

"""Alignment matrices: who attends to whom, one square for each pair of words."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import numpy as np

from viz_core.charts.kit import cells, style
from viz_core.charts.kit.cache import drawn
from viz_core.traces import AttentionTrace

NOTHING = "There are no words to attend to."


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


def _sides(trace: AttentionTrace, limit: int, row: int | None) -> tuple[slice, slice, list[str]]:
    """The shown rows and columns, and the notes that say so when they are not all."""
    rows = style.part(len(trace.queries), limit, row)
    columns = style.part(len(trace.keys), limit)
    notes = [
        style.part_note("target words", rows, len(trace.queries)),
        style.part_note("source words", columns, len(trace.keys)),
    ]
    return rows, columns, notes


def _clicked(*fields: str) -> alt.Parameter:
    return alt.selection_point(name="cell", fields=list(fields), on="click", empty=False)


@drawn
def matrix(
    trace: AttentionTrace,
    layer: int = 0,
    head: int | None = 0,
    *,
    scale: float = 1.0,
    values: bool = False,
    highlight_row: int | None = None,
    conceal: bool = False,
    bars: bool = True,
    title: str = "",
    limit: int = style.LIMIT,
) -> style.AnyChart:
    """Target words down, source words across: the bluer a square, the larger the weight.

    Hovering frames a row and shows its weights as bars below, in the browser; it stays until
    another row is hovered. Clicking sets the selection "cell" to {query, key}. `conceal` draws the
    grid without the weights, so that the audience can predict them; they are not sent either.
    """
    weights = trace.matrix(layer, head)
    if not weights.size:
        return style.blank(NOTHING, scale)
    rows, columns, notes = _sides(trace, limit, highlight_row)
    queries, keys = trace.queries[rows], trace.keys[columns]
    data = cells.frame(weights, trace.queries, trace.keys, rows, columns).drop(columns="linked")
    if conceal:
        data["weight"] = 0.0
        notes.append("weights hidden: predict first")
    first = rows.start if highlight_row is None else highlight_row
    # Never cleared, so that the row stays while the lecturer's pointer leaves the picture.
    hovered = alt.selection_point(
        name="row", fields=["query"], on="pointerover", clear=False, empty=False, value=first
    )
    clicked = _clicked("query", "key")
    side = style.cell(max(len(queries), len(keys)), scale)
    colour = style.weight_colour(scale=scale)
    grid = cells.squares(
        data, queries, keys, colour=colour, side=side, scale=scale, weighed=not conceal
    )
    layers = [grid.add_params(hovered, clicked)]
    if values and not conceal:
        layers.append(cells.numbers(data, side))
    layers += [cells.row_frame(data, hovered, scale), cells.cell_frame(data, clicked, scale)]
    chart: style.AnyChart = style.layered(*layers)
    if bars:
        said = {row: finding(trace, layer, head, row) for row in range(rows.start, rows.stop)}
        panel = cells.row_bars(data, hovered, {} if conceal else said, side, scale)
        chart = alt.vconcat(chart, panel, spacing=50 * scale)
    heading = title or style.place(layer, head, trace.layers, trace.heads).capitalize()
    return chart.properties(
        autosize=style.PAD,
        title=style.title(heading, notes, scale),
        description="Weights hidden." if conceal else finding(trace, layer, head, highlight_row),
    )


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
    scale: float = 1.0,
    values: bool = False,
    limit: int = 32,
) -> style.AnyChart:
    """Several matrices beside each other: hovering a target word frames it in every panel.

    A word meets its n-th occurrence in the other panels, wherever it stands there. Clicking sets
    the selection "cell" to {panel, query, key}. Traces with one layer or head show that one.
    """
    hovered = alt.selection_point(name="row", fields=["linked"], on="pointerover", empty=False)
    clicked = _clicked("panel", "query", "key")
    full = {name: trace for name, trace in traces.items() if trace.weights.size}
    if not full:
        return style.blank(NOTHING, scale)
    widest = max(min(max(len(t.keys), len(t.queries)), limit) for t in full.values())
    # The words beside each panel need their share of the row.
    side = style.cell(round(widest * columns * 1.4), scale, largest=24)
    side = side if columns > 1 else style.cell(widest)
    panels: list[alt.LayerChart] = []
    views = [f"panel_{number}" for number in range(len(full))]
    for view, (name, trace) in zip(views, full.items(), strict=True):
        rows, across, notes = _sides(trace, limit, None)
        weights = trace.matrix(*_at(trace, layer, head))
        data = cells.frame(weights, trace.queries, trace.keys, rows, across)
        data["panel"] = name
        queries, keys = trace.queries[rows], trace.keys[across]
        colour = style.weight_colour(scale=scale)
        grid = cells.squares(data, queries, keys, colour=colour, side=side, scale=scale)
        grid = grid.properties(name=view)
        layers = [grid if panels else grid.add_params(hovered, clicked)]
        if values:
            layers.append(cells.numbers(data, side))
        layers += [cells.row_frame(data, hovered, scale), cells.cell_frame(data, clicked, scale)]
        panels.append(style.layered(*layers).properties(title=style.title(name, notes, scale)))
    chart: alt.ConcatChart = alt.concat(*panels, columns=columns, spacing=28 * scale)
    # One selection over all panels. Adding it to each would do the same, with a warning for each.
    for parameter in chart.params if isinstance(chart.params, list) else []:
        parameter.views = views
    return chart.properties(autosize=style.PAD, description=finding_of_many(full, layer, head))


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
    scale: float = 1.0,
    values: bool = False,
    limit: int = style.LIMIT,
) -> style.AnyChart:
    """First minus second: blue squares are stronger in the first, vermilion ones in the second."""
    a, b = trace_a.matrix(layer, head), trace_b.matrix(layer, head)
    if a.shape != b.shape:
        raise ValueError(
            f"Only sentences of equal length can be subtracted: {a.shape} and {b.shape} words."
        )
    if not a.size:
        return style.blank(NOTHING, scale)
    rows, columns, notes = _sides(trace_a, limit, None)
    queries, keys = _either(trace_a.queries, trace_b.queries), _either(trace_a.keys, trace_b.keys)
    data = cells.frame(a - b, queries, keys, rows, columns)
    side = style.cell(max(len(queries[rows]), len(keys[columns])), scale)
    colour = alt.Color(
        "weight:Q",
        scale=style.difference_scale(),
        legend=style.legend("difference", scale, values=[-1, 0, 1], format="+.0f"),
    )
    clicked = _clicked("query", "key")
    grid = cells.squares(data, queries[rows], keys[columns], colour=colour, side=side, scale=scale)
    layers = [grid.add_params(clicked)]
    # Colour must not be the only carrier of the sign: large changes always show their number.
    told = data if values else data[data["weight"].abs() >= 0.1]
    layers += [cells.numbers(told, side, signed=True), cells.cell_frame(data, clicked, scale)]
    heading = f"{names[0]} minus {names[1]}"
    return style.layered(*layers).properties(
        autosize=style.PAD,
        title=style.title(heading, notes, scale),
        description=finding_of_difference(trace_a, trace_b, layer, head),
    )

"""Several models on one sentence and one target: the same words, so they are written once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import altair as alt

from viz_core.charts import matrix
from viz_core.charts.kit import cells, style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room, word_width
from viz_core.traces import AttentionTrace

NAMES = 44  # pixels over a panel for its name and its note
GAP = 14


def finding(traces: Mapping[str, AttentionTrace], row: int) -> str:
    """Where each model looks for one target word."""
    return "; ".join(f"{name}: {matrix.finding(t, row=row)}" for name, t in traces.items())


def _check(traces: Mapping[str, AttentionTrace]) -> None:
    words = {(trace.queries, trace.keys) for trace in traces.values()}
    if len(words) > 1:
        raise ValueError("Only models that read the same words and follow one target stand so.")


@drawn
def side_by_side(
    traces: Mapping[str, AttentionTrace],
    notes: Mapping[str, str] | None = None,
    *,
    row: int = 0,
    columns: int = 4,
    room: Room = PAGE,
    limit: int = 40,
) -> style.AnyChart:
    """A panel for each model, with a note under its name.

    Hovering a target word frames its row in every panel and writes the weights into its squares,
    in the browser. `row` is the one that is framed before anybody hovers.
    """
    scale = room.scale
    full = {name: trace for name, trace in traces.items() if trace.weights.size}
    if not full:
        return style.blank(matrix.NOTHING, scale)
    _check(full)
    one = next(iter(full.values()))
    lines = -(-len(full) // columns)
    # The words are written once: those at the left in one column, those above over one row.
    left = min(word_width(one.queries, style.font(scale)), 100 * scale)
    each = replace(
        room,
        width=(room.width - left - 34 * scale) / columns - GAP * scale,
        height=(room.height - 100 * scale) / lines - NAMES * scale,
        tall=(room.tall - 100 * scale) / lines - NAMES * scale,
    )
    wide, across = each.across(len(one.keys), 30, limit)
    high, rows = each.rows(min(len(one.queries), limit), 26, row)
    if rows.stop - rows.start < len(one.queries):
        rows = style.part(len(one.queries), rows.stop - rows.start, row)
    high = min(high, wide)
    # Never cleared, so that the row stays while the lecturer's pointer leaves the picture.
    hovered = alt.selection_point(
        name="row", fields=["query"], on="pointerover", clear=False, empty=False, value=row
    )
    panels: list[alt.LayerChart] = []
    views = [f"panel_{number}" for number in range(len(full))]
    for number, (name, trace) in enumerate(full.items()):
        data = cells.frame(trace.matrix(), trace.queries, trace.keys, rows, across)
        data = data.drop(columns="linked").assign(model=name)
        axes = _axes(one, rows, across, (wide, high), scale, number, columns, row)
        grid = _squares(data, axes).properties(name=views[number])
        drawn = [grid if number else grid.add_params(hovered)]
        drawn.append(cells.row_frame(data, hovered, scale))
        if wide >= 2 * room.least and high >= room.least:
            drawn.append(_numbers(data, hovered, room.least))
        panel = style.layered(*drawn)
        panels.append(
            panel.properties(
                width=wide * (across.stop - across.start),
                height=high * (rows.stop - rows.start),
                title=_name(name, (notes or {}).get(name, ""), scale),
            )
        )
    chart: alt.ConcatChart = alt.concat(*panels, columns=columns, spacing=GAP * scale)
    # One selection over all panels. Adding it to each would do the same, with a warning for each.
    for parameter in chart.params if isinstance(chart.params, list) else []:
        parameter.views = views
    parts = (
        style.part_note("target words", rows, len(one.queries)),
        style.part_note("source words", across, len(one.keys)),
    )
    if note := ", ".join(filter(None, parts)):
        size = style.font(scale, style.SMALL)
        title = alt.TitleParams(note, anchor="start", fontSize=size, fontWeight="normal")
        chart = chart.properties(title=title)
    return chart.properties(autosize=style.PAD, description=finding(full, row))


def _name(name: str, note: str, scale: float) -> alt.TitleParams:
    return alt.TitleParams(
        name,
        subtitle=[note] if note else [],
        anchor="start",
        frame="group",
        fontSize=style.font(scale, 15),
        fontWeight=600,
        subtitleFontSize=style.font(scale, style.SMALL),
        subtitleColor=style.INK,
        offset=4 * scale,
    )


def _axes(
    trace: AttentionTrace,
    rows: slice,
    across: slice,
    size: tuple[float, float],
    scale: float,
    number: int,
    columns: int,
    row: int | None,
) -> tuple[Any, Any]:
    """Source words over the first row of panels, target words at the left of the first column."""
    top = style.token_axis(
        trace.keys[across],
        orient="top",
        scale=scale,
        start=across.start,
        step=size[0],
        angle=-45 if size[0] > 1.6 * style.least(scale) else -90,
        label=100,
    )
    left = style.token_axis(
        trace.queries[rows],
        orient="left",
        scale=scale,
        start=rows.start,
        step=size[1],
        label=100,
        focus=row,
    )
    return top if number < columns else None, left if number % columns == 0 else None


def _squares(data: Any, axes: tuple[Any, Any]) -> alt.Chart:
    return (
        alt.Chart(data)
        .mark_rect(stroke=style.INK, strokeOpacity=style.FAINT, strokeWidth=0.75)
        .encode(
            x=alt.X("key:O", axis=axes[0], scale=alt.Scale(padding=0)),
            y=alt.Y("query:O", axis=axes[1], scale=alt.Scale(padding=0)),
            color=alt.Color("weight:Q", scale=style.weight_scale(), legend=None),
            tooltip=[alt.Tooltip("model:N"), *cells.TOOLTIP],
        )
    )


def _numbers(data: Any, hovered: alt.Parameter, size: float) -> alt.Chart:
    """The weights of the hovered row in their squares, .62; none below .05."""
    text = "datum.weight >= 0.995 ? '1' : replace(format(datum.weight, '.2f'), '0.', '.')"
    return (
        alt.Chart(data)
        .transform_filter(hovered)
        .transform_filter("datum.weight >= 0.05")
        .transform_calculate(number=text)
        .mark_text(fontSize=size, tooltip=None)
        .encode(x="key:O", y="query:O", text="number:N", color=style.cell_ink())
    )

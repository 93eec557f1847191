"""The head view: lines between two columns of words, coloured by head."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts import style
from viz_core.traces import AttentionTrace

NOTHING = "There are no words to attend to."


def finding(
    trace: AttentionTrace, layer: int, heads: Sequence[int], focus: int | None = None
) -> str:
    """The strongest line in words, of the focused word or of all."""
    weights = np.nan_to_num(trace.weights[layer][list(heads)])  # (head, query, key)
    if focus is not None:
        weights = weights[:, focus : focus + 1]
    if not weights.size:
        return NOTHING
    place, query, key = np.unravel_index(int(weights.argmax()), weights.shape)
    where = style.place(layer, heads[int(place)], trace.layers, trace.heads)
    asked = style.readable(trace.queries[int(query) + (focus or 0)])
    found = style.readable(trace.keys[int(key)])
    return style.describe(asked, found, float(weights[place, query, key]), where)


def _lines(
    trace: AttentionTrace,
    layer: int,
    heads: Sequence[int],
    rows: slice,
    columns: slice,
    threshold: float,
    hide: Collection[str],
    most: int,
) -> tuple[pd.DataFrame, int]:
    """One line of the table for each drawn line, and how many were left out for their number."""
    weights = np.nan_to_num(trace.weights[layer][list(heads)][:, rows, columns]).astype(float)
    for position, token in enumerate(trace.queries[rows]):
        weights[:, position] *= token not in hide
    for position, token in enumerate(trace.keys[columns]):
        weights[:, :, position] *= token not in hide
    # A line below one per cent cannot be seen.
    place, query, key = np.nonzero(weights >= max(threshold, 0.01))
    strongest = np.argsort(-weights[place, query, key], kind="stable")[:most]
    left_out = len(place) - len(strongest)
    place, query, key = place[strongest], query[strongest], key[strongest]
    # Lines of several heads between the same words lie beside each other.
    beside = (place - (len(heads) - 1) / 2) * min(0.6 / max(len(heads), 1), 0.12)
    words, keys = style.shown(trace.queries[rows]), style.shown(trace.keys[columns])
    frame = pd.DataFrame(
        {
            "query": query + rows.start,
            "key": key + columns.start,
            "head": np.array(heads, dtype=int)[place] + 1,
            "weight": weights[place, query, key].round(3),
            "start": (query + rows.start + beside).round(2),
            "end": (key + columns.start + beside).round(2),
            "from": [words[i] for i in query],
            "to": [keys[i] for i in key],
        }
    )
    return frame, left_out


def _column(
    tokens: Sequence[str],
    field: str,
    start: int,
    y: alt.Y,
    width: float,
    scale: float,
    hide: Collection[str],
) -> tuple[alt.Chart, alt.Chart]:
    """A column of words, and the invisible strips that catch the pointer for them."""
    left = field == "query"
    frame = pd.DataFrame({field: np.arange(len(tokens)) + start, "word": style.shown(tokens)})
    frame["place"], frame["above"], frame["below"] = (
        frame[field],
        frame[field] - 0.5,
        frame[field] + 0.5,
    )
    frame["hidden"] = [token in hide for token in tokens]
    words = (
        alt.Chart(frame)
        .mark_text(
            align="right" if left else "left",
            fontSize=style.font(scale),
            color=style.INK,
            limit=150 * scale,
            tooltip=None,
        )
        .encode(
            x=alt.value(-8 * scale if left else width + 8 * scale),
            y=y,
            text="word:N",
            opacity=alt.condition("datum.hidden", alt.value(0.45), alt.value(1)),
        )
    )
    edge = -130 * scale if left else width + 130 * scale
    strips = (
        alt.Chart(frame)
        .mark_rect(fill=style.BLUE, fillOpacity=0, cursor="pointer", tooltip=None)
        .encode(
            x=alt.value(min(edge, 0) if left else width),
            x2=alt.value(0 if left else edge),
            y=alt.Y("above:Q"),
            y2="below:Q",
        )
    )
    return words, strips


def head_view(
    trace: AttentionTrace,
    layer: int,
    heads: Sequence[int],
    *,
    threshold: float = 0.0,
    hide: Collection[str] = (),
    scale: float = 1.0,
    focus: int | None = None,
    limit: int = style.LIMIT,
    most: int = 1500,
) -> style.AnyChart:
    """Words on both sides, lines coloured by head, the stronger the weight the clearer the line.

    Hovering a word shows its lines alone and their weights at the right; clicking words on the left
    pins them (selection "pin", {query}); clicking the legend chooses heads. All in the browser.
    Lines below the threshold are not sent. `hide` names tokens without lines, such as "[SEP]".
    """
    if not trace.weights.size or not len(heads):
        return style.blank(NOTHING if len(heads) else "Choose at least one head.", scale)
    rows, columns = (style.part(len(t), limit, focus) for t in (trace.queries, trace.keys))
    frame, left_out = _lines(trace, layer, heads, rows, columns, threshold, hide, most)
    width, step = 330 * scale, 25 * scale
    count = max(rows.stop - rows.start, columns.stop - columns.start)
    start = min(rows.start, columns.start)
    domain = alt.Scale(
        domain=[start - 0.5, start + count - 0.5], reverse=True, nice=False, zero=False
    )
    y = alt.Y("place:Q", scale=domain, axis=None)
    hover: dict[str, Any] = {"on": "pointerover", "clear": "pointerout", "empty": False}
    asks = alt.selection_point(name="asks", fields=["query"], **hover)
    gives = alt.selection_point(name="gives", fields=["key"], **hover)
    pinned = [{"query": focus}] if focus is not None else alt.Undefined
    pin = alt.selection_point(
        name="pin", fields=["query"], on="click", toggle="true", empty=False, value=pinned
    )
    chosen = alt.selection_point(name="heads", fields=["head"], bind="legend")
    hovering = "(length(data('asks_store')) || length(data('gives_store')))"
    idle = f"!{hovering} && !length(data('pin_store'))"
    asked: dict[str, Any] = {"param": "asks", "empty": False}
    # A pinned word steps back while another one is hovered.
    stays = {"and": [{"param": "pin", "empty": False}, f"!{hovering}"]}
    seen = alt.PredicateComposition(
        {"or": [asked, {"param": "gives", "empty": False}, stays, idle]}
    )
    legend = style.legend("head", scale, orient="top", symbolOpacity=1, symbolStrokeWidth=4 * scale)
    colour = alt.Color("head:N", scale=style.head_scale(heads), legend=legend)
    # The root lets a thin line of weight 0.2 still be seen from the last row.
    shade = alt.Scale(type="sqrt", domain=[0, 1], range=[0.02, 1])
    strength = alt.Opacity("weight:Q", scale=shade, legend=None)
    rules = (
        alt.Chart(frame)
        .transform_filter(chosen)
        .mark_rule(strokeWidth=2.2 * scale, strokeCap="round")
        .encode(
            x=alt.value(0),
            x2=alt.value(width),
            y=alt.Y("start:Q", scale=domain, axis=None),
            y2="end:Q",
            color=colour,
            opacity=alt.condition(seen, strength, alt.value(0.02)),
            tooltip=["from:N", "to:N", "head:N", alt.Tooltip("weight:Q", format=".3f")],
        )
        .add_params(chosen)
    )
    numbers = (
        alt.Chart(frame)
        .transform_filter(chosen)
        .transform_filter(alt.PredicateComposition({"or": [asked, stays]}))
        .transform_aggregate(weight="max(weight)", groupby=["key"])
        .transform_filter("datum.weight >= 0.05")
        .transform_calculate(place="datum.key")
        .mark_text(align="right", fontSize=style.font(scale, style.SMALL), color=style.INK)
        .encode(x=alt.value(width + 128 * scale), y=y, text=alt.Text("weight:Q", format=".2f"))
    )
    left, left_strips = _column(trace.queries[rows], "query", rows.start, y, width, scale, hide)
    right, right_strips = _column(trace.keys[columns], "key", columns.start, y, width, scale, hide)
    strips = [left_strips.add_params(asks, pin), right_strips.add_params(gives)]
    notes = [
        style.part_note("words", rows, len(trace.queries)),
        f"the {most} strongest lines, {left_out} more are left out" if left_out else "",
    ]
    heading = f"Layer {layer + 1}" if trace.layers > 1 else ""
    chart = style.layered(rules, numbers, left, right, *strips)
    return chart.properties(
        autosize=style.PAD,
        width=width,
        height=step * count,
        title=style.title(heading, notes, scale),
        description=finding(trace, layer, heads, focus),
    )

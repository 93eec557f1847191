"""The head view: lines between two columns of words, coloured by head.

It is redrawn for every sentence, layer and threshold, so its Vega-Lite is written out, and what
goes to the browser is four small numbers a line: the browser works out where each line runs. All
heads of a layer go there, so that lighting another one asks no server.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from viz_core.charts import head_chips
from viz_core.charts.kit import style, vegalite
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room, word_width
from viz_core.traces import AttentionTrace

NOTHING = "There are no words to attend to."
DARK = "Choose at least one head."
PHONE = 438  # pixels, the widest picture whose type a phone can still show without scrolling
WORD = 104  # pixels of the longest word
NUMBER = 42  # pixels of a weight at the right


def finding(
    trace: AttentionTrace, layer: int, heads: Sequence[int], focus: int | None = None
) -> str:
    """The strongest line in words, of the focused word or of all."""
    weights = np.nan_to_num(trace.weights[layer][list(heads)])  # (head, query, key)
    if focus is not None:
        weights = weights[:, focus : focus + 1]
    if not weights.size:
        return NOTHING if len(heads) else DARK
    place, query, key = np.unravel_index(int(weights.argmax()), weights.shape)
    head = None if trace.heads == 1 else heads[int(place)]  # one alone is the mean of several
    where = style.place(layer, head, trace.layers, trace.heads)
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
) -> tuple[pa.Table, int]:
    """One line of the table for each drawn line, and how many were left out for their number."""
    weights = np.nan_to_num(trace.weights[layer][list(heads)][:, rows, columns])
    weights[:, [token in hide for token in trace.queries[rows]]] = 0
    weights[:, :, [token in hide for token in trace.keys[columns]]] = 0
    # A line below one per cent cannot be seen.
    place, query, key = np.nonzero(weights >= max(threshold, 0.01))
    strength = weights[place, query, key]
    order = np.lexsort((-strength, place))  # head by head, the strongest first
    begins = np.searchsorted(place[order], np.arange(len(heads)))
    kept = order[np.arange(len(order)) - begins[place[order]] < most]
    left_out = len(place) - len(kept)
    place, query, key = place[kept], query[kept], key[kept]
    table = {
        "query": (query + rows.start).astype(np.int16),
        "key": (key + columns.start).astype(np.int16),
        "head": (np.array(heads, dtype=np.int16)[place] + 1),
        "weight": strength[kept].round(3),
    }
    return pa.table(table), left_out


# ---- the picture in Vega-Lite -----------------------------------------------------------------

HOVERING = "(length(data('asks_store')) || length(data('gives_store')))"
IDLE = f"!{HOVERING} && !length(data('pin_store'))"
ASKED = {"param": "asks", "empty": False}
GIVEN = {"param": "gives", "empty": False}
# A pinned word steps back while another one is hovered.
STAYS = {"and": [{"param": "pin", "empty": False}, f"!{HOVERING}"]}
LIT = {"filter": {"param": "heads", "empty": False}}
LINES = {"name": "lines"}  # the table of lines


def _selections(focus: int | None, lit: Sequence[int]) -> list[dict[str, Any]]:
    """Hovered on either side, pinned on the left, lit above: all in the browser.

    Vega-Lite's own clickable legend will not do: it takes a click on any word for one more click on
    the head that was clicked last.
    """

    def point(name: str, field: str, view: str, **how: Any) -> dict[str, Any]:
        return {
            "name": name,
            "select": {"type": "point", "fields": [field], **how},
            "views": [view],
        }

    def hovered(name: str, field: str, view: str) -> dict[str, Any]:
        """A word, or a line that has it at its end; not whatever else is drawn."""
        over, out = (
            ", ".join(f"@{mark}_marks:pointer{way}" for mark in (view, "rules"))
            for way in ("over", "out")
        )
        return point(name, field, view, on=over, clear=out)

    def clicked(name: str, field: str, view: str, at: Sequence[int]) -> dict[str, Any]:
        found = point(name, field, view, on=f"@{view}_marks:click", toggle="true")
        return found | {"value": [{field: number} for number in at]} if len(at) else found

    return [
        clicked("heads", "head", "chips", [head + 1 for head in lit]),
        hovered("asks", "query", "left"),
        clicked("pin", "query", "left", [] if focus is None else [focus]),
        hovered("gives", "key", "right"),
    ]


def _words_of(tokens: Sequence[str], field: str, start: int) -> str:
    """An expression for the word at a position; tokens travel as ASCII JSON, so they stay data."""
    return f"{json.dumps(style.shown(tokens))}[datum.{field} - {start}]"


def _rules(
    heads: Sequence[int], words: Sequence[str], y: dict[str, Any], width: float, scale: float
) -> dict[str, Any]:
    """The lines. Those of several lit heads between the same words lie beside each other."""
    beside = "(datum.place - (datum.several + 1) / 2) * min(0.6 / datum.several, 0.12)"
    # The root lets a thin line of weight 0.2 still be seen from the last row.
    shade = {"type": "sqrt", "domain": [0, 1], "range": [0.02, 1]}
    strength = {"field": "weight", "type": "quantitative", "scale": shade, "legend": None}
    seen = {"test": {"or": [ASKED, GIVEN, STAYS, IDLE]}, **strength}
    return {
        "name": "rules",
        "data": LINES,
        "mark": {"type": "rule", "strokeWidth": 2.2 * scale, "strokeCap": "round"},
        "transform": [
            LIT,
            {"window": [{"op": "dense_rank", "as": "place"}], "sort": [{"field": "head"}]},
            {"joinaggregate": [{"op": "max", "field": "place", "as": "several"}]},
            {"calculate": f"datum.query + {beside}", "as": "start"},
            {"calculate": f"datum.key + {beside}", "as": "end"},
            *(
                {"calculate": word, "as": end}
                for word, end in zip(words, ("from", "to"), strict=True)
            ),
        ],
        "encoding": {
            "x": {"value": 0},
            "x2": {"value": width},
            "y": y | {"field": "start"},
            "y2": {"field": "end"},
            "color": head_chips.colour(heads),
            "opacity": {"condition": seen, "value": 0.02},
            "tooltip": [
                *({"field": field, "type": "nominal"} for field in ("from", "to", "head")),
                {"field": "weight", "type": "quantitative", "format": ".3f"},
            ],
        },
    }


def _numbers(y: dict[str, Any], edge: float, size: float) -> dict[str, Any]:
    """The weights of the hovered or pinned word, beside the words it looks at."""
    return {
        "data": LINES,
        "mark": {
            "type": "text",
            "align": "right",
            "fontSize": size,
            "color": style.INK,
        },
        "transform": [
            LIT,
            {"filter": {"or": [ASKED, STAYS]}},
            {
                "aggregate": [{"op": "max", "field": "weight", "as": "weight"}],
                "groupby": ["key"],
            },
            {"filter": "datum.weight >= 0.05"},
        ],
        "encoding": {
            "x": {"value": edge},
            "y": y | {"field": "key"},
            "text": {"field": "weight", "type": "quantitative", "format": ".2f"},
        },
    }


def _column(
    tokens: Sequence[str],
    field: str,
    start: int,
    y: dict[str, Any],
    width: float,
    word: float,
    size: float,
    hide: Collection[str],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A column of words, and the invisible strips that catch the pointer for them."""
    left = field == "query"
    edge = -word if left else width + word
    rows = [
        {field: start + i, "word": word, "hidden": token in hide}
        for i, (token, word) in enumerate(zip(tokens, style.shown(tokens), strict=True))
    ]
    words = {
        "data": {"values": rows},
        "mark": {
            "type": "text",
            "align": "right" if left else "left",
            "fontSize": size,
            "color": style.INK,
            "limit": word - 8,
            "tooltip": None,
        },
        "encoding": {
            "x": {"value": -8 if left else width + 8},
            "y": y | {"field": field},
            "text": {"field": "word", "type": "nominal"},
            "opacity": {"condition": {"test": "datum.hidden", "value": 0.45}, "value": 1},
        },
    }
    strips = {
        "name": "left" if left else "right",
        "data": {"values": [{field: row[field], "word": row["word"]} for row in rows]},
        "mark": {
            "type": "rect",
            "fill": style.BLUE,
            "fillOpacity": 0,
            "cursor": "pointer",
            "tooltip": {"expr": "datum.word"},  # a long one is shortened
        },
        "transform": [
            {"calculate": f"datum.{field} - 0.5", "as": "above"},
            {"calculate": f"datum.{field} + 0.5", "as": "below"},
        ],
        "encoding": {
            "x": {"value": min(edge, 0) if left else width},
            "x2": {"value": 0 if left else edge},
            "y": {"field": "above", "type": "quantitative"},
            "y2": {"field": "below"},
        },
    }
    return words, strips


def _heading(trace: AttentionTrace, layer: int) -> str | dict[str, str]:
    """The layer, and the head if one alone is lit: the browser knows which."""
    named = f"Layer {layer + 1}" if trace.layers > 1 else ""
    if trace.heads == 1:
        return named
    lead = f"{named}, head " if named else "Head "
    alone = "length(data('heads_store')) == 1"
    return {"expr": f"{alone} ? {lead!r} + data('heads_store')[0].values[0] : {named!r}"}


def fit_words(room: Room, count: int) -> tuple[float, int]:
    """The height of a word's line, and how many words can be shown."""
    step, part = room.less(height=66).rows(count, 25, every=True)  # under the title and the heads
    return step, part.stop


@drawn
def head_view(
    trace: AttentionTrace,
    layer: int,
    heads: Sequence[int],
    *,
    lit: Sequence[int] | None = None,
    threshold: float = 0.0,
    hide: Collection[str] = (),
    room: Room = PAGE,
    focus: int | None = None,
    title: str = "",
    limit: int = style.LIMIT,
    most: int = 400,
) -> style.AnyChart:
    """Words on both sides, lines coloured by head, the stronger the weight the clearer the line.

    Hovering a word shows its lines alone and their weights at the right; clicking words on the left
    pins them (selection "pin", {query}); clicking a head in the legend lights it or puts it out.
    All in the browser. `lit` are the heads that are alight at first, all unless told otherwise.
    Lines below the threshold are not sent, nor more than `most` of a head. `hide` names tokens
    without lines, such as "[SEP]".
    """
    scale = room.scale
    lit = heads if lit is None else lit
    if not trace.weights.size:
        return style.blank(NOTHING, scale)
    step, limit = fit_words(room, min(max(len(trace.queries), len(trace.keys)), limit))
    rows, columns = (style.part(len(t), limit, focus) for t in (trace.queries, trace.keys))
    table, left_out = _lines(trace, layer, heads, rows, columns, threshold, hide, most)
    size = min(style.font(scale), max(round(step * 0.85, 1), room.least))
    wider = min(room.width, PHONE * scale if scale <= 1 else room.width)
    word, other = (
        min(word_width(side, size), WORD * scale) + 16 * scale
        for side in (trace.queries[rows], trace.keys[columns])
    )
    edge = other + NUMBER * scale
    width = max(wider - word - edge, 60 * scale)
    count = max(rows.stop - rows.start, columns.stop - columns.start)
    start = min(rows.start, columns.start)
    y = {
        "type": "quantitative",
        "axis": None,
        "scale": {
            "domain": [start - 0.5, start + count - 0.5],
            "reverse": True,
            "nice": False,
            "zero": False,
        },
    }
    words = (
        _words_of(trace.queries[rows], "query", rows.start),
        _words_of(trace.keys[columns], "key", columns.start),
    )
    left, left_strips = _column(
        trace.queries[rows], "query", rows.start, y, width, word, size, hide
    )
    right, right_strips = _column(
        trace.keys[columns], "key", columns.start, y, width, other, size, hide
    )
    notes = [
        "" if len(lit) else DARK,
        style.part_note("words", rows, len(trace.queries)),
        f"of each head its {most} strongest lines" if left_out else "",
    ]
    rules, numbers = _rules(heads, words, y, width, scale), _numbers(y, width + edge, size)
    chips = head_chips.chips(heads, (word, width, edge), scale)
    spec = {
        "layer": [rules, numbers, left, right, left_strips, right_strips, *chips],
        "params": _selections(focus, lit),
        "autosize": {"type": "pad", "contains": "padding"},
        "width": width,
        "height": step * count,
        "title": vegalite.title(title, notes, scale)
        | ({} if title else {"text": _heading(trace, layer)}),
        "description": finding(trace, layer, lit, focus),
        "usermeta": {"narrow": wider <= PHONE and size >= style.BASE},
    }
    return vegalite.Written(spec, {LINES["name"]: table})

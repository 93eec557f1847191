"""The heads of a layer in a row above their lines, each to be clicked, all in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from viz_core.charts.kit import style

ABOVE = 18  # pixels from the lines up to the heads above them


def colour(heads: Sequence[int]) -> dict[str, Any]:
    return {
        "field": "head",
        "type": "nominal",
        "scale": {
            "domain": [head + 1 for head in heads],
            "range": [style.HEADS[head % len(style.HEADS)] for head in heads],
        },
        "legend": None,
    }


def chips(
    heads: Sequence[int], sides: tuple[float, float, float], scale: float
) -> list[dict[str, Any]]:
    """The heads in a row above the lines, the lit ones bright, each to be clicked.

    sides are the widths of the words at the left, of the lines and of the words at the right.
    """
    word, width, edge = sides
    start, size = 44 * scale - word, 9 * scale
    digits = [len(str(head + 1)) - 1 for head in heads]  # beyond the first
    wide = style.font(scale) * 0.6  # a digit: heads of two need that much more room
    free = width + edge - start - wide * sum(digits)
    step = min(free / max(len(heads), 1), 60 * scale)
    rows = [
        {"head": head + 1, "at": start + place * step + wide * sum(digits[:place])}
        for place, head in enumerate(heads)
    ]
    rows = rows if len(rows) > 1 else []  # one alone is named in the title
    bright = {"condition": {"param": "heads", "empty": False, "value": 1}, "value": 0.35}
    top = -ABOVE * scale
    small = style.font(scale)

    def layer(mark: dict[str, Any], offset: float, **encoding: Any) -> dict[str, Any]:
        at = {"field": "at", "type": "quantitative", "scale": None}
        return {
            "data": {"values": rows},
            "mark": {"tooltip": None, "xOffset": offset, **mark},
            "encoding": {"x": at, "y": {"value": top}, **encoding},
        }

    square = {"type": "square", "size": size * size, "opacity": 1}
    number = {"type": "text", "align": "left", "fontSize": small, "color": style.INK}
    caught = {
        "type": "square",
        "size": min(step, 30 * scale) ** 2,
        "opacity": 0,
        "cursor": "pointer",
    }
    title = {"type": "text", "align": "right", "fontSize": small, "color": style.INK}
    # Of several heads the numbers at the right are those of the strongest.
    most = {"expr": "length(data('heads_store')) > 1 ? 'max' : ''"}
    return [
        layer(square, size / 2, color=colour(heads), opacity=bright),
        layer(number, size * 1.4, text={"field": "head", "type": "nominal"}, opacity=bright),
        layer(title, -8 * scale, text={"value": "head"}) | {"data": {"values": rows[:1]}},
        layer(title | {"text": most}, 0, x={"value": width + edge}, y={"value": -5 * scale})
        | {"data": {"values": rows[:1]}},
        {"name": "chips"} | layer(caught, min(step, 30 * scale) / 2 - 2 * scale),
    ]

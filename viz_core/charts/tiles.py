"""The model view to click: a small picture of every head, layers down, heads across."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.analysis import SPECIAL
from viz_core.charts.head_grid import DOTS, finding, pooled
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.traces import AttentionTrace

TILE, GAP = 42, 5  # pixels of the largest tile, and between two
SIGN = 13  # pixels for a head's sign below its tile
INKED = tuple(int(style.BLUE[i : i + 2], 16) for i in (1, 3, 5))
# What a head does, as a sign that is still read at the size of a tile.
SIGNS = {
    "previous": "←",
    "next": "→",
    "self": "•",
    "first": "⇤",
    "separator": "⇥",
    "broad": "≈",
    "it": "it",
    "determiner": "D",
    "object": "O",
    "preposition": "P",
}
MEANT = {"first": "the first token", "self": "itself", "it": "= finds what it means"}


def png(pixels: NDArray[np.uint8]) -> str:
    """(row, column, red green blue alpha) as the address of an image: one for each head."""
    high, wide, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", wide, high, 8, 6, 0, 0, 0)  # 8 bits, colour and alpha
    image = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    image += chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(image).decode("ascii")


def picture(weights: NDArray[np.uint8]) -> str:
    """One head: blue whose opacity is the root of the weight, as in all overviews."""
    pixels = np.empty((*weights.shape, 4), dtype=np.uint8)
    pixels[..., :3] = INKED
    pixels[..., 3] = np.round(np.sqrt(weights / 255.0) * 255)
    return png(pixels)


def signs(labels: Sequence[Sequence[str]], keys: Sequence[str]) -> str:
    """What the signs below the tiles say, those that occur; special tokens by their own names."""
    found = {label for row in labels for label in row}
    ends = {"first": keys[0], "separator": keys[-1]}
    meant = MEANT | {habit: token for habit, token in ends.items() if token in SPECIAL}
    told = (f"{sign} {meant.get(name, name)}" for name, sign in SIGNS.items() if name in found)
    return " · ".join(told)


@drawn
def tiles(
    trace: AttentionTrace,
    *,
    labels: Sequence[Sequence[str]] = (),
    chosen: Sequence[tuple[int, int]] = (),
    room: Room = PAGE,
) -> style.AnyChart:
    """A small matrix for each head; clicking one sets the selection "tile" to {layer, head}.

    `labels` has a word for each head, drawn as its sign below the tile; `chosen` heads are framed.
    Above 48 tokens a dot is the largest weight of several, and the subtitle says so.
    """
    scale = room.scale
    if not trace.weights.size:
        return style.blank("There are no words to attend to.", scale)
    layers, heads = trace.layers, trace.heads
    small = pooled(trace.weights)
    gap = GAP * scale
    below = SIGN * scale if any(any(row) for row in labels) else 0.0
    left = room.less(width=24, height=90)  # beside the layers, under the title and the heads
    side = min(left.width / heads - gap, left.height / layers - gap - below, TILE * scale)
    side = max(side, 14 * scale)
    frame = pd.DataFrame(
        {
            "layer": np.repeat(np.arange(layers), heads),
            "head": np.tile(np.arange(heads), layers),
            "picture": [picture(small[i, j]) for i in range(layers) for j in range(heads)],
            "label": [word for row in labels for word in row] or "",
        }
    )
    frame["sign"] = frame["label"].map(SIGNS).fillna("")
    frame["left"] = frame["head"] * (side + gap)
    frame["top"] = frame["layer"] * (side + gap + below)
    frame["right"], frame["bottom"] = frame["left"] + side, frame["top"] + side
    frame["middle"], frame["centre"] = frame["left"] + side / 2, frame["top"] + side / 2
    frame["foot"] = frame["bottom"] + below / 2 + 1
    frame["chosen"] = [place in chosen for place in zip(frame["layer"], frame["head"], strict=True)]
    wide, high = heads * (side + gap) - gap, layers * (side + gap + below) - gap

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, wide], nice=False), axis=None)

    def y(field: str) -> alt.Y:
        down = alt.Scale(domain=[high, 0], nice=False, zero=False)
        return alt.Y(f"{field}:Q", scale=down, axis=None)

    said = [alt.Tooltip("place:N", title="head")]
    said += [alt.Tooltip("label:N", title="habit")] if any(frame["label"]) else []
    base = (
        alt.Chart(frame)
        .transform_calculate(place="'layer ' + (datum.layer + 1) + ' head ' + (datum.head + 1)")
        .encode(tooltip=said)
    )
    images = base.mark_image(width=side, height=side, smooth=False).encode(
        x=x("middle"), y=y("centre"), url="picture:N"
    )
    tile = alt.selection_point(name="tile", fields=["layer", "head"], on="click", empty=False)
    squares = base.mark_rect(fill=style.BLUE, fillOpacity=0, stroke=style.INK, cursor="pointer")
    squares = squares.encode(
        x=x("left"),
        x2="right:Q",
        y=y("top"),
        y2="bottom:Q",
        stroke=alt.condition("datum.chosen", alt.value(style.VERMILION), alt.value(style.INK)),
        strokeWidth=alt.condition("datum.chosen", alt.value(3 * scale), alt.value(1)),
        strokeOpacity=alt.condition("datum.chosen", alt.value(1), alt.value(0.35)),
    )
    plain: dict[str, Any] = {
        "fontSize": style.font(scale, style.SMALL),
        "color": style.INK,
        "tooltip": None,
    }
    across = alt.Chart(frame[frame["layer"] == 0]).mark_text(dy=-10 * scale, **plain)
    down = alt.Chart(frame[frame["head"] == 0]).mark_text(align="right", dx=-8 * scale, **plain)
    layered = [
        images,
        squares.add_params(tile),
        across.transform_calculate(number="datum.head + 1").encode(
            x=x("middle"), y=alt.value(0), text="number:Q"
        ),
        down.transform_calculate(number="datum.layer + 1").encode(
            x=alt.value(0), y=y("centre"), text="number:Q"
        ),
    ]
    if below:
        feet = base.mark_text(**plain)
        layered.append(feet.encode(x=x("middle"), y=y("foot"), text="sign:N"))
    most = max(len(trace.queries), len(trace.keys))
    note = f"{most} tokens: a dot is the largest weight of several" if most > DOTS else ""
    return style.layered(*layered).properties(
        autosize=style.PAD,
        width=wide,
        height=high,
        title=style.title("Layers down, heads across", [signs(labels, trace.keys), note], scale),
        description=finding(trace),
    )

"""All layers and heads at a glance: small matrices, or one number for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.charts import matrix
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.traces import AttentionTrace, Weights

DOTS = 48  # cells along a tile that can still be told apart


def pooled(weights: Weights, most: int = DOTS) -> NDArray[np.uint8]:
    """(layer, head, query, key) as bytes, no side longer than `most`.

    Of neighbouring cells the largest weight stays, as a thin diagonal would fade in their mean.
    """
    for axis in (2, 3):
        size = weights.shape[axis]
        if size > most:
            starts = np.linspace(0, size, most, endpoint=False).astype(int)
            weights = np.maximum.reduceat(weights, starts, axis=axis)
    return np.round(np.nan_to_num(weights).clip(0, 1) * 255).astype(np.uint8)


def finding(trace: AttentionTrace) -> str:
    """The sharpest and the broadest head in words."""
    if not trace.weights.size:
        return matrix.NOTHING
    sharp = np.nan_to_num(trace.weights).max(axis=3).mean(axis=2)  # (layer, head)
    most, least = (np.unravel_index(int(i), sharp.shape) for i in (sharp.argmax(), sharp.argmin()))
    best, worst = (style.place(int(layer), int(head)) for layer, head in (most, least))
    return (
        f"Sharpest is {best}, mean largest weight {sharp[most]:.2f}; "
        f"broadest is {worst}, {sharp[least]:.2f}"
    )


def finding_of_grid(scores: NDArray[np.floating], title: str) -> str:
    """The best head in words."""
    if not scores.size:
        return "There are no heads."
    layer, head = np.unravel_index(int(np.nan_to_num(scores, nan=-np.inf).argmax()), scores.shape)
    return f"{title}: highest in {style.place(int(layer), int(head))}, {scores[layer, head]:.2f}"


@drawn
def head_grid(
    scores: NDArray[np.floating],
    title: str,
    labels: NDArray[Any] | Sequence[Sequence[str]] | None = None,
    *,
    extent: float = 1.0,
    chosen: tuple[int, int] | None = None,
    scale: float = 1.0,
) -> style.AnyChart:
    """A tile for each head, layers down, heads across, bluer where the score is higher.

    Clicking a tile sets the selection "tile" to {layer, head}, counted from zero. `labels` writes a
    word under each number, `extent` is the score of a full blue.
    """
    scores = np.asarray(scores, dtype=float)
    if not scores.size:
        return style.blank("There are no heads.", scale)
    layers, heads = scores.shape
    frame = pd.DataFrame(
        {
            "layer": np.repeat(np.arange(layers), heads),
            "head": np.tile(np.arange(heads), layers),
            "score": np.nan_to_num(scores).round(4).ravel(),
            "label": [str(word) for row in labels for word in row] if labels is not None else "",
        }
    )
    frame["weight"] = (frame["score"] / extent).clip(0, 1)  # colours are always those of [0, 1]
    side = (58 if labels is not None else 46) * scale
    count = style.axis(
        None, scale, orient="top", labelExpr="datum.value + 1", labelAngle=0, grid=False
    )
    count.title = "head"
    down = style.axis("layer", scale, labelExpr="datum.value + 1", grid=False)
    base = (
        alt.Chart(frame)
        .transform_calculate(place="'layer ' + (datum.layer + 1) + ' head ' + (datum.head + 1)")
        .encode(
            x=alt.X("head:O", axis=count),
            y=alt.Y("layer:O", axis=down),
            tooltip=[
                alt.Tooltip("place:N", title="head"),
                alt.Tooltip("score:Q", title=title, format=".3f"),
                alt.Tooltip("label:N"),
            ],
        )
    )
    value = [{"layer": chosen[0], "head": chosen[1]}] if chosen else alt.Undefined
    tile = alt.selection_point(
        name="tile", fields=["layer", "head"], on="click", empty=False, value=value
    )
    tiles = base.mark_rect(stroke=style.INK, strokeOpacity=style.FAINT, cursor="pointer").encode(
        color=alt.Color("weight:Q", scale=style.weight_scale(), legend=None)
    )
    rise = -8 * scale if labels is not None else 0
    numbers = base.mark_text(fontSize=style.font(scale), dy=rise).encode(
        text=alt.Text("score:Q", format=".2f"), color=style.cell_ink()
    )
    words = base.mark_text(fontSize=style.font(scale, 11), dy=10 * scale, limit=side - 4).encode(
        text="label:N", color=style.cell_ink()
    )
    frames = base.transform_filter(tile).mark_rect(
        filled=False, stroke=style.VERMILION, strokeWidth=3 * scale
    )
    chart = style.layered(tiles.add_params(tile), numbers, words, frames)
    return chart.properties(
        autosize=style.PAD,
        width=side * heads,
        height=(48 if labels is not None else 38) * scale * layers,
        title=style.title(title, (), scale),
        description=finding_of_grid(scores, title),
    )

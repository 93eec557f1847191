"""Pictures in patches: every head's map, and how alike the learned places are."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from viz_core.analysis import patches as told
from viz_core.charts import gaze
from viz_core.charts.gaze import Look
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.memory import pixels
from viz_core.charts.recurrent import x_at, y_at
from viz_core.traces import Weights
from viz_core.traces.image import ImageTrace
from viz_core.traces.photo import Photo

GAP, TITLE, LARGEST = 4, 60, 44  # pixels


def heads(
    photo: Photo, trace: ImageTrace, query: int, *, layer: int | None = None, room: Room = PAGE
) -> style.AnyChart:
    """The picture, rollout over it, and where every head of a layer, or of all, looks."""
    maps = told.head_maps(trace, query)
    rolled = told.rolled(trace, query)
    looks = [
        Look(label="", below="as the model sees it"),
        Look(label="rollout", below="all layers", weights=scaled(rolled)),
    ]
    for number in range(len(maps)) if layer is None else [layer]:
        looks += [
            Look(
                label=f"layer {number + 1} head {head + 1}",
                below=f"largest {each.max():.2f}",
                weights=scaled(each),
            )
            for head, each in enumerate(maps[number])
        ]
    name = "[class]" if query == 0 else f"patch {trace.attention.queries[query]}"
    title = f"{trace.best}, {trace.probabilities.max():.0%}: where {name} looks"
    said = f"{title}. {told.finding(trace, query)}"
    return gaze.pictures(
        photo, tuple(looks), title=title, said=said, brightest="the largest", room=room
    )


def scaled(weights: Weights) -> Weights:
    """Each map by its own largest weight: heads differ too much for one scale."""
    found: Weights = weights / max(float(weights.max()), 1e-9)
    return found


def formula(trace: ImageTrace, query: int, size: int) -> str:
    """Equation 2 of the paper, and the strongest look of the last layer's first head, in LaTeX."""
    weights = trace.attention.weights[-1, 0, query]
    strongest = int(weights.argmax())
    return (
        r"z'_\ell = \text{MSA}(\text{LN}(z_{\ell-1})) + z_{\ell-1}, \qquad "
        rf"\text{{layer {len(trace.attention.weights)}, head 1: }}"
        rf"\text{{softmax}}\left(\frac{{q\,k_{{{strongest}}}}}{{\sqrt{{{size}}}}}\right) = "
        rf"{weights[strongest]:.3f} \text{{ on {trace.attention.keys[strongest]}}}"
    )


@drawn
def alike(cosines: Weights, grid: int, *, room: Room = PAGE) -> style.AnyChart:
    """Dosovitskiy et al. 2021, figure 7: for each patch a map of its place's cosines with all."""
    scale = room.scale
    side = min((room.height - TITLE * scale) / grid - GAP * scale, LARGEST * scale)
    step, total = side + GAP * scale, grid * (side + GAP * scale)
    rows, columns = np.divmod(np.arange(grid**2), grid)
    maps = cosines.reshape(grid**2, grid, grid)
    frame = pd.DataFrame(
        {
            "picture": [pixels(each.clip(0, 1)) for each in maps],
            "patch": [f"row {r + 1}, column {c + 1}" for r, c in zip(rows, columns, strict=True)],
            "x": columns * step + side / 2,
            "y": rows * step + side / 2,
            "left": columns * step,
            "right": columns * step + side,
            "top": rows * step,
            "bottom": rows * step + side,
        }
    )
    base = alt.Chart(frame)
    images = base.mark_image(width=side, height=side, smooth=False, tooltip=None).encode(
        x=x_at("x", total), y=y_at("y", total), url="picture:N"
    )
    frames = base.mark_rect(
        fill=style.BLUE, fillOpacity=0, stroke=style.INK, strokeOpacity=0.35
    ).encode(
        x=x_at("left", total),
        x2="right:Q",
        y=y_at("top", total),
        y2="bottom:Q",
        tooltip=["patch:N"],
    )
    note = "empty: cosine 0 or less · full blue: cosine 1, the place itself"
    return style.layered(images, frames).properties(
        autosize=style.PAD,
        width=total,
        height=total,
        title=style.title("How alike the learned places are", note, scale),
        description=told.nearness(cosines, grid),
    )

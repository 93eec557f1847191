"""Small pictures for tiles: the same numbers as on the page, without axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.charts import matrix
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.traces import AttentionTrace
from viz_core.traces.search import BeamTrace

WIDTH, HEIGHT = 180, 108
Sketch = TypeVar("Sketch", alt.Chart, alt.LayerChart)


@drawn
def heat(weights: NDArray[np.floating], description: str) -> alt.Chart:
    """A matrix as squares."""
    rows, columns = weights.shape
    frame = pd.DataFrame(
        {
            "row": np.repeat(np.arange(rows), columns),
            "column": np.tile(np.arange(columns), rows),
            "weight": np.round(weights.astype(float), 3).ravel(),
        }
    )
    return _sized(
        alt.Chart(frame)
        .mark_rect(stroke=style.INK, strokeOpacity=style.FAINT, strokeWidth=0.5)
        .encode(
            x=alt.X("column:O", axis=None),
            y=alt.Y("row:O", axis=None),
            color=alt.Color("weight:Q", scale=style.weight_scale(), legend=None),
        ),
        description,
    )


@drawn
def alignment(trace: AttentionTrace) -> alt.Chart:
    """The last layer of a trace, mean of its heads."""
    last = trace.layers - 1
    return heat(trace.matrix(last, None), matrix.finding(trace, last, None))


@drawn
def curves(values: NDArray[np.floating], description: str) -> alt.Chart:
    """One line per row."""
    rows, columns = values.shape
    frame = pd.DataFrame(
        {
            "row": np.repeat(np.arange(rows), columns),
            "x": np.tile(np.arange(columns), rows),
            "y": np.round(values.astype(float), 3).ravel(),
        }
    )
    colour = alt.Color("row:O", scale=alt.Scale(range=list(style.HEADS)), legend=None)
    return _sized(
        alt.Chart(frame)
        .mark_line(strokeWidth=2)
        .encode(x=alt.X("x:Q", axis=None), y=alt.Y("y:Q", axis=None), color=colour),
        description,
    )


@drawn
def photograph(address: str, ratio: float, description: str) -> alt.Chart:
    """An image, ratio times as high as it is wide, as large as fits."""
    wide = min(WIDTH, HEIGHT / ratio)
    image = alt.Chart(pd.DataFrame({"image": [address]})).mark_image(
        width=wide, height=wide * ratio, aspect=False
    )
    x, y = alt.value(WIDTH / 2), alt.value(HEIGHT / 2)  # unless told, an image is about a corner
    return _sized(image.encode(x=x, y=y, url="image:N"), description)


@drawn
def arrows(
    starts: NDArray[np.floating], ends: NDArray[np.floating], description: str
) -> alt.LayerChart:
    """Arrows between points of a plane, both (arrow, 2)."""
    frame = pd.DataFrame(
        np.concatenate((starts, ends), axis=1).round(3), columns=["x", "y", "x2", "y2"]
    )
    fitted = alt.Scale(zero=False, padding=14)
    x, y = (alt.X("x:Q", axis=None, scale=fitted), alt.Y("y:Q", axis=None, scale=fitted))
    lines = alt.Chart(frame).mark_rule(color=style.BLUE, strokeWidth=3)
    tips = alt.Chart(frame).mark_point(filled=True, color=style.VERMILION, size=110, opacity=1)
    feet = alt.Chart(frame).mark_point(filled=True, color=style.BLUE, size=60, opacity=1)
    both = style.layered(
        lines.encode(x=x, x2="x2", y=y, y2="y2"),
        feet.encode(x=x, y=y),
        tips.encode(x=alt.X("x2:Q"), y=alt.Y("y2:Q")),
    )
    return _sized(both, description)


@drawn
def bars(values: Sequence[float] | NDArray[np.floating], description: str) -> alt.Chart:
    """One bar per value, those below zero in vermilion."""
    frame = pd.DataFrame({"bar": range(len(values)), "value": np.round(values, 3)})
    colour = alt.condition("datum.value < 0", alt.value(style.VERMILION), alt.value(style.BLUE))
    return _sized(
        alt.Chart(frame)
        .mark_bar()
        .encode(x=alt.X("value:Q", axis=None), y=alt.Y("bar:O", axis=None), color=colour),
        description,
    )


@drawn
def tree(beam: BeamTrace, description: str) -> alt.Chart:
    """Kept hypotheses as a tree, time to the right, the winner in full blue."""
    best = set(beam.path(beam.best))
    kept = [i for i, node in enumerate(beam.nodes) if node.status != "pruned" or i in best]
    place: dict[int, int] = {}
    for i in kept:  # a row per hypothesis of its step, best first
        step = beam.nodes[i].step
        place[i] = sum(beam.nodes[j].step == step for j in place)
    frame = pd.DataFrame(
        [
            {
                "x": beam.nodes[i].step,
                "y": place[i],
                "x2": beam.nodes[beam.nodes[i].parent].step,
                "y2": place[beam.nodes[i].parent],
                "best": i in best,
            }
            for i in kept
            if beam.nodes[i].parent in place
        ]
    )
    return _sized(
        alt.Chart(frame)
        .mark_rule(color=style.BLUE)
        .encode(
            x=alt.X("x:Q", axis=None),
            x2="x2",
            y=alt.Y("y:Q", axis=None, scale=alt.Scale(reverse=True, padding=8)),
            y2="y2",
            size=alt.condition("datum.best", alt.value(4), alt.value(1.2)),
            opacity=alt.condition("datum.best", alt.value(1), alt.value(0.5)),
        ),
        description,
    )


def _sized(chart: Sketch, description: str) -> Sketch:
    return chart.properties(width=WIDTH, height=HEIGHT, description=description, autosize=style.PAD)

"""Models beside each other: bars in groups, and who agrees with whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.charts.bars import finding
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn


def finding_of_groups(labels: Sequence[str], series: Mapping[str, Sequence[float]]) -> str:
    """The longest bar of each series in words."""
    return "; ".join(f"{name}: {finding(labels, values)}" for name, values in series.items())


@drawn
def grouped(
    labels: Sequence[str],
    series: Mapping[str, Sequence[float]],
    title: str = "",
    *,
    domain: tuple[float, float] | None = (0.0, 1.0),
    scale: float = 1.0,
    limit: int = 20,
) -> alt.Chart | alt.LayerChart:
    """For each label one bar a series, named in the legend and in the order of the legend."""
    if not len(labels) or not series:
        return style.blank("There is nothing to compare.", scale)
    shown = slice(0, min(limit, len(labels)))
    names = list(series)
    frame = pd.DataFrame(
        [
            {"position": i, "label": label, "series": name, "value": float(series[name][i])}
            for i, label in enumerate(style.shown(labels)[shown])
            for name in names
        ]
    )
    step = max(26, 15 * len(names) + 8) * scale
    palette = [style.HEADS[i % len(style.HEADS)] for i in range(len(names))]
    base = alt.Chart(frame).encode(
        y=alt.Y(
            "position:O",
            axis=style.token_axis(labels[shown], orient="left", scale=scale, step=step),
            scale=alt.Scale(paddingInner=0.2),
        ),
        yOffset=alt.YOffset("series:N", sort=names),
        x=alt.X(
            "value:Q", scale=alt.Scale(domain=list(domain)) if domain else alt.Scale(), axis=None
        ),
    )
    marks = base.mark_bar(cornerRadiusEnd=2).encode(
        color=alt.Color(
            "series:N",
            sort=names,
            scale=alt.Scale(domain=names, range=palette),
            legend=style.legend(None, scale, orient="top", symbolSize=120 * scale),
        ),
        tooltip=["label:N", "series:N", alt.Tooltip("value:Q", format=".3f")],
    )
    numbers = base.mark_text(
        align="left", dx=4 * scale, fontSize=style.font(scale, 11), color=style.INK
    ).encode(text=alt.Text("value:Q", format=".2f"))
    note = style.part_note("labels", shown, len(labels))
    chart = style.layered(marks, numbers)
    return chart.properties(
        autosize=style.PAD,
        title=style.title(title, note, scale),
        description=finding_of_groups(labels, series),
        width=280 * scale,
        height=step * shown.stop,
    )


def finding_of_agreement(names: Sequence[str], correlation: NDArray[np.floating]) -> str:
    """The two that agree most, in words."""
    if len(names) < 2:
        return "Agreement needs two of them."
    apart = np.where(np.eye(len(names), dtype=bool), -np.inf, np.nan_to_num(correlation))
    first, second = divmod(int(apart.argmax()), len(names))
    return f"{names[first]} and {names[second]} agree most, {correlation[first, second]:.2f}"


@drawn
def agreement(
    names: Sequence[str],
    correlation: NDArray[np.floating],
    title: str = "Agreement (rank correlation)",
    *,
    scale: float = 1.0,
) -> alt.LayerChart | alt.Chart:
    """Who agrees with whom: blue for the same order of words, vermilion for the opposite."""
    if not len(names):
        return style.blank("There is nothing to compare.", scale)
    count = len(names)
    frame = pd.DataFrame(
        {
            "row": np.repeat(np.arange(count), count),
            "key": np.tile(np.arange(count), count),
            "weight": np.nan_to_num(np.asarray(correlation, dtype=float)).round(3).ravel(),
            "first": np.repeat(np.array(style.shown(names), dtype=object), count),
            "second": np.tile(np.array(style.shown(names), dtype=object), count),
        }
    )
    side = style.cell(count, scale, largest=46)
    base = alt.Chart(frame).encode(
        x=alt.X("key:O", axis=style.token_axis(names, orient="top", scale=scale, step=side)),
        y=alt.Y("row:O", axis=style.token_axis(names, orient="left", scale=scale, step=side)),
        tooltip=["first:N", "second:N", alt.Tooltip("weight:Q", title="correlation", format=".3f")],
    )
    tiles = base.mark_rect(stroke=style.INK, strokeOpacity=style.FAINT).encode(
        color=alt.Color("weight:Q", scale=style.difference_scale(), legend=None)
    )
    numbers = base.mark_text(fontSize=round(side * 0.3, 1)).encode(
        text=alt.Text("weight:Q", format=".2f"), color=style.cell_ink()
    )
    chart = style.layered(tiles, numbers)
    return chart.properties(
        autosize=style.PAD,
        title=style.title(title, (), scale),
        description=finding_of_agreement(names, np.asarray(correlation, dtype=float)),
        width=side * count,
        height=side * count,
    )

"""Models beside each other: bars in groups, and who agrees with whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.charts.bars import finding
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room, word_width
from viz_core.text import is_right_to_left


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
    room: Room = PAGE,
    upright: bool = False,
    limit: int = style.LIMIT,
) -> alt.Chart | alt.LayerChart:
    """For each label one bar a series, named in the legend and in the order of the legend.

    Upright bars stand on their labels, as a sentence is read, and fill the width that there is:
    words of Persian begin at the right.
    """
    scale = room.scale
    if not len(labels) or not series:
        return style.blank("There is nothing to compare.", scale)
    names = list(series)
    if upright:
        step, shown = room.less(width=16 + 34).across(len(labels), 70, limit)
    else:
        least = 13.0 * len(names) + 6
        fitting = int(room.less(height=80).height / (least * scale))
        shown = slice(0, min(len(labels), max(fitting, 5), limit))
        step = min(max(26, 15 * len(names) + 8), max(least, fitting * least / shown.stop)) * scale
    frame = pd.DataFrame(
        [
            {"position": i, "label": label, "series": name, "value": float(series[name][i])}
            for i, label in enumerate(style.shown(labels)[shown])
            for name in names
        ]
    )
    palette = [style.HEADS[i % len(style.HEADS)] for i in range(len(names))]
    narrow = step < 1.6 * room.least
    axis = style.token_axis(
        labels[shown],
        orient="bottom" if upright else "left",
        scale=scale,
        step=step,
        angle=(-90 if narrow else -45) if upright else 0,
        label=110,
    )
    extent = alt.Scale(domain=list(domain)) if domain else alt.Scale()
    word, value = ("x", "y") if upright else ("y", "x")
    channels: dict[str, type[Any]] = {"x": alt.X, "y": alt.Y}
    offset = alt.XOffset if upright else alt.YOffset
    places = list(range(shown.start, shown.stop))
    order = alt.Scale(
        domain=places[::-1] if upright and is_right_to_left(labels) else places,
        paddingInner=0.25,
        paddingOuter=0.1,
    )
    small = style.font(scale, 11)
    # Upright, a number is wider than its bar: it is written where the next one leaves it room.
    roomy = not upright or step >= 2.6 * small * len(names)
    ruler = None if roomy else style.axis(None, scale, tickCount=4)
    base = alt.Chart(frame).encode(
        **{
            word: channels[word]("position:O", axis=axis, scale=order),
            value: channels[value]("value:Q", scale=extent, axis=ruler),
            f"{word}Offset": offset("series:N", sort=names),
        }
    )
    marks = base.mark_bar(cornerRadiusEnd=2).encode(
        color=alt.Color(
            "series:N",
            sort=names,
            scale=alt.Scale(domain=names, range=palette),
            legend=style.legend(
                None, scale, orient="top", symbolSize=120 * scale, labelLimit=260 * scale
            ),
        ),
        tooltip=["label:N", "series:N", alt.Tooltip("value:Q", format=".3f")],
    )
    look: dict[str, Any] = {"fontSize": small, "color": style.INK}
    look |= {"dy": -7 * scale} if upright else {"align": "left", "dx": 4 * scale}
    numbers = base.mark_text(**look).encode(text=alt.Text("value:Q", format=".2f"))
    if upright and domain:  # .52 is as wide as its bar, 0.52 is not; and no bar needs no number
        numbers = (
            base.transform_filter("datum.value >= 0.005")
            .transform_calculate(short="replace(format(datum.value, '.2f'), /^0/, '')")
            .mark_text(**look)
            .encode(text="short:N")
        )
    words = min(word_width(frame["label"], style.font(scale)), 110 * scale)
    note = style.part_note("labels", shown, len(labels))
    # Beside or below the bars stand the words; above them the title and the legend.
    size = (
        (step * shown.stop, max(room.height - words - 110 * scale, 110 * scale))
        if upright
        else (min(280 * scale, room.width - words - 55 * scale), step * shown.stop)
    )
    return style.layered(*([marks, numbers] if roomy else [marks])).properties(
        autosize=style.PAD,
        title=style.title(title, note, scale),
        description=finding_of_groups(labels, series),
        width=size[0],
        height=size[1],
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
    numbers = base.mark_text(fontSize=style.font(scale, style.SMALL)).encode(
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

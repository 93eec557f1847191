"""Accuracy on analogy questions: by family, and beside what is published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room, word_width


def rows(
    families: Sequence[Mapping[str, Any]],
    totals: Mapping[str, float],
    published: Mapping[str, float],
) -> pd.DataFrame:
    """Kinds first, with what is published, then the families."""
    rows = [
        {"row": name, "ours": totals[name], "published": value, "asked": None, "left out": None}
        for name, value in published.items()
    ]
    rows += [
        {
            "row": each["family"].removeprefix("gram").lstrip("123456789-").replace("-", " "),
            "ours": round(each["right"] / max(each["asked"], 1), 4),
            "published": None,
            "asked": each["asked"],
            "left out": each["left out"],
        }
        for each in families
    ]
    frame = pd.DataFrame(rows)
    frame["row"] = frame["row"].replace({"accuracy": "all questions"})
    frame["place"] = range(len(frame))
    return frame


def finding(frame: pd.DataFrame) -> str:
    """The easiest and the hardest family."""
    measured = frame[frame["published"].isna()]
    if measured.empty:
        return "No family was measured."
    best, worst = (
        measured.loc[at] for at in (measured["ours"].idxmax(), measured["ours"].idxmin())
    )
    return (
        f"Best at {best['row']}, {best['ours']:.0%}; worst at {worst['row']}, {worst['ours']:.0%}"
    )


def about(totals: Mapping[str, float]) -> str:
    """How much was asked, and why the published figures are of something else."""
    return (
        f"{totals['questions']:,.0f} questions “a is to b as c is to ?” were asked, and only the "
        f"one right word counts; {totals['left out']:,.0f} more have a word outside of the list "
        "and are left out. The published figures (Pennington et al. 2014, table 2) are of vectors "
        "with **300** numbers a word, all words kept: another size than these with 50."
    )


@drawn
def accuracy(frame: pd.DataFrame, *, room: Room = PAGE) -> style.AnyChart:
    """The share of right answers, a bar a family; a tick where a figure is published."""
    scale = room.scale
    step, _ = room.rows(len(frame), 24)
    y = alt.Y(
        "place:O",
        axis=style.token_axis(
            frame["row"].tolist(), orient="left", scale=scale, step=step, label=190
        ),
        scale=alt.Scale(paddingInner=0.25, paddingOuter=0.1),
    )
    base = alt.Chart(frame).encode(y=y)
    across = alt.Scale(domain=[0, 1], clamp=True)
    tooltip = [
        alt.Tooltip("row:N", title="family"),
        alt.Tooltip("ours:Q", format=".1%"),
        alt.Tooltip("published:Q", format=".1%"),
        "asked:Q",
        "left out:Q",
    ]
    colour = alt.condition(
        "isValid(datum.published)", alt.value(style.BLUE), alt.value(style.HEADS[6])
    )
    small = style.font(scale, style.SMALL)
    layers = [
        base.mark_bar(cornerRadiusEnd=2).encode(
            x=alt.X("ours:Q", scale=across, axis=None), color=colour, tooltip=tooltip
        ),
        base.mark_text(align="left", dx=5 * scale, fontSize=small, color=style.INK).encode(
            x=alt.X("ours:Q", scale=across, axis=None), text=alt.Text("ours:Q", format=".0%")
        ),
        base.transform_filter("isValid(datum.published)")
        .mark_tick(color=style.VERMILION, thickness=3 * scale, size=step * 0.8)
        .encode(x=alt.X("published:Q", scale=across), tooltip=tooltip),
        base.transform_filter("isValid(datum.published)")
        .transform_calculate(told="'published ' + format(datum.published, '.1%')")
        .mark_text(align="left", dx=7 * scale, fontSize=small, color=style.INK)
        .encode(x=alt.X("published:Q", scale=across), text="told:N"),
    ]
    words = min(word_width(frame["row"].tolist(), style.font(scale)), 190 * scale)
    return style.layered(*layers).properties(
        autosize=style.PAD,
        width=min(460 * scale, room.width - words - 90 * scale),
        height=step * len(frame),
        description=finding(frame),
    )

"""Many measurements in one picture: lines with intervals, strips under text."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn


def finding_of_lines(frame: pd.DataFrame, x: str, y: str, colour: str) -> str:
    """Where each line ends, in words."""
    if frame.empty:
        return "There are no measurements."
    ends = frame.sort_values(x).groupby(colour, sort=False).tail(1)
    return "; ".join(
        f"{row[colour]}: {y} {row[y]:.2f} at {x} {row[x]}" for _, row in ends.iterrows()
    )


def _line_ends(data: pd.DataFrame) -> pd.DataFrame:
    """Where the name of each line stands: at its end, but no two names upon each other."""
    ends = data.groupby("series", sort=False).tail(1).sort_values("y").reset_index(drop=True)
    span = data[[c for c in ("y", "low", "high") if c in data]].to_numpy(dtype=float)
    gap = (np.nanmax(span) - min(np.nanmin(span), 0.0)) * 0.065  # the height of a line of type
    ends["apart"] = ends["y"].astype(float)
    for i in range(1, len(ends)):
        ends.loc[i, "apart"] = max(ends.loc[i, "y"], ends.loc[i - 1, "apart"] + gap)
    return ends


@drawn
def lines(
    frame: pd.DataFrame,
    x: str,
    y: str,
    colour: str,
    *,
    low: str | None = None,
    high: str | None = None,
    title: str = "",
    scale: float = 1.0,
    zero: bool = True,
) -> alt.LayerChart | alt.Chart:
    """A line for each series with its name at its end, and its interval as a band behind it.

    The series also differ in the shape of their points, so the picture survives without colour.
    """
    if frame.empty:
        return style.blank("There are no measurements.", scale)
    # Vega-Lite reads dots and brackets in a field name as a path.
    plain = {x: "x", y: "y", colour: "series"} | {
        c: n for c, n in ((low, "low"), (high, "high")) if c
    }
    data = frame[list(plain)].rename(columns=plain)
    names = list(dict.fromkeys(data["series"].astype(str)))
    data["series"] = data["series"].astype(str)
    palette = [style.HEADS[i % len(style.HEADS)] for i in range(len(names))]
    hue = alt.Color("series:N", scale=alt.Scale(domain=names, range=palette), legend=None)
    kind = "Q" if pd.api.types.is_numeric_dtype(data["x"]) else "O"
    across = alt.X(f"x:{kind}", axis=style.axis(x, scale, grid=False, labelAngle=0), sort=None)
    if kind == "Q":
        across = across.scale(zero=False, nice=False)
    up = alt.Y("y:Q", axis=style.axis(y, scale), scale=alt.Scale(zero=zero))
    base = alt.Chart(data).encode(x=across, y=up, color=hue)
    layers: list[alt.Chart] = []
    if low and high:
        layers.append(base.mark_area(opacity=0.16).encode(y=alt.Y("low:Q"), y2="high:Q"))
    tooltip = [
        alt.Tooltip("series:N"),
        alt.Tooltip(f"x:{kind}", title=x),
        alt.Tooltip("y:Q", title=y, format=".3f"),
    ]
    if low and high:
        tooltip += [alt.Tooltip("low:Q", format=".3f"), alt.Tooltip("high:Q", format=".3f")]
    layers.append(base.mark_line(strokeWidth=2.5 * scale))
    layers.append(
        base.mark_point(filled=True, size=70 * scale**2, opacity=1).encode(
            shape=alt.Shape("series:N", scale=alt.Scale(domain=names), legend=None),
            tooltip=tooltip,
        )
    )
    layers.append(
        alt.Chart(_line_ends(data))
        .mark_text(align="left", dx=10 * scale, fontSize=style.font(scale), color=style.INK)
        .encode(x=across, y=alt.Y("apart:Q"), text="series:N")
    )
    chart = style.layered(*layers)
    return chart.properties(
        autosize=style.PAD,
        title=style.title(title, (), scale),
        description=finding_of_lines(frame, x, y, colour),
        width=520 * scale,
        height=300 * scale,
    )


def finding_of_strip(tokens: Sequence[str], values: NDArray[np.floating]) -> str:
    """The token with the largest mean value, in words."""
    grid = np.atleast_2d(np.asarray(values, dtype=float))
    if not len(tokens) or not grid.size:
        return "There is no text."
    mean = np.nan_to_num(grid).mean(axis=0)
    top = int(mean.argmax())
    return f"Highest at {style.readable(tokens[top])}, mean {mean[top]:.2f}, position {top + 1}"


@drawn
def strip(
    tokens: Sequence[str],
    values: NDArray[np.floating],
    names: Sequence[str] = (),
    title: str = "",
    *,
    signed: bool = False,
    scale: float = 1.0,
    limit: int = 120,
) -> alt.Chart:
    """Characters or words over rows of coloured cells: one row a gate or a unit.

    `values` is (token,) or (row, token) in [0, 1], or in [-1, 1] when signed, as for tanh.
    """
    grid = np.atleast_2d(np.asarray(values, dtype=float))
    if not len(tokens) or not grid.size:
        return style.blank("There is no text.", scale)
    part = style.part(len(tokens), limit)
    kept = np.nan_to_num(grid[:, part])
    rows, count = kept.shape
    labels = list(names) if names else [str(i + 1) if rows > 1 else "" for i in range(rows)]
    words = style.shown([token if token.strip() else "␣" for token in tokens[part]])
    side = style.cell(count, scale, largest=26)
    frame = pd.DataFrame(
        {
            "row": np.repeat(np.arange(rows), count),
            "key": np.tile(np.arange(count), rows),
            "weight": kept.round(3).ravel(),
            "word": np.tile(np.array(words, dtype=object), rows),
        }
    )
    long = max(map(len, words)) > 2
    across = style.token_axis(words, orient="top", scale=scale, step=side, angle=-45 if long else 0)
    tall = (22 if rows <= 12 else max(260 / rows, 3)) * scale
    colour = style.weight_colour(scale=scale, title="value")
    if signed:
        colour = alt.Color(
            "weight:Q",
            scale=style.difference_scale(),
            legend=style.legend("value", scale, values=[-1, 0, 1]),
        )
    return (
        alt.Chart(frame, description=finding_of_strip(tokens, grid))
        .mark_rect(stroke=style.INK, strokeOpacity=style.FAINT if rows <= 12 else 0)
        .encode(
            x=alt.X("key:O", axis=across),
            y=alt.Y("row:O", axis=style.token_axis(labels, orient="left", scale=scale, step=tall)),
            color=colour,
            tooltip=["word:N", alt.Tooltip("weight:Q", title="value", format=".3f")],
        )
        .properties(
            autosize=style.PAD,
            title=style.title(title, style.part_note("tokens", part, len(tokens)), scale),
            width=side * count,
            height=tall * rows,
        )
    )

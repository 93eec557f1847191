"""Positional encodings, from a plain (position, dimension) array."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn

Encoding = NDArray[np.floating]
NOTHING = "There are no positions."


def finding_of_curves(encoding: Encoding, dims: Sequence[int]) -> str:
    """How often each curve crosses zero: low dimensions wave fast, high ones slowly."""
    if not encoding.size or not len(dims):
        return NOTHING
    crossings = [
        int((np.diff(np.signbit(encoding[:, dim]).astype(int)) != 0).sum()) for dim in dims
    ]
    told = (
        f"dimension {d} crosses zero {'once' if c == 1 else f'{c} times'}"
        for d, c in zip(dims, crossings, strict=True)
    )
    return "; ".join(told)


@drawn
def curves(encoding: Encoding, dims: Sequence[int], *, scale: float = 1.0) -> style.AnyChart:
    """The value of some dimensions along the positions: one wave a dimension."""
    dims = [dim for dim in dims if 0 <= dim < encoding.shape[1]]
    if not encoding.size or not dims:
        return style.blank(NOTHING if not encoding.size else "Choose a dimension.", scale)
    count = len(encoding)
    frame = pd.DataFrame(
        {
            "position": np.tile(np.arange(count), len(dims)),
            "value": encoding[:, dims].T.ravel().round(4),
            "dimension": np.repeat(dims, count),
        }
    )
    palette = [style.HEADS[i % len(style.HEADS)] for i in range(len(dims))]
    dashes = [[1, 0], [8, 4], [2, 3], [10, 3, 2, 3]]
    legend = style.legend("dimension", scale, symbolStrokeWidth=3 * scale, symbolSize=500 * scale)
    pick = alt.selection_point(name="dimension", fields=["dimension"], bind="legend")
    return (
        alt.Chart(frame, description=finding_of_curves(encoding, dims))
        .mark_line(strokeWidth=2.5 * scale, interpolate="monotone")
        .encode(
            x=alt.X(
                "position:Q",
                axis=style.axis("position", scale, grid=False),
                scale=alt.Scale(nice=False),
            ),
            y=alt.Y("value:Q", axis=style.axis("value", scale)),
            color=alt.Color(
                "dimension:N", scale=alt.Scale(domain=dims, range=palette), legend=legend
            ),
            strokeDash=alt.StrokeDash(
                "dimension:N",
                scale=alt.Scale(domain=dims, range=[dashes[i % 4] for i in range(len(dims))]),
            ),
            opacity=alt.condition(pick, alt.value(1), alt.value(0.12)),
            tooltip=["dimension:N", "position:Q", alt.Tooltip("value:Q", format=".3f")],
        )
        .add_params(pick)
        .properties(width=620 * scale, height=280 * scale, autosize=style.PAD)
    )


def finding_of_heat(encoding: Encoding) -> str:
    if not encoding.size:
        return NOTHING
    return f"{encoding.shape[0]} positions by {encoding.shape[1]} dimensions"


@drawn
def heat(encoding: Encoding, *, scale: float = 1.0, row: int | None = None) -> go.Figure:
    """Positions down, dimensions across: a position is the row of colours that it alone has.

    Values are scaled by the largest one, which is 1 for sinusoids, but not by a single outlier.
    """
    sizes = np.abs(np.nan_to_num(encoding))
    largest = float(sizes.max()) if encoding.size else 1.0
    if encoding.size and largest > 3 * float(np.quantile(sizes, 0.99)):
        largest = float(np.quantile(sizes, 0.99))  # one number would leave all others white
    small = {"size": style.font(scale, style.SMALL)}
    figure = go.Figure()
    if encoding.size:
        figure.add_heatmap(
            z=np.nan_to_num(encoding).astype(np.float32),
            zmid=0,
            zmin=-(largest or 1.0),
            zmax=largest or 1.0,
            colorscale=style.plotly_differences(),
            colorbar={"thickness": 12 * scale, "len": 0.6, "tickfont": small, "outlinewidth": 0},
            hovertemplate="position %{y}, dimension %{x}: %{z:.3f}<extra></extra>",
        )
    if row is not None:
        figure.add_hrect(
            y0=row - 0.5, y1=row + 0.5, line={"color": style.VERMILION, "width": 2 * scale}
        )
    bare = {"showgrid": False, "zeroline": False, "tickfont": small, "ticks": ""}
    figure.update_xaxes(title={"text": "dimension", "font": small}, **bare)
    figure.update_yaxes(title={"text": "position", "font": small}, autorange="reversed", **bare)
    figure.update_layout(
        height=round(420 * scale),
        margin={"l": 60 * scale, "r": 10, "t": 10, "b": 50 * scale},
        meta={"description": finding_of_heat(encoding)},
        plot_bgcolor="rgba(0,0,0,0)",
        paper_bgcolor="rgba(0,0,0,0)",
    )
    return figure


def by_offset(encoding: Encoding) -> pd.DataFrame:
    """Mean, least and largest dot product of two positions, for each distance between them."""
    dots = encoding.astype(float) @ encoding.astype(float).T
    lines = [np.diagonal(dots, offset) for offset in range(len(encoding))]
    return pd.DataFrame(
        {
            "offset": range(len(encoding)),
            "mean": [float(line.mean()) for line in lines],
            "low": [float(line.min()) for line in lines],
            "high": [float(line.max()) for line in lines],
        }
    )


def finding_of_offset(encoding: Encoding) -> str:
    """Whether the dot product depends on the distance alone."""
    if not encoding.size:
        return NOTHING
    frame = by_offset(encoding)
    spread = float((frame["high"] - frame["low"]).max())
    if spread < 1e-3 * max(abs(frame["mean"].iloc[0]), 1e-9):
        return "The dot product of two positions depends on their distance alone"
    return f"At one distance dot products differ by up to {spread:.2f}"


@drawn
def offset(encoding: Encoding, *, scale: float = 1.0) -> style.AnyChart:
    """The dot product of two positions against their distance; the band is its spread.

    For sinusoids the band has no width: only the distance counts.
    """
    if not encoding.size:
        return style.blank(NOTHING, scale)
    frame = by_offset(encoding[:512])
    across = alt.X("offset:Q", axis=style.axis("distance of two positions", scale, grid=False))
    base = alt.Chart(frame).encode(x=across)
    band = base.mark_area(color=style.BLUE, opacity=0.25).encode(y="low:Q", y2="high:Q")
    line = base.mark_line(color=style.BLUE, strokeWidth=2.5 * scale).encode(
        y=alt.Y("mean:Q", axis=style.axis("dot product", scale)),
        tooltip=[
            "offset:Q",
            *(alt.Tooltip(f"{n}:Q", format=".3f") for n in ("mean", "low", "high")),
        ],
    )
    chart = style.layered(band, line)
    return chart.properties(
        autosize=style.PAD,
        width=560 * scale,
        height=260 * scale,
        description=finding_of_offset(encoding),
    )


def finding_of_wavelengths(d: int, base: float) -> str:
    pairs = d // 2
    if not pairs:
        return "There are no dimensions."
    longest = 2 * np.pi * base ** (2 * (pairs - 1) / d)
    return f"Wavelengths grow from {2 * np.pi:.1f} to {longest:,.0f} positions"


@drawn
def wavelengths(
    d: int, base: float = 10000.0, *, length: int | None = None, scale: float = 1.0
) -> style.AnyChart:
    """The wavelength of each pair of dimensions, 2 pi base^(2k/d), on a logarithmic axis.

    `length` draws the sentence length: longer waves never finish a turn within it.
    """
    pairs = d // 2
    if not pairs:
        return style.blank("There are no dimensions.", scale)
    waves = 2 * np.pi * base ** (2 * np.arange(pairs) / d)
    frame = pd.DataFrame({"dimension": 2 * np.arange(pairs), "positions": waves})
    tens = [10**power for power in range(int(np.log10(waves[-1])) + 2)]
    ticks = style.axis("wavelength in positions", scale, values=tens, format="~s")
    y = alt.Y("positions:Q", scale=alt.Scale(type="log"), axis=ticks)
    x = alt.X("dimension:Q", axis=style.axis("dimension", scale, grid=False))
    points = alt.Chart(frame).mark_line(
        color=style.BLUE,
        strokeWidth=2.5 * scale,
        point={"size": 50 * scale, "color": style.BLUE, "filled": True},
    )
    tooltip = ["dimension:Q", alt.Tooltip("positions:Q", format=",.1f")]
    layers: list[alt.Chart] = [points.encode(x=x, y=y, tooltip=tooltip)]
    if length:
        told = alt.Chart(pd.DataFrame({"positions": [length], "text": [f"sentence, {length}"]}))
        layers.append(
            told.mark_rule(color=style.VERMILION, strokeDash=[6, 4], strokeWidth=2 * scale).encode(
                y=y
            )
        )
        words = told.mark_text(
            align="right", dy=-8 * scale, fontSize=style.font(scale, style.SMALL), color=style.INK
        )
        layers.append(words.encode(x=alt.value(560 * scale), y=y, text="text:N"))
    chart = style.layered(*layers)
    return chart.properties(
        autosize=style.PAD,
        width=560 * scale,
        height=260 * scale,
        description=finding_of_wavelengths(d, base),
    )


def formula(d: int, base: float) -> str:
    """Vaswani et al. 2017, section 3.5, in LaTeX with the numbers put in."""
    return rf"PE(p, 2i) = \sin(p\,/\,{base:g}^{{2i/{d}}}),\; PE(p, 2i+1) = \cos(\ldots)"


def finding_of_orders(said: Sequence[str]) -> str:
    """Whether two orders of the same words could be told apart without positions."""
    same = "the very same French for both orders" if len(set(said)) == 1 else "different French"
    return f"without positions the model says {same}"

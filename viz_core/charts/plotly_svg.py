"""A Plotly figure of the atlas as SVG, drawn here: Plotly itself draws in a browser only.

It knows what our figures are made of: lines, marks with words, heat maps, two axes, a legend.
What a browser adds by itself (hover, buttons, a slider) has no place on paper.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

PAPER, PRINT = "#ffffff", "#1c232d"  # a file has no theme: dark on white prints and projects
LETTER = 0.55  # of the size of the type: how wide a letter is on average
LINE, PAD, CAPTION = 18, 16, 13  # pixels of a line of the caption, around it, and of its type


class Frame(NamedTuple):
    """Where a number of either axis lies, in pixels."""

    x: Callable[[float], float]
    y: Callable[[float], float]
    left: float
    right: float
    top: float
    bottom: float


def svg(figure: Any, caption: Sequence[str]) -> str:
    """The figure as it is sent, dark on white, under the lines of its caption."""
    layout = figure.layout
    width, height = layout.width or 900, layout.height or 450
    above = LINE * len(caption) + PAD
    frame = _frame(figure, width, height)
    said = (_text(PAD, LINE * (i + 1), line, CAPTION, "start") for i, line in enumerate(caption))
    size = layout.font.size or 12
    marks = [
        *(mark for trace in figure.data for mark in _trace(trace, frame, size)),
        *(_band(shape, frame) for shape in layout.shapes),
        *_axes(figure, frame, size),
        *_legend(figure, frame, height),
    ]
    widest = 2 * PAD + LETTER * CAPTION * max(map(len, caption), default=0)
    width, total = max(width, widest), height + above
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{total:g}" '
        f'viewBox="0 0 {width:g} {total:g}" font-family="sans-serif" fill="{PRINT}">'
        f'<rect width="100%" height="100%" fill="{PAPER}"/>{"".join(said)}'
        f'<g transform="translate(0 {above:g})">{"".join(marks)}</g></svg>'
    )


def _frame(figure: Any, width: float, height: float) -> Frame:
    margin = figure.layout.margin
    left, right = margin.l or 0, width - (margin.r or 0)
    top, bottom = margin.t or 0, height - (margin.b or 0)
    heats = [np.shape(trace.z) for trace in figure.data if trace.type == "heatmap"]
    rows, columns = heats[0] if heats else (1, 1)
    x0, x1 = _ends(figure.layout.xaxis, columns)
    y0, y1 = _ends(figure.layout.yaxis, rows)
    return Frame(
        lambda value: left + (value - x0) / (x1 - x0) * (right - left),
        lambda value: bottom - (value - y0) / (y1 - y0) * (bottom - top),
        left,
        right,
        top,
        bottom,
    )


def _ends(axis: Any, cells: int) -> tuple[float, float]:
    if axis.range is not None:
        return axis.range[0], axis.range[1]
    return (cells - 0.5, -0.5) if axis.autorange == "reversed" else (-0.5, cells - 0.5)


def _trace(trace: Any, frame: Frame, size: float) -> Iterator[str]:
    if trace.type == "heatmap":
        yield from _cells(trace, frame)
        return
    points = [
        None if x is None else (frame.x(x), frame.y(y))
        for x, y in zip(trace.x, trace.y, strict=True)
    ]
    faint = 1.0 if trace.opacity is None else trace.opacity
    yield f'<g opacity="{faint:g}">'
    if "lines" in trace.mode:
        path = " ".join(
            f"{'L' if i and points[i - 1] else 'M'}{point[0]:.1f} {point[1]:.1f}"
            for i, point in enumerate(points)
            if point
        )
        line = trace.line
        yield f'<path d="{path}" fill="none" stroke="{line.color}" stroke-width="{line.width:g}"/>'
    real = [point for point in points if point]
    if "markers" in trace.mode:
        yield from (_mark(x, y, trace.marker) for x, y in real)
    if "text" in trace.mode:
        type_size = trace.textfont.size or size
        lift = (trace.marker.size or 0) / 2 + 4  # Plotly's "top center"
        for (x, y), word in zip(real, trace.text, strict=True):
            yield _text(x, y - lift, word, type_size)
    yield "</g>"


def _mark(x: float, y: float, marker: Any, most: float = np.inf) -> str:
    half = min(marker.size, most) / 2
    opened = marker.symbol.endswith("-open")
    stroke = f'fill="none" stroke="{marker.color}" stroke-width="{marker.line.width or 1:g}"'
    paint = stroke if opened else f'fill="{marker.color}"'
    shape = marker.symbol.removesuffix("-open")
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{half:.1f}" {paint}/>'
    reach = 1.3 * half if shape == "diamond" else half
    corners = {
        "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        "diamond": ((0, -1), (1, 0), (0, 1), (-1, 0)),
    }[shape]
    path = " ".join(f"{x + reach * across:.1f},{y + reach * down:.1f}" for across, down in corners)
    return f'<polygon points="{path}" {paint}/>'


def _cells(trace: Any, frame: Frame) -> Iterator[str]:
    values = np.clip(np.asarray(trace.z, dtype=float), trace.zmin, trace.zmax)
    shares = (values - trace.zmin) / (trace.zmax - trace.zmin)
    stops = np.array([stop for stop, _ in trace.colorscale], dtype=float)
    paints = np.array([_on_paper(colour) for _, colour in trace.colorscale])
    gap = (trace.xgap or 0) / 2
    for row, column in np.ndindex(*shares.shape):
        painted = [np.interp(shares[row, column], stops, paints[:, i]) for i in range(3)]
        x0, x1 = sorted((frame.x(column - 0.5), frame.x(column + 0.5)))
        y0, y1 = sorted((frame.y(row - 0.5), frame.y(row + 0.5)))
        fill = "".join(f"{round(part):02x}" for part in painted)
        yield (
            f'<rect x="{x0 + gap:.2f}" y="{y0 + gap:.2f}" width="{x1 - x0 - 2 * gap:.2f}" '
            f'height="{y1 - y0 - 2 * gap:.2f}" fill="#{fill}" shape-rendering="crispEdges"/>'
        )


def _on_paper(colour: str) -> list[float]:
    """Red, green and blue of a colour that lies on white."""
    if colour.startswith("#"):
        return [float(int(colour[i : i + 2], 16)) for i in (1, 3, 5)]
    red, green, blue, cover = map(float, re.findall(r"[\d.]+", colour))
    return [255 + cover * (part - 255) for part in (red, green, blue)]


def _band(shape: Any, frame: Frame) -> str:
    """A frame around some rows."""
    y0, y1 = sorted((frame.y(shape.y0), frame.y(shape.y1)))
    return (
        f'<rect x="{frame.left:.1f}" y="{y0:.1f}" width="{frame.right - frame.left:.1f}" '
        f'height="{y1 - y0:.1f}" fill="none" stroke="{shape.line.color}" '
        f'stroke-width="{shape.line.width:g}"/>'
    )


def _axes(figure: Any, frame: Frame, size: float) -> Iterator[str]:
    across, down = figure.layout.xaxis, figure.layout.yaxis
    at_top = across.side == "top"
    line = frame.top - 8 if at_top else frame.bottom + 16
    small = across.tickfont.size or size
    for value, word in _ticks(across, figure, 1):
        x = frame.x(value)
        turned = f' transform="rotate({across.tickangle} {x:.1f} {line:.1f})"'
        anchor = "start" if across.tickangle else "middle"
        yield _text(x, line, word, small, anchor, turned if across.tickangle else "")
    if down.showticklabels is not False:
        for value, word in _ticks(down, figure, 0):
            yield _text(frame.left - 8, frame.y(value) + 0.35 * small, word, small, "end")
    if across.title.text:
        middle = (frame.left + frame.right) / 2
        yield _text(middle, frame.bottom + 36, across.title.text, small)
    if down.title.text:
        middle, beside = (frame.top + frame.bottom) / 2, frame.left - 44
        turned = f' transform="rotate(-90 {beside:.1f} {middle:.1f})"'
        yield _text(beside, middle, down.title.text, small, "middle", turned)


def _ticks(axis: Any, figure: Any, side: int) -> Iterator[tuple[float, str]]:
    """Those that the figure names; else about ten of a heat map's rows or columns."""
    if axis.tickvals is not None:
        yield from zip(axis.tickvals, axis.ticktext, strict=True)
        return
    for trace in figure.data[:1]:
        count = np.shape(trace.z)[side]
        yield from ((place, str(place)) for place in range(0, count, max(round(count / 10), 1)))


def _legend(figure: Any, frame: Frame, height: float) -> Iterator[str]:
    legend = figure.layout.legend
    size, at = legend.font.size or 12, frame.left
    for trace in figure.data:
        if trace.type == "heatmap" or not trace.name or trace.showlegend is False:
            continue
        yield _mark(at + size / 2, height - size, trace.marker, most=size)
        yield _text(at + 1.6 * size, height - 0.65 * size, trace.name, size, "start")
        at += (3 + LETTER * len(trace.name)) * size


def _text(
    x: float, y: float, words: str, size: float, anchor: str = "middle", more: str = ""
) -> str:
    """Plotly's small HTML as SVG: its letters, and whether they are bold."""
    plain = html.unescape(re.sub(r"</?b>", "", words))
    bold = ' font-weight="bold"' if words.startswith("<b>") else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}"{bold}{more}>'
        f"{html.escape(plain)}</text>"
    )

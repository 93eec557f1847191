"""Small pictures for tiles: the same numbers as on the page, without axes.

Fifty of them stand on one page, so they are plain images: a chart that can be hovered takes the
browser many times as long. An image does not know the text colour around it, hence the grey.
"""

from __future__ import annotations

import html
import itertools
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viz_core.charts import matrix
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.traces import AttentionTrace
from viz_core.traces.search import BeamTrace

WIDTH, HEIGHT = 190, 118
MARGIN = 5  # pixels
SEEN = 0.004  # a weight below it is not seen
GREY = "rgba(128,128,128,0.4)"
SVG = "http://www.w3.org/2000/svg"


class Small(NamedTuple):
    svg: str
    finding: str

    @property
    def address(self) -> str:
        return f"data:image/svg+xml;base64,{b64encode(self.svg.encode()).decode()}"


def _small(parts: Iterable[str], finding: str) -> Small:
    box = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return Small(f'<svg xmlns="{SVG}" {box}>{"".join(parts)}</svg>', finding)


@drawn
def heat(weights: NDArray[np.floating], finding: str) -> Small:
    """A matrix as squares."""
    rows, columns = weights.shape
    across, down = (WIDTH - 2 * MARGIN) / columns, (HEIGHT - 2 * MARGIN) / rows
    size = f'width="{across:.2f}" height="{down:.2f}"'
    squares = (
        f'<rect x="{MARGIN + column * across:.2f}" y="{MARGIN + row * down:.2f}" {size} '
        f'fill-opacity="{min(weights[row, column], 1):.3f}"/>'
        for row, column in zip(*np.nonzero(weights > SEEN), strict=True)
    )
    lines = [f"M{MARGIN} {MARGIN + row * down:.2f}H{WIDTH - MARGIN}" for row in range(rows + 1)]
    lines += [
        f"M{MARGIN + at * across:.2f} {MARGIN}V{HEIGHT - MARGIN}" for at in range(columns + 1)
    ]
    grid = f'stroke="{GREY}" stroke-width="0.5"'
    return _small(
        (f'<g fill="{style.BLUE}">', *squares, f'</g><path d="{"".join(lines)}" {grid}/>'), finding
    )


@drawn
def alignment(trace: AttentionTrace) -> Small:
    """The last layer of a trace, mean of its heads."""
    last = trace.layers - 1
    return heat(trace.matrix(last, None), matrix.finding(trace, last, None))


@drawn
def curves(values: NDArray[np.floating], finding: str) -> Small:
    """One line per row."""
    xs = _fitted(np.arange(values.shape[1], dtype=float), MARGIN, WIDTH - MARGIN)
    ys = _fitted(values, HEIGHT - MARGIN, MARGIN)
    lines = (" ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, row, strict=True)) for row in ys)
    colours = itertools.cycle(style.HEADS)
    return _small(
        (
            f'<polyline fill="none" stroke-width="2" stroke="{colour}" points="{line}"/>'
            for line, colour in zip(lines, colours, strict=False)
        ),
        finding,
    )


@drawn
def photograph(address: str, ratio: float, finding: str) -> Small:
    """An image, ratio times as high as it is wide, as large as fits."""
    wide = min(WIDTH - 2 * MARGIN, (HEIGHT - 2 * MARGIN) / ratio)
    x, y = (WIDTH - wide) / 2, (HEIGHT - wide * ratio) / 2
    size = f'x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{wide * ratio:.1f}"'
    return _small((f'<image href="{html.escape(address)}" {size}/>',), finding)


@drawn
def arrows(starts: NDArray[np.floating], ends: NDArray[np.floating], finding: str) -> Small:
    """Arrows between points of a plane, both (arrow, 2)."""
    away = 3 * MARGIN
    both = np.stack((starts, ends))  # (end, arrow, 2)
    xs = _fitted(both[..., 0], away, WIDTH - away)
    ys = _fitted(both[..., 1], HEIGHT - away, away)
    rules = (_rule(*line) for line in zip(xs[0], ys[0], xs[1], ys[1], strict=True))
    dots = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" fill="{colour}"/>'
        for end, (size, colour) in enumerate(((4.4, style.BLUE), (5.9, style.VERMILION)))
        for x, y in zip(xs[end], ys[end], strict=True)
    )
    return _small((f'<g stroke="{style.BLUE}" stroke-width="3">', *rules, "</g>", *dots), finding)


@drawn
def bars(values: Sequence[float] | NDArray[np.floating], finding: str) -> Small:
    """One bar per value, those below zero in vermilion."""
    ends = _fitted(np.append(values, 0.0), MARGIN, WIDTH - MARGIN)
    down = (HEIGHT - 2 * MARGIN) / len(values)
    return _small(
        (
            f'<rect x="{min(end, ends[-1]):.1f}" y="{MARGIN + (row + 0.05) * down:.1f}" '
            f'width="{abs(end - ends[-1]):.1f}" height="{0.9 * down:.1f}" '
            f'fill="{style.VERMILION if value < 0 else style.BLUE}"/>'
            for row, (value, end) in enumerate(zip(values, ends[:-1], strict=True))
        ),
        finding,
    )


@drawn
def tree(beam: BeamTrace, finding: str) -> Small:
    """Kept hypotheses as a tree, time to the right, the winner in full blue."""
    best = set(beam.path(beam.best))
    kept = [i for i, node in enumerate(beam.nodes) if node.status != "pruned" or i in best]
    place: dict[int, int] = {}
    for i in kept:  # a row per hypothesis of its step, best first
        step = beam.nodes[i].step
        place[i] = sum(beam.nodes[j].step == step for j in place)
    away = 2 * MARGIN
    xs = _fitted(np.array([beam.nodes[i].step for i in kept]), away, WIDTH - away)
    ys = _fitted(np.array([place[i] for i in kept]), away, HEIGHT - away)
    at = {i: (x, y) for i, x, y in zip(kept, xs, ys, strict=True)}
    branches = (
        _rule(
            *at[beam.nodes[i].parent],
            *at[i],
            'stroke-width="4" stroke-opacity="1"' if i in best else "",
        )
        for i in kept
        if beam.nodes[i].parent in at
    )
    return _small(
        (f'<g stroke="{style.BLUE}" stroke-width="1.2" stroke-opacity="0.5">', *branches, "</g>"),
        finding,
    )


def _rule(x: float, y: float, to_x: float, to_y: float, more: str = "") -> str:
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" {more}/>'


def _fitted(values: NDArray[np.floating], low: float, high: float) -> NDArray[np.floating]:
    """The smallest value at low, the largest at high."""
    values = np.asarray(values, dtype=float)
    span = float(values.max() - values.min())
    return low + (high - low) * (values - values.min()) / (span or 1.0)

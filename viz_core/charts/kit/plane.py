"""Words at places of a plane, with arrows between them: where each point and its name goes.

Everything is in pixels, so that a name can be kept from lying over another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.charts.kit import style
from viz_core.charts.kit.room import Room
from viz_core.charts.kit.text_marks import width as text_width

Points = NDArray[np.floating]
Box = tuple[float, float, float, float]  # left, top, right, bottom
MARGIN = 56  # pixels around the outermost points, for their names
HEAD = 8  # pixels of an arrow's head


@dataclass(frozen=True, slots=True)
class Plane:
    """A drawing of this size, and how points come into it."""

    width: float
    height: float
    scale: float
    stretch: tuple[float, float]  # pixels per unit, across and up
    origin: tuple[float, float]  # the point at the left and at the bottom

    def pixels(self, points: Points) -> Points:
        """(point, 2) in pixels from the left and from the top."""
        margin = MARGIN * self.scale
        across = margin + (points[:, 0] - self.origin[0]) * self.stretch[0]
        down = self.height - 0.6 * margin - (points[:, 1] - self.origin[1]) * self.stretch[1]
        return np.stack((across, down), axis=1)

    def x(self, field: str) -> alt.X:
        return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, self.width], nice=False), axis=None)

    def y(self, field: str) -> alt.Y:
        down = alt.Scale(domain=[self.height, 0], nice=False, zero=False)
        return alt.Y(f"{field}:Q", scale=down, axis=None)


def fit(points: Points, room: Room, equal: bool = False) -> Plane:
    """The plane that shows all points in its room; `equal` keeps angles as they are."""
    low, high = points.min(0), points.max(0)
    span = np.maximum(high - low, 1e-9)
    margin = MARGIN * room.scale
    wide, high_pixels = room.width - 2.4 * margin, room.height - 1.2 * margin
    stretch = np.array([wide, high_pixels]) / span
    if equal:
        stretch = np.minimum(stretch, stretch.min())
    used = span * stretch
    return Plane(
        float(used[0] + 2.4 * margin),
        float(used[1] + 1.2 * margin),
        room.scale,
        (float(stretch[0]), float(stretch[1])),
        (float(low[0]), float(low[1])),
    )


def names(
    plane: Plane,
    pixels: Points,
    words: Sequence[str],
    sizes: Sequence[float],
    must: int = 0,
    lines: Sequence[tuple[Points, Points]] = (),
) -> pd.DataFrame:
    """Where each word is written: beside its point, over nothing else, nor over these lines.

    The first `must` words are always written; of the others those that find a free place.
    """
    gap = 8 * plane.scale
    taken: list[Box] = [(x - 4, y - 4, x + 4, y + 4) for x, y in pixels]
    for start, end in lines:
        beads = max(int(np.linalg.norm(end - start) / 6), 2)
        taken += [(x - 2, y - 2, x + 2, y + 2) for x, y in np.linspace(start, end, beads)]
    rows = []
    for number, (word, size) in enumerate(zip(words, sizes, strict=True)):
        wide, high = text_width(word) * size, 1.1 * size
        x, y = pixels[number]
        beside = [
            (x + gap, y),
            (x - gap - wide, y),
            (x - wide / 2, y - gap - high / 2),
            (x - wide / 2, y + gap + high / 2),
            (x + gap, y - high),
            (x + gap, y + high),
            (x - gap - wide, y - high),
            (x - gap - wide, y + high),
        ]
        boxes = [(left, top - high / 2, left + wide, top + high / 2) for left, top in beside]
        others = taken[:number] + taken[number + 1 :]
        inside = [b for b in boxes if b[0] >= 0 and b[2] <= plane.width and b[1] >= 0]
        inside = [b for b in inside if b[3] <= plane.height]
        crossed = [sum(_over(box, other) for other in others) for box in inside or boxes]
        if number >= must and (not inside or min(crossed)):
            continue
        chosen = (inside or boxes)[int(np.argmin(crossed))]  # the first of the best
        taken.append(chosen)
        rows.append((number, word, chosen[0], (chosen[1] + chosen[3]) / 2, size))
    return pd.DataFrame(rows, columns=["number", "word", "left", "top", "size"])


def _over(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def written(plane: Plane, frame: pd.DataFrame) -> alt.Chart:
    """The names, where `names` put them."""
    return (
        alt.Chart(frame)
        .mark_text(align="left", baseline="middle", color=style.INK)
        .encode(
            x=plane.x("left"),
            y=plane.y("top"),
            text=alt.Text("word:N"),
            size=alt.Size("size:Q", scale=None, legend=None),
        )
    )


def arrows(
    plane: Plane,
    starts: Points,
    ends: Points,
    colour: str = style.BLUE,
    dash: Sequence[int] = (1, 0),
) -> list[alt.Chart]:
    """Lines with heads, from pixel to pixel; they end a little before the point they point at."""
    along = ends - starts
    length = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    short = np.minimum(HEAD * plane.scale / length, 0.3)
    starts, tips = starts + along * short * 0.6, ends - along * short
    frame = pd.DataFrame(
        {
            "from_x": starts[:, 0],
            "from_y": starts[:, 1],
            "to_x": tips[:, 0],
            "to_y": tips[:, 1],
            "angle": np.degrees(np.arctan2(along[:, 0], -along[:, 1])) % 360,
        }
    ).round(2)
    base = alt.Chart(frame)
    turned = alt.Angle("angle:Q", scale=alt.Scale(domain=[0, 360], range=[0, 360]))
    return [
        base.mark_rule(
            color=colour, strokeWidth=2.2 * plane.scale, strokeDash=list(dash), tooltip=None
        ).encode(
            x=plane.x("from_x"),
            x2=alt.X2("to_x:Q"),
            y=plane.y("from_y"),
            y2=alt.Y2("to_y:Q"),
        ),
        base.mark_point(
            shape="triangle",
            filled=True,
            color=colour,
            size=90 * plane.scale**2,
            opacity=1,
            tooltip=None,
        ).encode(x=plane.x("to_x"), y=plane.y("to_y"), angle=turned),
    ]

"""A drawn picture, the places that ask on it, and where each of them looks (Zhang et al. 2019,
figures 1 and 6): a map has the colour of its point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from viz_core.analysis import dream as told
from viz_core.charts import gaze
from viz_core.charts.gaze import Look
from viz_core.charts.gaze_marks import Point
from viz_core.charts.kit import style
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.patches import scaled
from viz_core.traces.image import Drawn
from viz_core.traces.photo import Photo

Place = tuple[int, int]


def points(drawn: Drawn, asked: Sequence[Place]) -> tuple[Point, ...]:
    return tuple(
        Point(row=row, column=column, grid=drawn.grid, colour=colour)
        for (row, column), colour in zip(asked, style.HEADS, strict=False)
    )


def pictures(
    drawn: Drawn, without: Drawn, asked: Sequence[Place], *, room: Room = PAGE
) -> style.AnyChart:
    """The picture with its points, and what it is without attention.

    A click on a place of the first sets the selection "place".
    """
    title = f"{drawn.kind}, drawn from noise"
    looks = (
        Look(label="as drawn", below=f"γ = {drawn.gamma:.2f}", points=points(drawn, asked)),
        Look(label="attention taken out", below="γ = 0", photo=Photo.of(without.image)),
    )
    return gaze.pictures(
        Photo.of(drawn.image),
        looks,
        title=title,
        said=f"{title}. {told.change(drawn, without)}",
        places=drawn.grid,
        room=room,
    )


def maps(drawn: Drawn, asked: Sequence[Place], *, room: Room = PAGE) -> style.AnyChart:
    """Where each point looked, in the order of the points; the last one is the visitor's own."""
    far = told.far(drawn)
    looks = []
    for number, point in enumerate(points(drawn, asked), 1):
        seen = drawn.map((point.row, point.column))
        share = far[point.row * drawn.grid[1] + point.column]
        looks.append(
            Look(
                label="your place" if number == len(asked) else f"point {number}",
                below=f"largest {seen.max():.2f}, {share:.0%} far",
                weights=scaled(seen),
                points=(point,),
            )
        )
    title = "Where these places looked"
    said = f"{title}. {told.finding(drawn, asked[-1])}"
    return gaze.pictures(
        Photo.of(drawn.image),
        tuple(looks),
        title=title,
        said=said,
        brightest="the largest",
        room=room,
    )


def walk(
    images: NDArray[np.uint8],
    seeds: tuple[int, int],
    at: int,
    *,
    name: str = "",
    room: Room = PAGE,
) -> style.AnyChart:
    """From one seed to another, by the network of this name; a click sets the selection "look"."""
    last = len(images) - 1
    ends = {0: f"seed {seeds[0]}", last: f"seed {seeds[1]}"}
    looks = tuple(
        Look(label=ends.get(number, f"{number / last:.0%}"), photo=Photo.of(each))
        for number, each in enumerate(images)
    )
    said = f"{len(images)} pictures on the way from seed {seeds[0]} to seed {seeds[1]}"
    return gaze.pictures(
        Photo.of(images[0]),
        looks,
        title=name,
        said=f"{name}. {said}" if name else said,
        chosen=at,
        tips={"label": "on the way"},
        room=room,
    )


def formula(drawn: Drawn, place: Place) -> str:
    """Equations 2 and 3 of the paper with the largest weight of this place."""
    number = place[0] * drawn.grid[1] + place[1] + 1
    row = drawn.attention.matrix()[number - 1]
    key = int(row.argmax())
    return (
        rf"y_{{{number}}} = \gamma \, v\Big(\sum_i \beta_{{{number},i}}\, h(x_i)\Big) "
        rf"+ x_{{{number}}}, "
        rf"\qquad \gamma = {drawn.gamma:.3f}, \qquad "
        rf"\max_i \beta_{{{number},i}} = \beta_{{{number},{key + 1}}} = {row[key]:.3f}"
    )

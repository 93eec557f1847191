"""Points in a plane: all inside, angles kept where they should be, no name over another."""

import itertools

import numpy as np
import pytest

from viz_core.charts.kit import plane
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.kit.text_marks import width

STAGE = Room(1810, 720, 720, 1.5)


@pytest.mark.parametrize("room", [PAGE, PAGE.part(0.5), STAGE])
@pytest.mark.parametrize("equal", [True, False])
def test_every_point_is_inside_and_the_drawing_fits_its_room(room, equal):
    points = np.random.default_rng(1).normal(size=(30, 2)) * [5, 0.1]
    paper = plane.fit(points, room, equal)
    pixels = paper.pixels(points)
    assert paper.width <= room.width + 1e-6 and paper.height <= room.height + 1e-6
    assert (pixels > 0).all()
    assert (pixels[:, 0] < paper.width).all() and (pixels[:, 1] < paper.height).all()


def test_equal_keeps_angles_and_up_is_up():
    points = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [9.0, 1.0]])
    a, b, c, _ = plane.fit(points, PAGE, equal=True).pixels(points)
    assert (b - a) @ (c - a) == pytest.approx(0)
    assert np.linalg.norm(b - a) == pytest.approx(np.linalg.norm(c - a))
    assert c[1] < a[1]


def test_one_point_alone_has_a_place():
    paper = plane.fit(np.zeros((1, 2)), PAGE)
    assert np.isfinite(paper.pixels(np.zeros((1, 2)))).all()


def boxes(told):
    return [
        (row.left, row.top - 0.55 * row.size, row.left + width(row.word) * row.size,
         row.top + 0.55 * row.size)
        for row in told.itertuples()
    ]  # fmt: skip


def test_names_lie_over_no_other_name_and_inside_the_drawing():
    points = np.random.default_rng(2).normal(size=(120, 2))
    paper = plane.fit(points, PAGE)
    words = [f"word{number}" for number in range(120)]
    told = plane.names(paper, paper.pixels(points), words, [12.0] * 120)
    assert 40 < len(told) < 120  # what finds no place is told on hover
    placed = boxes(told)
    for one, other in itertools.combinations(placed, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart
    assert all(left >= 0 and right <= paper.width for left, _, right, _ in placed)


def test_names_that_must_be_written_are_even_in_a_crowd():
    paper = plane.fit(np.array([[0.0, 0.0], [1.0, 1.0]]), PAGE)
    told = plane.names(paper, np.full((9, 2), 200.0), list("abcdefghi"), [14.0] * 9, must=9)
    assert told["word"].tolist() == list("abcdefghi")


def test_a_name_keeps_away_from_a_line():
    paper = plane.fit(np.array([[0.0, 0.0], [1.0, 1.0]]), PAGE)
    pixels = np.array([[200.0, 200.0]])
    free = plane.names(paper, pixels, ["word"], [14.0])
    line = [(np.array([205.0, 200.0]), np.array([400.0, 200.0]))]
    crossed = plane.names(paper, pixels, ["word"], [14.0], lines=line)
    assert free["left"].item() > 200 > crossed["left"].item()

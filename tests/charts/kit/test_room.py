"""A chart fits the room that it is told: cells shrink, then words turn, then a part is shown."""

import pytest

from viz_core.charts.kit.room import LABEL, PAGE, SLANT, Room, fit_grid, word_width

STAGE = Room(1810, 720, 720, 1.5)
COLUMNS = [PAGE, PAGE.part(1 / 3), STAGE, STAGE.part(0.4)]


def words(count: int, letters: int = 6) -> list[str]:
    return ["x" * letters] * count


@pytest.mark.parametrize("room", COLUMNS)
@pytest.mark.parametrize("count", [1, 7, 14, 24, 40, 64, 300])
def test_cells_and_words_fit_the_room(room, count):
    grid = fit_grid(room, words(count), words(count))
    wide, high = grid.size
    left = min(word_width(words(count), 14 * room.scale), LABEL * room.scale)
    assert wide + left <= room.width
    assert high + grid.heading <= max(room.heights(count)) + 1


@pytest.mark.parametrize("count", [7, 14, 24])
def test_a_sentence_of_fifteen_words_ends_above_the_fold(count):
    assert max(PAGE.heights(count)) < 500 < PAGE.tall


def test_cells_shrink_before_words_are_left_out():
    sides = [fit_grid(PAGE, words(count), words(count)).high for count in (4, 14, 24)]
    assert sides == sorted(sides, reverse=True)
    assert all(
        fit_grid(PAGE, words(count), words(count)).rows == slice(0, count) for count in (4, 14, 24)
    )


def test_words_stand_upright_over_narrow_cells():
    narrow, wide = (fit_grid(room, words(9), words(9)) for room in (PAGE.part(0.2), PAGE))
    assert (narrow.angle, wide.angle) == (-90, -45)
    assert wide.heading == pytest.approx(word_width(words(1), 14) * SLANT + 12)


def test_of_what_cannot_be_seen_any_more_the_part_around_the_focus_is_shown():
    grid = fit_grid(PAGE.part(0.3), words(300), words(300), focus=200)
    assert 200 in range(grid.rows.start, grid.rows.stop)
    assert grid.rows.stop - grid.rows.start < 100


def test_long_words_are_shortened_rather_than_take_the_room():
    short, long = (fit_grid(PAGE, words(9, letters), words(9)) for letters in (30, 300))
    assert short == long


def test_type_on_a_stage_is_larger_than_on_a_desk():
    assert (PAGE.least, STAGE.least) == (11, 18)


def test_a_column_beside_something_has_less_room():
    assert PAGE.less(width=100, height=50).width == PAGE.width - 100
    assert STAGE.less(height=100).height == STAGE.height - 150


def test_of_columns_that_cannot_be_seen_any_more_those_around_one_are_shown():
    grid = fit_grid(Room(300, 400, 400), words(200), words(200), focus=150, column=150)
    assert grid.columns.start > 100 and 150 in range(grid.columns.start, grid.columns.stop)
    assert fit_grid(Room(300, 400, 400), words(200), words(200)).columns.start == 0

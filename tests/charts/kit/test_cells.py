"""The parts of a matrix."""

import numpy as np

from viz_core.charts.kit import cells


def test_the_second_the_meets_the_second_the():
    assert cells.occurrences(["The", "cat", "the"]) == ["the 0", "cat 0", "the 1"]


def test_a_part_keeps_the_positions_of_the_whole():
    weights = np.arange(12, dtype=np.float32).reshape(3, 4)
    frame = cells.frame(weights, ["a", "b", "c"], list("wxyz"), slice(1, 3), slice(2, 4))
    assert frame["query"].tolist() == [1, 1, 2, 2]
    assert frame["key"].tolist() == [2, 3, 2, 3]
    assert frame["weight"].tolist() == [6, 7, 10, 11]
    assert frame["key word"].tolist() == ["y", "z", "y", "z"]


def test_weights_that_are_no_numbers_are_drawn_as_zero():
    frame = cells.frame(np.array([[np.nan, 0.5]]), ["a"], ["b", "c"], slice(0, 1), slice(0, 2))
    assert frame["weight"].tolist() == [0.0, 0.5]

import math

import numpy as np
import pytest

from viz_core.charts.kit.arithmetic import added, number, vector


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4.0, "4"),
        (0.6, "0.6"),
        (1.99997, "2.0000"),  # not a whole number, and not shown as one
        (0.43193, "0.4319"),
        (-1.5, "−1.5"),
        (-0.00001, "0.0000"),
        (-0.0, "0"),
        (1e6, "1000000"),
        (-math.inf, "−∞"),
        (math.nan, "none"),
    ],
)
def test_a_number_reads_as_on_a_blackboard(value, text):
    assert number(value) == text


def test_a_sum_is_written_out_and_comes_true():
    assert added([1, 0, 2], [4, -4, 0.5]) == "1·4 + 0·(−4) + 2·0.5 = 5"
    assert vector([1, 2.5]) == "[1, 2.5]"


def test_a_long_sum_is_shortened_but_still_summed_in_full():
    assert added(np.ones(24), np.full(24, 2)) == "1·2 + 1·2 + 1·2 + … (24 products) = 48"

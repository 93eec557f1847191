import numpy as np
import pytest
import vl_convert

from viz_core import by_hand
from viz_core.charts import lookup

KEYS, VALUES = np.array([[1.0, 0.0], [0.6, 0.8]]), np.array([[3.0], [2.0]])


def said(chart):
    """(panel, row, column) -> its arithmetic."""
    cells = next(
        rows for rows in chart.to_dict()["datasets"].values() if rows and "said" in rows[0]
    )
    return {(c["panel"], c["row"], c["column"]): c["said"] for c in cells}


def test_a_hard_match_and_the_lack_of_one_are_told():
    found = by_hand.look_up(("banana", "apple"), KEYS, VALUES, KEYS[1], 0.5)
    assert lookup.finding(found).startswith("Hard match takes apple")
    assert said(lookup.match(found))["hard answer", 0, 0] == "the value of apple"
    nowhere = by_hand.look_up(("banana", "apple"), KEYS, VALUES, np.array([0.8, 0.6]), 0)
    assert lookup.finding(nowhere).startswith("Hard match finds no row")
    told = said(lookup.match(nowhere))
    assert told["hard answer", 0, 0].startswith("no key equals the query")
    assert told["soft match", 0, 0] == "banana: the limit for T → 0 gives 0"
    assert "-- no row" in lookup.sql(nowhere)


def test_the_curves_end_at_the_hard_match():
    found = by_hand.look_up(("banana", "apple"), KEYS, VALUES, KEYS[1], 0.0)
    chart = lookup.limit(found).to_dict()
    assert chart["description"] == "As the temperature falls to 0, apple takes 1.00"


def test_apple_is_told_as_a_sum():
    weights, values = np.array([0.1, 0.9]), np.array([[1.0, 5.0], [6.0, 4.0]])
    told = said(lookup.weighted(("she", "eating"), weights, values, "apple"))
    assert told["sum", 0, 0] == "apple: 0.1·1 + 0.9·6 = 5.5"
    said_sum = lookup.finding_of_sum(("she", "eating"), weights, weights @ values, "apple")
    assert said_sum == "apple becomes [5.5, 4.1], most of it from eating"


@pytest.mark.parametrize("scale", [1.0, 1.8])
def test_every_picture_draws(scale):
    weights, values = np.array([0.1, 0.9]), np.array([[1.0, 5.0], [6.0, 4.0]])
    found = by_hand.look_up(("banana", "apple"), KEYS, VALUES, KEYS[1], 0.5)
    for chart in (
        lookup.match(found, scale=scale),
        lookup.weighted(("she", "eating"), weights, values, "apple", scale=scale),
        lookup.pull(("she", "eating"), weights, values, "apple", scale=scale),
        lookup.pull(("she", "eating"), weights, values[:, :1], "apple", scale=scale),
    ):
        assert chart.to_dict()["description"]
        assert "<svg" in vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4")

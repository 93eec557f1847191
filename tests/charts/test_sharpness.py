"""How widely each target word looks."""

import numpy as np
import pytest
import vl_convert

from viz_core.charts import sharpness
from viz_core.traces import AttentionTrace

ONE, ALL, PART = np.eye(4)[:3], np.full((3, 4), 0.25), np.eye(4)[:3] * 0.5


def trace(weights, queries=("le", "chat", "."), keys=("the", "cat", ".", "</s>")):
    table = np.asarray(weights, dtype=np.float32)[None, None]
    return AttentionTrace(kind="alignment", queries=queries, keys=keys, weights=table)


def test_one_word_is_no_bit_and_four_alike_are_two():
    assert sharpness.bits(trace(ONE)) == pytest.approx([0, 0, 0], abs=1e-6)
    assert sharpness.bits(trace(ALL)) == pytest.approx([2, 2, 2])


def test_a_row_that_does_not_sum_to_one_counts_by_its_shares():
    assert sharpness.bits(trace(PART)) == pytest.approx([0, 0, 0], abs=1e-6)


def test_the_finding_names_the_sharpest_and_the_broadest():
    said = sharpness.finding({"a": trace(ONE), "b": trace(ALL)})
    assert said == "a looks most sharply, 0.00 bits a word; b most broadly, 2.00 bits"


def test_every_cell_carries_its_number_and_the_last_column_is_the_mean():
    chart = sharpness.sharpness({"a": trace(ONE), "b": trace(ALL)}).to_dict()
    rows = max(chart["datasets"].values(), key=len)
    assert len(rows) == 2 * 4
    assert [row["bits"] for row in rows if row["word"] == "mean"] == [0, 2]
    assert [row["weight"] for row in rows if row["model"] == "b"] == [1, 1, 1, 1]
    assert "mean" in vl_convert.vegalite_to_svg(chart, vl_version="6.4")


def test_nothing_is_said_to_be_nothing():
    empty = trace(np.zeros((0, 4)), queries=())
    assert sharpness.sharpness({"a": empty}).to_dict()["description"] == sharpness.NOTHING
    assert sharpness.finding({}) == sharpness.NOTHING

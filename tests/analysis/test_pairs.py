"""Pairs of sentences in numbers: checked by hand."""

import pytest

from viz_core.analysis import pairs
from viz_core.text.neighbours import Pair

DRAWN = [Pair("A.", "B.", True), Pair("A.", "C.", False), Pair("C.", "D.", True)]


def test_the_formula_gives_back_its_probability():
    assert r"\sigma(1.10) = 0.750" in pairs.formula(0.75)
    assert "1.000" in pairs.formula(1.0)


def test_either_kind_has_its_share_and_one_half_is_the_border():
    assert pairs.shares(DRAWN) == pytest.approx({"IsNext": 2 / 3, "NotNext": 1 / 3})
    assert pairs.right(DRAWN, [0.9, 0.4, 0.5]) == 2


def test_the_table_has_a_row_for_each_pair():
    table = pairs.table(DRAWN, [0.9, 0.4, 0.5])
    assert table["drawn as"] == ["IsNext", "NotNext", "IsNext"]
    assert table["BERT"] == ["0.90", "0.40", "0.50"] and table["second"][1] == "C."

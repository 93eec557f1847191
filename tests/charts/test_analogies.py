"""Accuracy by family, beside what is published."""

import pytest

from viz_core.atlas.published import ANALOGIES
from viz_core.charts import analogies, export

FAMILIES = [
    {"family": "family", "asked": 10, "right": 8, "left out": 3},
    {"family": "gram1-adjective-to-adverb", "asked": 20, "right": 1, "left out": 0},
]
TOTALS = {
    "accuracy": 0.3,
    "semantic accuracy": 0.8,
    "syntactic accuracy": 0.05,
    "questions": 30.0,
    "left out": 3.0,
}


@pytest.fixture(scope="module")
def frame():
    return analogies.rows(FAMILIES, TOTALS, ANALOGIES)


def test_totals_stand_beside_the_published_and_families_below(frame):
    assert frame["row"].tolist() == [
        *("all questions", "semantic accuracy", "syntactic accuracy"),
        *("family", "adjective to adverb"),
    ]
    assert frame["ours"].tolist() == [0.3, 0.8, 0.05, 0.8, 0.05]
    assert frame["published"].tolist()[:3] == list(ANALOGIES.values())
    assert frame["published"].isna().tolist() == [False] * 3 + [True] * 2


def test_the_finding_names_the_easiest_and_the_hardest_family(frame):
    assert analogies.finding(frame) == "Best at family, 80%; worst at adjective to adverb, 5%"


def test_what_was_left_out_and_the_other_size_are_said():
    said = analogies.about(TOTALS)
    assert "30 questions" in said and "3 more" in said and "300" in said


def test_it_can_be_drawn(frame):
    assert export.png(analogies.accuracy(frame), "accuracy").startswith(b"\x89PNG")

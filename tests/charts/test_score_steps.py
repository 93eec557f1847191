"""Six formulas by hand: what is written beside each number is how it came to be."""

import re

import numpy as np
import pytest
import vl_convert

from viz_core.by_hand.numbers import read_matrix
from viz_core.charts import score_steps
from viz_core.probe import scores as probe_scores
from viz_core.traces.rnn import SCORES


def trace(**changed):
    texts = dict(score_steps.EXAMPLE.values()) | changed
    return probe_scores.by_hand(*(read_matrix(text, key) for key, text in texts.items()))


def result(told):
    return float(told.rpartition(" = ")[2].replace("−", "-"))


@pytest.mark.parametrize("function", range(len(SCORES)), ids=SCORES)
def test_the_arithmetic_ends_in_the_score_and_the_weight(function):
    found = trace()
    for key in range(len(found.keys)):
        score = score_steps.said_score(found, key, function)
        assert score.startswith(f"{SCORES[function]}, h{key + 1}: ")
        assert result(score) == pytest.approx(found.scores[function, key], abs=6e-5)
        weight = score_steps.said_weight(found, key, function)
        assert result(weight) == pytest.approx(found.weights[function, key], abs=6e-5)


def test_the_formulas_end_in_the_scores():
    found = trace()
    for key in range(len(found.keys)):
        lines = score_steps.formulas(found, key)
        assert list(lines) and set(lines) == set(SCORES)
        for name, line in lines.items():
            assert "−" not in line and "·" not in line
            score = found.scores[SCORES.index(name), key]
            assert float(line.rpartition(" = ")[2]) == pytest.approx(score, abs=6e-5), name


def test_the_sums_of_a_formula_can_be_checked_with_a_pocket_calculator():
    line = score_steps.formulas(trace(), 1)["dot"]
    factors = re.findall(r"(-?[\d.]+) \\cdot \(?(-?[\d.]+)", line)
    assert sum(float(a) * float(b) for a, b in factors) == 5


def test_the_finding_names_the_key_that_each_function_prefers():
    said = score_steps.finding(trace())
    assert said.startswith("content: h1 ") and "general: h2" in said and "dot: h3" in said


def test_a_location_score_is_not_made_from_the_key():
    parts = {name: score_steps._read(i, 0) for i, name in enumerate(SCORES)}
    assert "keys" not in {part.panel for part in parts["location"]}
    assert {part.panel for part in parts["additive"]} == {"query", "keys", "W add", "U add", "v"}


@pytest.mark.parametrize("changed", [{}, {"h": "1 2", "wl": "1; 1"}])
def test_the_picture_compiles(changed):
    found = trace(**changed)
    chart = score_steps.picture(found).to_dict()
    assert chart["description"] == score_steps.finding(found)
    assert "softmax of each column" in vl_convert.vegalite_to_svg(chart, vl_version="6.4")


def test_huge_numbers_stay_numbers():
    found = trace(s="1e6 1e6")
    assert np.isfinite(found.weights).all()
    assert "nan" not in score_steps.said_weight(found, 0, 4)

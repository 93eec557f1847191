"""The lesson of word vectors in words and formulas."""

import re

import numpy as np
import pytest

from viz_core import probe
from viz_core.charts import skip_gram
from viz_core.probe.skip_gram import STORY


@pytest.fixture(scope="module")
def lesson():
    return probe.course(STORY, 1, 300, 100)


def test_the_finding_names_the_nearest_words(lesson):
    assert skip_gram.finding(lesson[0], "king").startswith("After 1 update the words")
    said = skip_gram.finding(lesson[-1], " King ")
    assert said.startswith("After 300 updates the words nearest to king are ")
    assert "queen" in said


def test_a_word_that_is_not_in_the_text_is_told_and_another_is_shown(lesson):
    said = skip_gram.finding(lesson[-1], "zebra")
    assert "“zebra” is not in this text" in said
    assert lesson[-1].words[skip_gram.place(lesson[-1], "zebra")] in said


def test_the_chosen_word_and_its_nearest_are_always_written(lesson):
    chart = skip_gram.word_map(lesson[-1], "king").to_dict()
    names = next(layer for layer in chart["layer"] if layer["mark"]["type"] == "text")
    written = {row["word"] for row in chart["datasets"][names["data"]["name"]]}
    near = skip_gram.near(lesson[-1], lesson[-1].words.index("king"))
    assert {"king", *(lesson[-1].words[i] for i in near)} <= written


def test_the_formula_adds_up_to_the_loss_of_its_pair(lesson):
    moment = lesson[-1]
    total = np.log1p(np.exp(-moment.scores[0])) + sum(
        np.log1p(np.exp(score)) for score in moment.scores[1:]
    )
    said = skip_gram.formula(moment)
    assert float(re.findall(r"L &= ([\d.]+)", said)[-1]) == pytest.approx(total, abs=0.006)
    assert moment.pair[0] in said


def test_a_typed_word_cannot_break_a_formula():
    text = "the snake_case and it's and the other words stand here"
    formula = skip_gram.formula(probe.course(text, 1, 5, 5)[-1])
    assert "_case" not in formula and "'" not in formula

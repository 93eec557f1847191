"""ROUGE against values computed by hand."""

import pytest

from viz_core.training.measure import rouge


def test_the_cat_sat_by_hand():
    """Five of six words are shared, three of five pairs, five in order."""
    found = rouge.rouge("The cat was on the mat", "the cat sat on the mat.")
    assert found["ROUGE-1"] == pytest.approx(5 / 6)
    assert found["ROUGE-2"] == pytest.approx(3 / 5)
    assert found["ROUGE-L"] == pytest.approx(5 / 6)


def test_precision_and_recall_both_count():
    """Two of two written words, two of four wanted: P = 1, R = 1/2, F1 = 2/3."""
    found = rouge.rouge("neural parsing", "neural parsing of Turkish")
    assert found["ROUGE-1"] == pytest.approx(2 / 3)
    assert found["ROUGE-2"] == pytest.approx(2 * 1 / (1 + 3))
    assert found["ROUGE-L"] == pytest.approx(2 / 3)


def test_a_word_counts_as_often_as_both_have_it():
    assert rouge.rouge("the the the", "the end")["ROUGE-1"] == pytest.approx(2 * 1 / (3 + 2))


def test_order_counts_for_the_longest_common_subsequence_alone():
    found = rouge.rouge("c b a", "a b c")
    assert found["ROUGE-1"] == 1
    assert found["ROUGE-2"] == 0
    assert found["ROUGE-L"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(("one", "other"), [("", "a title"), ("a title", ""), ("", "")])
def test_nothing_scores_nothing(one, other):
    assert set(rouge.rouge(one, other).values()) == {0.0}


def test_the_mean_is_in_per_cent():
    assert rouge.mean([("a b", "a b"), ("x", "y")])["ROUGE-1"] == 50

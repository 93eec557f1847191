"""Six score functions on typed numbers, against closed forms written out in numpy."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from viz_core.by_hand.numbers import read_matrix
from viz_core.charts.score_steps import EXAMPLE
from viz_core.probe import scores as probe_scores
from viz_core.traces.rnn import SCORES


def matrix(rows, columns):
    return arrays(float, (rows, columns), elements=st.floats(-3, 3, width=32))


@given(
    matrix(1, 2), matrix(3, 2), matrix(2, 2), matrix(2, 4), matrix(2, 4), matrix(1, 4), matrix(2, 3)
)
def test_each_score_is_its_closed_form(query, keys, general, w, u, v, location):
    found = probe_scores.by_hand(query, keys, general, w, u, v, location)
    s = query[0]
    for j, h in enumerate(keys):
        sizes = max(np.linalg.norm(s), 1e-12) * max(np.linalg.norm(h), 1e-12)
        stacked = np.concatenate((s, h)) @ np.concatenate((w, u))  # W [s; h]
        wanted = {
            "content": s @ h / sizes,
            "additive": np.tanh(stacked) @ v[0],
            "location": s @ location[:, j],
            "general": s @ general @ h,
            "dot": s @ h,
            "scaled-dot": s @ h / math.sqrt(2),
        }
        for name, score in zip(SCORES, found.scores[:, j], strict=True):
            assert score == pytest.approx(wanted[name], abs=1e-9), name


@given(matrix(1, 2), matrix(4, 2))
def test_weights_are_the_softmax_of_the_scores(query, keys):
    square, four = np.eye(2), np.ones((2, 4))
    found = probe_scores.by_hand(query, keys, square, square, square, np.ones((1, 2)), four)
    powers = np.exp(found.scores - found.scores.max(axis=1, keepdims=True))
    assert found.weights == pytest.approx(powers / powers.sum(axis=1, keepdims=True))
    assert found.weights.sum(axis=1) == pytest.approx(1)


def example(**changed):
    texts = dict(EXAMPLE.values()) | changed
    return probe_scores.by_hand(*(read_matrix(text, key) for key, text in texts.items()))


def test_the_example_of_the_page_has_these_numbers():
    found = dict(zip(SCORES, example().scores, strict=True))
    assert found["dot"].tolist() == [5, 5, 10]
    assert found["scaled-dot"] == pytest.approx(found["dot"] / math.sqrt(2))
    assert found["content"] == pytest.approx([1, 1 / math.sqrt(2), 2 / math.sqrt(5)])
    assert found["general"].tolist() == [-3, 1, -2]
    assert found["location"].tolist() == [2, 1, 1]
    assert found["additive"] == pytest.approx(
        [math.tanh(1), math.tanh(2) + math.tanh(0.5), math.tanh(2.5) - math.tanh(0.5)]
    )


def test_location_does_not_read_the_keys_and_the_others_do():
    before, after = example(), example(h="2 -1; 0 1; 1 1")
    same = [np.array_equal(a, b) for a, b in zip(before.scores, after.scores, strict=True)]
    assert [name for name, one in zip(SCORES, same, strict=True) if one] == ["location"]


@pytest.mark.parametrize(
    ("key", "typed", "sentence"),
    [
        ("s", "1 2 3", "The query has 3 numbers, and 2 are needed"),
        ("wg", "1 0 1; 0 1 1", r"W of general has 2 x 3 numbers, and 2 x 2 are needed"),
        ("wa", "1; 1", r"W of additive has 2 x 1 numbers, and 2 x 2"),
        ("ua", "1 2", r"U of additive has 1 x 2"),
        ("wl", "1 0; 0 1", r"W of location has 2 x 2 numbers, and 2 x 3 are needed"),
    ],
)
def test_numbers_that_do_not_fit_are_named_with_both_sizes(key, typed, sentence):
    with pytest.raises(ValueError, match=sentence):
        example(**{key: typed})

"""Queries split into heads: the model's own numbers, at the places that torch says."""

import numpy as np
import pytest

from tests import tiny
from viz_core import probe
from viz_core.analysis import split as told

CAT = tiny.PAIRS[0][0]


@pytest.fixture(scope="module")
def trace():
    return probe.split_heads(tiny.translator("transformer"), CAT, 1)


def test_a_split_number_lies_where_it_lay_and_is_the_same(trace):
    memory = trace.queries.ravel()
    assert trace.shares_memory and trace.strides == (16, 1)
    for head, word, number in np.ndindex(trace.heads.shape):
        place = trace.split_place(head, word, number)
        assert place == trace.place(word, head * trace.size + number)
        assert memory[place] == trace.heads[head, word, number]


def test_joined_is_every_head_side_by_side_again(trace):
    np.testing.assert_array_equal(np.concatenate(list(trace.contexts), axis=1), trace.joined)


def test_weights_and_outputs_are_those_of_the_opened_encoder(trace):
    row = probe.inside(tiny.translator("transformer"), CAT, "", "Encoder 2").rows[0]
    (query, _, _), (heads,), (joined,), (out,) = row.columns[2:6]
    np.testing.assert_allclose(trace.queries, query.values, atol=1e-6)
    np.testing.assert_allclose(trace.weights, heads.values, atol=1e-6)
    np.testing.assert_allclose(trace.joined, joined.values, atol=1e-6)
    np.testing.assert_allclose(trace.outputs, out.values, atol=1e-5)


def test_the_way_of_a_number_is_told_with_its_places(trace):
    first, second, *_, last = told.told(trace, 2, 9)  # four heads of four numbers
    assert "place 2·16 + 9·1 = 41" in first and "number 10 of" in first
    assert "number 2 of" in second and "head 3 lies at place 2·4 + 2·16 + 1·1 = 41" in second
    assert "nothing was moved" in second and last.startswith("W_O")
    assert "4 heads of" in told.finding(trace) and "without a copy" in told.finding(trace)


def test_a_layer_that_is_not_there_gets_a_sentence():
    with pytest.raises(ValueError, match="no layer 3"):
        probe.split_heads(tiny.translator("transformer"), CAT, 2)

"""Copying through a memory, run for a view."""

import numpy as np
import pytest

from tests import tiny
from viz_core import checkpoints, probe
from viz_core.text import bits as typed


def random_bits(length, seed=7):
    return np.random.default_rng(seed).integers(2, size=(length, 8))


def test_a_trace_holds_every_step_of_both_heads():
    trace = probe.copy(tiny.ntm(), random_bits(3))
    assert trace.writes.shape == trace.reads.shape == (7, 12)
    assert trace.memory.shape == (7, 12, 5) and trace.vectors.shape == (7, 5)
    assert trace.output.shape == (3, 8) and set(np.unique(trace.output)) <= {0, 1}
    np.testing.assert_allclose(trace.reads.sum(1), 1, atol=1e-5)
    np.testing.assert_array_equal(trace.read.before[1:], trace.reads[:-1])


def test_what_is_read_is_the_weighted_sum_of_the_memory():
    trace = probe.copy(tiny.ntm(), random_bits(4))
    summed = np.einsum("tp,tpw->tw", trace.reads, trace.memory)
    np.testing.assert_allclose(summed, trace.vectors, atol=1e-5)


def test_typed_bits_and_an_array_are_the_same():
    rows = typed.read("10110010 01101100", 120)
    from_text, from_array = (probe.copy(tiny.ntm(), given) for given in (rows, np.array(rows)))
    np.testing.assert_array_equal(from_text.probabilities, from_array.probabilities)


@pytest.mark.parametrize(
    ("bits", "said"),
    [
        ([], "8 bits"),
        ([[1, 0, 1]], "8 bits"),
        ([[2] * 8], "only 0 and 1"),
        ([[np.nan] * 8], "only 0 and 1"),
        ([[0.5] * 8], "only 0 and 1"),
        ([["x"] * 8], "8 bits"),
        ([[1] * 8, [1]], "8 bits"),
        (np.zeros((121, 8)), "at most 120"),
    ],
)
def test_what_cannot_be_copied_gets_a_sentence(bits, said):
    with pytest.raises(ValueError, match=said):
        probe.copy(tiny.ntm(), bits)


def test_another_model_gets_a_sentence():
    with pytest.raises(ValueError, match="choose ntm"):
        probe.copy(tiny.translator("rnn-dot"), random_bits(2))


@pytest.mark.parametrize("length", [1, 7, 20, 40, 60])
def test_the_trained_machine_copies_what_it_never_saw(length):
    trace = probe.copy(checkpoints.load("ntm"), random_bits(length, seed=length))
    assert trace.wrong <= 0.01 * trace.bits.size
    assert trace.longest == 20

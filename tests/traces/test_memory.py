"""A record of a memory names both sizes when they do not fit."""

from dataclasses import replace

import numpy as np
import pytest

from tests import tiny
from viz_core import probe


@pytest.fixture(scope="module")
def trace():
    return probe.copy(tiny.ntm(), np.ones((2, 8)))


def test_an_answer_of_another_length_is_refused(trace):
    with pytest.raises(ValueError, match=r"bits are \(2, 8\) but the answer is \(3, 8\)"):
        replace(trace, probabilities=np.ones((3, 8), dtype=np.float32))


def test_a_memory_of_another_size_is_refused(trace):
    with pytest.raises(ValueError, match=r"5 steps, \(5, 9\) of memory, but writes are \(5, 12\)"):
        replace(trace, memory=trace.memory[:, :9])


def test_a_head_with_a_missing_step_is_refused(trace):
    with pytest.raises(ValueError, match="5 steps of weights but 4 of gate"):
        replace(trace.read, gate=trace.read.gate[1:])


def test_wrong_bits_are_counted(trace):
    half_right = np.tile(np.array([0.9, 0.2] * 4, dtype=np.float32), (2, 1))
    assert replace(trace, probabilities=half_right).wrong == 8

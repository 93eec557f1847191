"""What the heads of a memory did, in words."""

from dataclasses import replace

import numpy as np

from tests import tiny
from viz_core import probe
from viz_core.analysis import memory


def machine(writes, reads, length=2, places=10):
    """A trace whose heads stand at these places, each with all its weight."""
    bits = np.random.default_rng(0).integers(2, size=(length, 8))
    found = probe.copy(tiny.ntm(), bits)
    sure = np.eye(places, dtype=np.float32)
    return replace(
        found,
        probabilities=found.bits,
        write=replace(found.write, weights=sure[writes]),
        read=replace(found.read, weights=sure[reads]),
        memory=np.zeros((2 * length + 1, places, 5), dtype=np.float32),
    )


def test_a_picture_leaves_out_the_longest_stretch_that_no_head_uses():
    trace = machine([8, 9, 0, 1, 1], [8, 8, 8, 9, 0], places=20)
    assert memory.places(trace).tolist() == [19, *range(0, 11)]


def test_places_are_counted_round_the_ring():
    trace = machine([18, 19, 0, 1, 2], [18, 18, 18, 18, 19], places=20)
    assert memory.places(trace).tolist() == [17, 18, 19, 0, 1, 2, 3, 4]


def test_all_places_are_there_if_all_are_used():
    trace = machine([0, 1, 2, 3, 4], [5, 6, 7, 8, 9])
    assert memory.places(trace).tolist() == list(range(10))


def test_an_input_is_found_again_if_it_is_read_where_it_was_written():
    assert memory.faithful(machine([3, 4, 5, 6, 7], [0, 0, 3, 3, 4])) == 2
    assert memory.faithful(machine([3, 4, 5, 6, 7], [0, 0, 3, 4, 4])) == 1


def test_reading_a_step_ahead_is_told():
    early = machine([3, 4, 5, 6, 7], [0, 0, 3, 4, 5])
    assert memory.faithful(early, ahead=1) == 2 and memory.faithful(early) == 0
    said = "it reads 2 of 2 where it wrote them, a step before it says them"
    assert memory.finding(early).endswith(said)


def test_the_verdict_counts_wrong_bits_and_says_what_is_beyond_training():
    trace = machine([3, 4, 5, 6, 7], [0, 0, 3, 3, 4])
    assert memory.verdict(trace) == "2 inputs copied, all 16 bits right"
    answer = trace.bits.copy()
    answer[0, :3] = 1 - answer[0, :3]
    wrong = replace(trace, probabilities=answer, longest=1)
    said = "2 inputs copied, 3 of 16 bits wrong, 1 was the longest in training"
    assert memory.verdict(wrong) == said


def test_measured_errors_are_told_by_length():
    metrics = {"length 30": {memory.ERROR: 0.0}, "length 60": {memory.ERROR: 1.234, "bits": 9.0}}
    assert memory.errors(metrics) == "length 30: 0.00%; length 60: 1.23%"

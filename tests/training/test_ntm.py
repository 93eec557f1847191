"""The copy task: its patterns, its loss, and what is measured."""

import numpy as np
import pytest
import torch

from tests import tiny
from viz_core.models.ntm import NTM, NTMConfig
from viz_core.training import ntm
from viz_core.training.loop import optimiser_for


@pytest.fixture
def task():
    torch.manual_seed(1)
    return ntm.CopyTask(NTM(NTMConfig(places=16, units=32)))


def lengths(task, progress, chunks=8):
    return {
        batch.bits.shape[1] for chunk in range(chunks) for batch in task.batches(progress, chunk)
    }


def test_short_patterns_come_first_and_all_lengths_in_the_end(task):
    assert lengths(task, 0.0) == set(range(1, ntm.BEGIN + 1))
    assert lengths(task, 1.0) == set(range(1, 21))


def test_a_chunk_is_the_same_each_time_and_another_one_differs(task):
    first, again, other = (next(iter(task.batches(1.0, chunk))).bits for chunk in (0, 0, 1))
    assert torch.equal(first, again)
    assert first.shape != other.shape or not torch.equal(first, other)


def test_the_loss_is_the_surprise_at_each_bit_of_the_answer(task):
    batch = ntm.draw(np.random.default_rng(0), 3, 4, 8)
    with torch.no_grad():
        chances = ntm.answers(task.model, batch).sigmoid()
        loss = float(task.loss(task.model, batch))
    right = torch.where(batch.bits > 0, chances, 1 - chances)
    assert loss == pytest.approx(float(-right.log().sum()), rel=1e-4)
    assert batch.count == 3 * 4 * 8


def test_it_learns_to_copy_one_pattern_in_a_moment(task):
    batch = ntm.draw(np.random.default_rng(0), 4, 2, 8)
    optimiser = optimiser_for(task.model, ntm.COPY.schedule)
    for group in optimiser.param_groups:
        group["lr"] = 0.02
    losses = [task.step(task.model, [optimiser], batch, clip=1.0) for _ in range(60)]
    assert losses[-1] < 0.5 * losses[0]


def test_a_machine_that_guesses_gets_half_of_the_bits_wrong():
    share, asked = ntm.bit_error(tiny.ntm().model, (5, 6), each=40)
    assert asked == 11 * 8 * 40
    assert 0.4 < share < 0.6


def test_what_is_measured_names_lengths_beyond_training(tmp_path, monkeypatch):
    monkeypatch.setattr(ntm, "BEYOND", (6, 8))
    monkeypatch.setattr(ntm, "LONGEST", 2)
    monkeypatch.setattr(ntm, "TESTED", 4)
    found = ntm.measure(tiny.ntm(), tmp_path)["metrics"]
    sparse = "lengths 1 to 2, one bit in eight set"
    assert list(found) == ["lengths 1 to 2", sparse, "length 6", "length 8"]


def test_half_of_the_patterns_are_even_and_the_others_sparse_or_dense():
    found = ntm.shares(np.random.default_rng(0), 2000).ravel()
    assert 0.45 < (found == 0.5).mean() < 0.55
    assert found.min() < 0.05 and found.max() > 0.95

"""Running text as lessons: batches of one length, the sampled loss, and senses told apart."""

import numpy as np
import pytest
import torch
from torch import nn

from tests import tiny
from viz_core.training import language
from viz_core.training.data.bert import Corpus
from viz_core.training.elmo import BothWays
from viz_core.training.lstmn import NextToken
from viz_core.training.measure import senses


def corpus(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(3, 9, size=400)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    ids = rng.integers(5, tiny.wordpiece().size, size=starts[-1])
    return Corpus(ids, starts, np.repeat(np.arange(40), 10))


CORPORA = [corpus(1), corpus(2)]


def test_the_rows_of_a_batch_are_sentences_of_one_length():
    rng = np.random.default_rng(0)
    begins = {tuple(c.ids[s : s + 3]) for c in CORPORA for s in c.starts[:-1]}
    for _ in range(20):
        rows = language.draw(CORPORA, rng, 64).ids
        assert language.SHORTEST <= rows.shape[1] <= language.LONGEST
        assert all(tuple(row[:3].tolist()) in begins for row in rows)


def test_the_sampled_loss_is_near_the_full_one_when_all_is_sampled_often(monkeypatch):
    monkeypatch.setattr(language, "SAMPLED", 40_000)
    torch.manual_seed(3)
    size = tiny.wordpiece().size
    states, table, bias = torch.randn(12, 6), torch.randn(size, 6), torch.randn(size)
    wanted = torch.randint(size, (12,))
    full = nn.functional.cross_entropy(states @ table.T + bias, wanted, reduction="sum")
    sampled = language.Sampling(CORPORA, size)(states, wanted, table, bias)
    assert float(sampled) == pytest.approx(float(full), rel=0.03)


@pytest.mark.parametrize(("task", "bundle"), [(NextToken, tiny.lstmn), (BothWays, tiny.elmo)])
def test_every_weight_gets_a_gradient_from_the_loss(task, bundle):
    made = bundle().model
    model = type(made)(made.config)
    lesson = task.__new__(task)
    lesson.model, lesson.sampling = model, language.Sampling(CORPORA, made.config.vocabulary)
    batch = language.draw(CORPORA, np.random.default_rng(0), 64)
    lesson.loss(model, batch).backward()
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in model.parameters())


def test_senses_are_told_apart_by_vectors_that_know_them_and_by_no_constant():
    told = np.array([0] * 6 + [1] * 6)
    rng = np.random.default_rng(0)
    apart = np.eye(2)[told] + 0.05 * rng.normal(size=(12, 2))
    assert senses.share(apart, told) == 1.0
    assert senses.share(np.ones((12, 3)), told) == 0.5

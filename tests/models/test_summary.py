"""The pointer-generator against loops, and local blocks against full attention."""

import pytest
import torch

from tests import tiny
from viz_core.attention import block_mask

SOURCE = torch.tensor([[5, 6, 7, 6, 9, 3], [8, 5, 3, 0, 0, 0]])  # the second is padded
TARGET = torch.tensor([[2, 6, 9], [2, 5, 0]])


@pytest.fixture
def model():
    return tiny.summary().model


@pytest.fixture
def step(model):
    return model.decode(model.encode(SOURCE), (), TARGET)


def test_probabilities_sum_to_one(model, step):
    sums = model.probabilities(step, SOURCE).sum(-1)
    assert torch.allclose(sums, torch.ones_like(sums), atol=1e-5)


def test_a_word_that_comes_twice_in_the_text_collects_both_weights(model, step):
    pointed = model.point(step)
    found = model.probabilities(step, SOURCE)
    vocabulary = model.logits(step.features).softmax(-1)
    for row in range(2):
        for query in range(3):
            for word in range(12):
                copied = sum(
                    float(pointed.weights[row, query, place])
                    for place, there in enumerate(SOURCE[row].tolist())
                    if there == word
                )
                gate = float(pointed.copies[row, query])
                by_hand = (1 - gate) * float(vocabulary[row, query, word]) + gate * copied
                assert float(found[row, query, word]) == pytest.approx(by_hand, abs=1e-6)


def test_one_word_has_the_chance_that_it_has_among_all(model, step):
    wanted = torch.tensor([[6, 9, 3], [5, 11, 3]])
    every = model.probabilities(step, SOURCE).gather(-1, wanted[..., None])[..., 0]
    assert torch.allclose(model.probability_of(step, SOURCE, wanted), every, atol=1e-6)


def test_copying_looks_at_the_text_and_never_at_its_filling(model, step):
    weights = model.point(step).weights
    assert torch.allclose(weights.sum(-1), torch.ones(2, 3), atol=1e-5)
    assert (weights[1, :, 3:] == 0).all()


def test_the_mixture_of_one_head_is_that_head(model, step):
    chosen = tiny.summary().model.mixture.clone()
    with torch.no_grad():
        try:
            model.mixture.fill_(-1e4)
            model.mixture[1, 0] = 1e4
            assert torch.allclose(model.point(step).weights, step.weights[:, 1, 0])
        finally:
            model.mixture.copy_(chosen)


def test_a_block_as_long_as_the_text_is_full_attention(model):
    full, local = model.encode(SOURCE), model.encode(SOURCE, local=SOURCE.shape[1])
    assert torch.equal(full.states[0], local.states[0])
    real = SOURCE[1] != 0
    assert torch.equal(full.states[1, real], local.states[1, real])


def test_blocks_read_one_by_one_are_the_blocks_of_one_text(model):
    """Local attention over two blocks is two texts, if the second keeps its positions."""
    text = torch.tensor([[5, 6, 7, 6, 9, 8]])
    together = model.encode(text, local=3).states[0]
    apart = torch.cat([model.encode(text[:, at : at + 3], start=at).states[0] for at in (0, 3)])
    assert torch.allclose(together, apart, atol=1e-5)


def test_weights_outside_of_a_block_are_exactly_zero(model):
    for layer in model.encode(SOURCE[:1], local=2).encoder:
        assert (layer.weights[0][:, ~block_mask(6, 2)] == 0).all()
        assert torch.allclose(layer.weights[0].sum(-1), torch.ones(2, 6), atol=1e-5)

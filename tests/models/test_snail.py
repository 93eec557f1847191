"""SNAIL against its equations: nothing looks ahead, and a convolution is one."""

import pytest
import torch
from torch.nn.functional import conv1d, scaled_dot_product_attention

from tests import tiny
from viz_core.models.snail import (
    ATTENTION,
    CONVOLUTION,
    AttentionBlock,
    ConvolutionBlock,
    DenseBlock,
    Snail,
    SnailConfig,
)

POSITIONS = 11


@pytest.fixture
def states():
    torch.manual_seed(3)
    return torch.randn(2, POSITIONS, 7)


@pytest.mark.parametrize("block", [AttentionBlock(7, 4, 5), ConvolutionBlock(7, 3, POSITIONS)])
def test_what_comes_later_changes_nothing_before_it(block, states):
    changed = states.clone()
    changed[:, 6:] = torch.randn(2, POSITIONS - 6, 7)
    before, after = block(states)[0], block(changed)[0]
    torch.testing.assert_close(before[:, :6], after[:, :6])
    assert not torch.allclose(before[:, 6:], after[:, 6:])


def test_a_weight_on_what_comes_later_is_exactly_nothing(states):
    _, weights = AttentionBlock(7, 4, 5)(states)
    assert (weights.triu(1) == 0).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, POSITIONS))


def test_the_attention_block_is_torchs_causal_attention_beside_its_input(states):
    block = AttentionBlock(7, 4, 5)
    parts = block.query(states), block.key(states), block.value(states)
    read = scaled_dot_product_attention(*parts, is_causal=True)
    torch.testing.assert_close(block(states)[0], torch.cat((states, read), -1))


@pytest.mark.parametrize("dilation", [1, 4])
def test_the_dense_block_is_a_dilated_causal_convolution_with_a_gate(states, dilation):
    block = DenseBlock(7, 3, dilation)
    kernel = torch.stack(block.filter.weight.chunk(2, -1), -1)  # (filter, width, 2)
    padded = torch.nn.functional.pad(states.mT, (dilation, 0))
    both = conv1d(padded, kernel, block.filter.bias, dilation=dilation).mT
    x_f, x_g = both.chunk(2, -1)
    torch.testing.assert_close(block(states), torch.cat((states, x_f.tanh() * x_g.sigmoid()), -1))


def test_the_convolutions_see_the_first_example_from_the_end(states):
    changed = states.clone()
    changed[:, 0] += 1
    block = ConvolutionBlock(7, 3, POSITIONS)
    assert not torch.allclose(block(states)[0][:, -1], block(changed)[0][:, -1])


def test_episodes_that_share_drawings_are_read_as_if_each_had_its_own():
    model = tiny.snail().model
    drawings = torch.rand(9, 28, 28)
    places = torch.tensor([[0, 1, 2, 3, 4, 5], [8, 3, 6, 1, 7, 0]])
    labels = torch.tensor([[0, 1, 2, 3, 4], [4, 0, 3, 1, 2]])
    both = model(drawings, places, labels)
    for row in (0, 1):
        one = model(drawings[places[row]], torch.arange(6)[None], labels[row : row + 1])
        torch.testing.assert_close(both.logits[row], one.logits[0], atol=1e-5, rtol=1e-4)
    assert both.weights.shape == (2, 3, 6, 6)


@pytest.mark.parametrize("blocks", [(ATTENTION,), (CONVOLUTION,)])
def test_either_kind_of_block_can_stand_alone(blocks):
    model = Snail(SnailConfig(blocks=blocks, width=8, channels=(4, 4, 4, 4))).eval()
    found = model(torch.rand(6, 28, 28), torch.arange(6)[None], torch.arange(5)[None])
    assert found.logits.shape == (1, 5)
    assert found.weights.shape == (1, blocks.count(ATTENTION), 6, 6)

"""Reach by counting against reach by gradient: a word is seen where its gradient is not zero."""

import numpy as np
import pytest
import torch
from torch import nn

from viz_core import by_hand
from viz_core.by_hand.layers import KINDS
from viz_core.charts import reach

WORDS, WIDTH = 9, 4


def by_gradient(kind, layers, at, kernel):
    """Which inputs move the state of one word in the last layer of a random network."""
    torch.manual_seed(1)
    x = torch.randn(1, WORDS, WIDTH, requires_grad=True)
    y = x
    if kind == "recurrent":
        y, _ = nn.RNN(WIDTH, WIDTH, num_layers=layers, batch_first=True)(y)
    for _ in range(0 if kind == "recurrent" else layers):
        if kind == "convolution":
            y = nn.Conv1d(WIDTH, WIDTH, kernel, padding=kernel // 2)(y.mT).mT.tanh()
        else:
            y = nn.functional.scaled_dot_product_attention(y, y, y)
    (gradient,) = torch.autograd.grad(y[0, at].sum(), x)
    return (gradient[0].abs().sum(-1) > 0).numpy()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layers", [1, 2, 3])
def test_what_is_counted_is_where_the_gradient_reaches(kind, layers):
    for at in (0, 4, 8):
        found = by_hand.reach(kind, WORDS, layers, at, kernel=5)
        seen = np.isfinite(found.steps[0])
        assert np.array_equal(seen, by_gradient(kind, layers, at, 5))
        assert found.seen == seen.sum()


def test_the_fewest_steps_are_those_of_the_paper():
    assert by_hand.reach("recurrent", WORDS, 1, 8).farthest == (0, 9)  # eight back, one down
    assert by_hand.reach("self-attention", WORDS, 1, 8).farthest[1] == 1
    assert by_hand.reach("convolution", WORDS, 3, 4, 3).seen == 7


def test_the_diagram_says_what_is_seen():
    found = by_hand.reach("convolution", 5, 1, 2)
    words = ["a", "b", "c", "d", "e"]
    assert reach.finding(found, words) == "convolution: sees 3 of 5 words, “b” over 1 step"
    assert reach.reach(found, words).to_dict()["description"] == reach.finding(found, words)
    with pytest.raises(ValueError, match="type a sentence"):
        by_hand.reach("recurrent", 0, 1, 0)

"""Skip-gram with negative sampling: loss and gradients against torch's own."""

import numpy as np
import pytest
import torch
from torch.nn.functional import logsigmoid

from viz_core.models.skip_gram import gradients, log_sigmoid, sigmoid


@pytest.mark.parametrize("drawn", [1, 4])
def test_loss_and_gradients_are_those_of_autograd(drawn):
    rng = np.random.default_rng(1)
    centres, neighbours = rng.normal(size=(2, 9, 5))
    words, beside = rng.integers(9, size=(2, 40))  # words repeat: their gradients add up
    others = rng.integers(9, size=(40, drawn))
    found = gradients(centres, neighbours, words, beside, others)

    v, u = (torch.tensor(table, requires_grad=True) for table in (centres, neighbours))
    together = (v[words] * u[beside]).sum(-1)
    apart = (v[words][:, None] * u[others]).sum(-1)
    loss = -(logsigmoid(together) + logsigmoid(-apart).sum(-1)).mean()
    loss.backward()
    assert found.loss == pytest.approx(loss.item(), abs=1e-12)
    np.testing.assert_allclose(found.centres, v.grad.numpy(), atol=1e-12)
    np.testing.assert_allclose(found.neighbours, u.grad.numpy(), atol=1e-12)


def test_very_large_scores_stay_finite():
    far = np.array([-1e4, 0.0, 1e4])
    np.testing.assert_allclose(sigmoid(far), [0, 0.5, 1])
    np.testing.assert_allclose(log_sigmoid(far), [-1e4, -np.log(2), 0])

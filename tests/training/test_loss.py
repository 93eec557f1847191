import pytest
import torch
from torch.nn import functional

from viz_core.training.loss import ROWS, linear_cross_entropy


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("rows", [1, 7, ROWS, ROWS + 1, 2 * ROWS + 40])
def test_loss_and_gradients_are_torchs(rows, smoothing):
    torch.manual_seed(1)
    shapes = (rows, 8), (20, 8), (20,)
    ours = [torch.randn(*shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    theirs = [part.detach().clone().requires_grad_() for part in ours]
    wanted = torch.randint(0, 20, (rows,))
    features, weight, bias = ours
    loss = linear_cross_entropy(features, weight, bias, wanted, smoothing)
    oracle = functional.cross_entropy(
        functional.linear(*theirs), wanted, label_smoothing=smoothing, reduction="sum"
    )
    torch.testing.assert_close(loss, oracle)
    (loss / 3).backward()  # a factor from above must reach the gradients
    (oracle / 3).backward()
    for part, expected in zip(ours, theirs, strict=True):
        torch.testing.assert_close(part.grad, expected.grad)


def test_no_rows_are_no_loss():
    features = torch.randn(0, 8, requires_grad=True)
    loss = linear_cross_entropy(
        features, torch.randn(20, 8), torch.zeros(20), torch.zeros(0, dtype=torch.long), 0.1
    )
    loss.backward()
    assert loss.item() == 0


def test_huge_logits_do_not_overflow():
    features = torch.full((1, 1), 1e4)
    weight, bias = torch.tensor([[1.0], [-1.0]]), torch.zeros(2)
    loss = linear_cross_entropy(features, weight, bias, torch.tensor([1]), 0.0)
    assert loss.item() == pytest.approx(2e4)

"""Five shapes of a recurrent net: each learns its task, and joined input is the sum of two."""

import math
import re

import pytest
import torch
from torch import nn

from viz_core import probe
from viz_core.charts import shapes
from viz_core.models.elman import Elman


@pytest.mark.parametrize("name", ["one to many", "many to one", "many to many, in step"])
def test_a_shape_learns_its_task_and_says_the_loss_of_every_step(name):
    task = probe.SHAPES[name]
    found = probe.shape(name, task.example, 1)
    assert found.said == found.wanted == task.answer(task.example)
    assert found.accuracy > 0.95
    steps = zip(found.losses, found.wanted, strict=True)
    assert all((loss > 0) == (sign != ".") for loss, sign in steps)
    assert found.parts.sum(1) == pytest.approx(
        torch.atanh(torch.tensor(found.states[0, :, 0])).numpy(), abs=1e-3
    )
    assert shapes.unrolled(found).to_dict()["description"] == shapes.finding(found)


def test_the_formula_of_a_unit_is_right_with_its_own_numbers():
    found = probe.shape("many to one", "abbab", 1)
    line, _ = shapes.formulas(found)
    parts = [float(part) for part in re.findall(r"underbrace{\(?(-?[\d.]+)\)?}", line)]
    assert len(parts) == 3 and "h_{5,1}" in line
    assert math.tanh(sum(parts)) == pytest.approx(float(line.split("=")[-1]), abs=0.02)
    assert float(line.split("=")[-1]) == pytest.approx(found.states[0, -1, 0], abs=0.01)


def test_a_joined_matrix_is_what_torch_computes_with_two():
    model = Elman(5, 4, 2, seed=1)
    oracle = nn.RNN(5, 4, num_layers=2, batch_first=True)
    with torch.no_grad():
        for number, layer in enumerate(model.layers):
            getattr(oracle, f"weight_hh_l{number}").copy_(layer.weight[:, :4])
            getattr(oracle, f"weight_ih_l{number}").copy_(layer.weight[:, 4:])
            getattr(oracle, f"bias_hh_l{number}").copy_(layer.bias)
            getattr(oracle, f"bias_ih_l{number}").zero_()
    ids = torch.tensor([[0, 3, 1, 4]])
    states, _ = model(ids)
    wanted, _ = oracle(nn.functional.one_hot(ids, 5).float())
    assert torch.allclose(states[:, -1], wanted, atol=1e-6)


@pytest.mark.parametrize("typed", ["", "abc", "🙂", "abababab"])
def test_another_input_gets_a_sentence(typed):
    with pytest.raises(ValueError, match="reads five letters, each a or b: type for example abbab"):
        probe.shape("many to one", typed, 1)

"""The neural Turing machine against its equations, written out again in numpy."""

import numpy as np
import pytest
import torch

from tests import tiny
from viz_core.models.ntm import EMPTY, NTM, SHIFTS, NTMConfig, address, convolved, copying


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    powers = np.exp(x - x.max())
    return powers / powers.sum()


def weighting(said, memory, before, width):
    """Equations 5 to 9, place by place."""
    key, beta, gate = np.tanh(said[:width]), np.log1p(np.exp(said[width])), sigmoid(said[width + 1])
    shift, gamma = softmax(said[width + 2 : width + 5]), 1 + np.log1p(np.exp(said[width + 5]))
    places = range(len(memory))
    similar = [key @ row / (np.linalg.norm(key) * np.linalg.norm(row) + 1e-8) for row in memory]
    content = softmax(beta * np.array(similar))  # 5, 6
    gated = gate * content + (1 - gate) * before  # 7
    moved = [
        sum(gated[(i - by) % len(memory)] * s for by, s in zip(SHIFTS, shift, strict=True))
        for i in places
    ]  # 8
    powers = np.array(moved) ** gamma
    return content, gated, np.array(moved), powers / powers.sum()  # 9


def by_hand(model, inputs):
    """The whole machine on one example: logits, weightings and memory at each step."""
    weights = {name: value.numpy().astype(float) for name, value in model.state_dict().items()}
    size = model.config
    h, c = np.zeros(size.units), np.zeros(size.units)
    memory = np.full((size.places, size.width), EMPTY)
    before = np.stack([softmax(row) for row in weights["first_weights"]])
    read = np.tanh(weights["first_read"])

    def linear(name, x):
        return weights[f"{name}.weight"] @ x + weights[f"{name}.bias"]

    for x in inputs:
        cell = weights["controller.weight_ih"] @ np.concatenate((x, read))
        cell += weights["controller.bias_ih"] + weights["controller.bias_hh"]
        i, f, g, o = np.split(cell + weights["controller.weight_hh"] @ h, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        said = np.split(linear("heads", h), 2)
        stages = [
            weighting(one, memory, w, size.width) for one, w in zip(said, before, strict=True)
        ]
        before = np.stack([stage[-1] for stage in stages])
        erase, add = np.split(linear("change", h), 2)
        for place, w in enumerate(before[0]):
            memory[place] = memory[place] * (1 - w * sigmoid(erase)) + w * np.tanh(add)  # 3, 4
        read = sum(w * row for w, row in zip(before[1], memory, strict=True))  # 2
        yield linear("answer", np.concatenate((h, read))), stages, read, memory.copy()


@pytest.fixture(scope="module")
def inputs():
    bits = np.random.default_rng(0).integers(2, size=(2, 5, 8)).astype(np.float32)
    return copying(torch.from_numpy(bits))


def test_every_step_is_what_the_equations_say(inputs):
    model = tiny.ntm().model
    found = model(inputs)
    for example in range(2):
        steps = by_hand(model, inputs[example].numpy().astype(float))
        for t, (logits, stages, read, memory) in enumerate(steps):
            near = {"rtol": 1e-3, "atol": 1e-5}
            np.testing.assert_allclose(found.logits[example, t], logits, **near)
            np.testing.assert_allclose(found.reads[example, t], read, **near)
            np.testing.assert_allclose(found.memory[example, t], memory, **near)
            for head, stage in enumerate(stages):
                names = ("content", "gated", "shifted", "weights")
                for name, values in zip(names, stage, strict=True):
                    part = getattr(found.addressing, name)[example, head, t]
                    np.testing.assert_allclose(part, values, **near, err_msg=f"{name} at {t}")


def test_every_weighting_sums_to_one(inputs):
    found = tiny.ntm().model(inputs).addressing
    for name in ("content", "gated", "shifted", "weights", "shift"):
        torch.testing.assert_close(getattr(found, name).sum(-1), torch.ones(2, 2, 11), msg=name)


def test_a_shift_by_one_goes_round_the_ring():
    last = torch.eye(5)[4][None, None]
    on = torch.tensor([[[0.0, 0.0, 1.0]]])
    assert convolved(last, on)[0, 0].tolist() == [1, 0, 0, 0, 0]
    assert convolved(last, on.flip(-1))[0, 0].tolist() == [0, 0, 0, 1, 0]


def test_a_sharpening_that_is_very_strong_stays_finite():
    flat = torch.full((1, 1, 128), 1 / 128)
    raw = torch.tensor([[[0.0] * 5 + [0.0, -30.0, 0.0, 0.0, 0.0, 80.0]]])
    found = address(raw, [5, 1, 1, 3, 1], torch.ones(1, 128, 5), flat)
    torch.testing.assert_close(found.weights, flat)


def test_a_forward_pass_keeps_nothing(inputs):
    model = tiny.ntm().model
    kept = {name: value.clone() for name, value in model.state_dict().items()}
    first, second = model(inputs).logits, model(inputs).logits
    assert torch.equal(first, second)
    assert vars(model).keys() == vars(NTM(NTMConfig())).keys()
    assert all(torch.equal(value, kept[name]) for name, value in model.state_dict().items())


def test_copying_shows_the_bits_then_the_mark_then_nothing():
    inputs = copying(torch.ones(1, 2, 3))[0].tolist()
    assert inputs == [[1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]]

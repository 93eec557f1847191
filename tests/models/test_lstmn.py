"""The LSTM network against torch's LSTM cell and against its equations, written out again."""

import numpy as np
import torch
from torch import nn

from tests import tiny

IDS = torch.tensor([[7, 8, 9, 8, 10, 11]])


def cell_of(model):
    """torch's LSTM cell with the same weights."""
    width = model.config.width
    cell = nn.LSTMCell(width, width)
    cell.load_state_dict(
        {
            "weight_ih": model.read.weight,
            "weight_hh": model.recall.weight,
            "bias_ih": model.read.bias,
            "bias_hh": torch.zeros(4 * width),
        }
    )
    return cell


@torch.inference_mode()
def test_with_a_tape_of_one_state_it_is_torchs_lstm():
    model = tiny.lstmn(tape=1).model
    cell = cell_of(model)
    h = c = torch.zeros(1, model.config.width)
    wanted = []
    for x in model.token(torch.cat((torch.tensor([[model.config.start]]), IDS), 1)).unbind(1):
        h, c = cell(x, (h, c))
        wanted.append(h)
    torch.testing.assert_close(model(IDS).states, torch.stack(wanted, 1))


@torch.inference_mode()
def test_the_second_word_has_one_state_to_look_at_and_is_an_lstm_step_with_any_tape():
    long, short = (tiny.lstmn(tape).model(IDS[:, :2]).states for tape in (64, 1))
    torch.testing.assert_close(long, short)


@torch.inference_mode()
def test_it_follows_the_equations_of_the_paper():
    model = tiny.lstmn().model
    found = model(IDS)
    v = model.vector.numpy()
    w_h, w_x, w_r = (layer.weight.numpy() for layer in (model.key, model.ask, model.asked))
    x = model.token(torch.cat((torch.tensor([[model.config.start]]), IDS), 1))[0].numpy()

    def step(x_t, recalled, memory):  # eq. 7 to 9
        gates = model.read.weight.numpy() @ x_t + model.read.bias.numpy()
        i, f, g, o = np.split(gates + model.recall.weight.numpy() @ recalled, 4)
        i, f, o = (1 / (1 + np.exp(-part)) for part in (i, f, o))
        c = f * memory + i * np.tanh(g)
        return o * np.tanh(c), c

    nothing = np.zeros(model.config.width, dtype=np.float32)
    recalled, memory = step(x[0], nothing, nothing)
    tape = []
    for t in range(1, len(x)):
        if tape:
            asked = w_x @ x[t] + model.ask.bias.numpy() + w_r @ recalled
            a = np.array([v @ np.tanh(w_h @ h + asked) for h, _ in tape])  # eq. 4
            s = np.exp(a - a.max())
            s /= s.sum()  # eq. 5
            recalled = sum(weight * h for weight, (h, _) in zip(s, tape, strict=True))  # eq. 6
            memory = sum(weight * c for weight, (_, c) in zip(s, tape, strict=True))
            np.testing.assert_allclose(found.scores[t - 1][0], a, rtol=1e-3, atol=1e-5)
        tape.append(step(x[t], recalled, memory))
        np.testing.assert_allclose(found.states[0, t], tape[-1][0], rtol=1e-3, atol=1e-5)


@torch.inference_mode()
def test_only_the_last_states_stay_on_the_tape():
    scores = tiny.lstmn(tape=3).model(IDS).scores
    assert [row.shape[1] for row in scores] == [0, 1, 2, 3, 3, 3]


@torch.inference_mode()
def test_what_comes_later_changes_nothing_before_it():
    model = tiny.lstmn().model
    torch.testing.assert_close(model.nats(IDS)[:, :4], model.nats(IDS[:, :4]))

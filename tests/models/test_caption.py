"""The captioner against its equations, and its chances against the weights."""

import pytest
import torch

from tests import tiny
from viz_core.models.caption import drawn


def seen(model, batch=3):
    torch.manual_seed(5)
    picture = model.see(torch.randn(batch, 49, 320))
    return picture, model.start(picture)


@pytest.mark.parametrize("attention", ["soft", "hard"])
@torch.inference_mode()
def test_weights_sum_to_one_for_every_word(attention):
    model = tiny.captioner(attention).model
    picture, state = seen(model)
    for token in (2, 5, 7):
        step = model(picture, state, torch.full((3,), token))
        state = step.state
        assert step.look.weights.shape == (3, 49)
        torch.testing.assert_close(step.look.weights.sum(-1), torch.ones(3))


@torch.inference_mode()
def test_one_soft_step_equals_the_equations_written_out():
    model = tiny.captioner().model
    picture, (h, c) = seen(model, 1)
    step = model(picture, (h, c), torch.tensor([6]))
    a, w = picture.annotations[0], model.state_dict()
    scores = torch.stack(
        [
            w["score.weight"][0]
            @ (w["key.weight"] @ each + w["key.bias"] + w["query.weight"] @ h[0]).tanh()
            for each in a
        ]
    )  # eq. 4
    alpha = scores.exp() / scores.exp().sum()  # eq. 5
    beta = (w["gate.weight"][0] @ h[0] + w["gate.bias"][0]).sigmoid()
    z = beta * sum(weight * each for weight, each in zip(alpha, a, strict=True))  # eq. 13
    word = w["embedding.weight"][6]
    gates = w["word.weight"] @ word + w["word.bias"] + w["rest.weight"] @ torch.cat((h[0], z))
    i, f, o, g = gates.chunk(4)
    cell = f.sigmoid() * c[0] + i.sigmoid() * g.tanh()  # eq. 2
    state = o.sigmoid() * cell.tanh()  # eq. 3
    out = word + w["out_state.weight"] @ state + w["out_state.bias"] + w["out_context.weight"] @ z
    torch.testing.assert_close(step.look.weights[0], alpha)
    torch.testing.assert_close(step.state[0][0], state)
    torch.testing.assert_close(step.features[0], out)
    logits = w["embedding.weight"] @ out + w["bias"]
    torch.testing.assert_close(model.logits(step.features)[0], logits)


def test_hard_samples_follow_the_weights():
    weights = torch.tensor([[0.5, 0.0, 0.3, 0.2]])
    places = drawn(weights.expand(20_000, -1), torch.Generator().manual_seed(1))
    shares = torch.bincount(places, minlength=4) / 20_000
    torch.testing.assert_close(shares, weights[0], atol=0.02, rtol=0)
    assert shares[1] == 0  # a place without weight is never read


@torch.inference_mode()
def test_hard_attention_reads_one_place_and_without_chance_the_heaviest():
    model = tiny.captioner("hard").model
    picture, (h, _) = seen(model)
    look = model.look(picture, h)
    assert torch.equal(look.place, look.weights.argmax(-1))
    for row, place in enumerate(look.place.tolist()):
        assert torch.equal(look.context[row], picture.annotations[row, place])


@torch.inference_mode()
def test_weights_given_by_hand_are_obeyed():
    model = tiny.captioner().model
    picture, (h, _) = seen(model)
    given = torch.zeros(3, 49)
    given[:, 10] = 1
    look = model.look(picture, h, given=given)
    expected = model.gate(h).sigmoid() * picture.annotations[:, 10]
    torch.testing.assert_close(look.context, expected)

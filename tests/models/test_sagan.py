"""The Self-Attention GAN against its equations, one place at a time, and without its layer."""

import math

import pytest
import torch

from tests import tiny
from viz_core.models.sagan import Discriminator, Generator, SelfAttention

NOISE = torch.randn(2, 5, generator=torch.Generator().manual_seed(4))
KINDS = torch.eye(3)[[0, 2]]


def test_weights_and_output_equal_the_equations_written_out():
    torch.manual_seed(2)
    layer = SelfAttention(6, 2)
    layer.gamma.data.fill_(0.7)
    features = torch.randn(1, 6, 2, 3)
    with torch.inference_mode():
        found, weights = layer(features)
    x = features[0].flatten(1).T.tolist()
    f, g, h, v = (getattr(layer, name).weight.detach() for name in "fghv")
    middle = sum(g @ torch.tensor(each) for each in x) / 6
    for j in range(6):
        query = g @ torch.tensor(x[j]) - middle  # ours: less the mean of all queries
        # eq. 1: s_ij = f(x_i)^T g(x_j), without a scale
        e = [math.exp(float((f @ torch.tensor(x[i])) @ query)) for i in range(6)]
        beta = [each / sum(e) for each in e]
        assert weights[0, j].tolist() == pytest.approx(beta, rel=1e-4)
        total = sum(beta[i] * (h @ torch.tensor(x[i])) for i in range(6))
        expected = 0.7 * (v @ total) + torch.tensor(x[j])  # eq. 2 and 3
        torch.testing.assert_close(found[0, :, j // 3, j % 3], expected)


@torch.inference_mode()
def test_gamma_of_zero_is_the_network_without_the_layer():
    model = tiny.sagan().model
    twin = Generator(tiny.sagan(attention=False).model.config)
    kept = {k: v for k, v in model.state_dict().items() if not k.startswith("attention.")}
    twin.load_state_dict(kept)  # strict: it has no other parameters
    plain = twin.eval()(NOISE, KINDS)
    assert plain.weights is None
    torch.testing.assert_close(model(NOISE, KINDS, strength=0.0).pixels, plain.pixels)
    assert not torch.allclose(model(NOISE, KINDS).pixels, plain.pixels)


@torch.inference_mode()
def test_no_place_can_draw_all_looks_by_being_there():
    """What is the same in all queries does not count: each key's scores over them sum to zero."""
    torch.manual_seed(2)
    layer = SelfAttention(6, 2)
    features = torch.randn(1, 6, 2, 3)
    _, weights = layer(features)
    layer.g.weight.zero_()
    _, alike = layer(features)
    torch.testing.assert_close(alike, torch.full((1, 6, 6), 1 / 6))
    # log weights are scores less a constant of their row: mixed differences over queries cancel
    scores = weights.log() - weights.log().mean(-1, keepdim=True)
    torch.testing.assert_close(scores.mean(1), torch.zeros(1, 6), atol=1e-5, rtol=0)


def test_gamma_begins_at_zero():
    assert float(SelfAttention(6, 2).gamma.detach()) == 0


@torch.inference_mode()
def test_every_row_of_weights_sums_to_one():
    drawing = tiny.sagan().model(NOISE, KINDS)
    assert drawing.pixels.shape == (2, 3, 16, 16) and drawing.pixels.abs().max() <= 1
    torch.testing.assert_close(drawing.weights.sum(-1), torch.ones(2, 64))


@torch.inference_mode()
def test_what_is_drawn_and_how_it_is_judged_depends_on_the_kind():
    model = tiny.sagan().model
    judge = Discriminator(model.config)
    pixels = model(NOISE, KINDS).pixels
    assert judge(pixels, KINDS).shape == (2,)
    assert not torch.allclose(judge(pixels, KINDS), judge(pixels, KINDS.flip(0)))
    assert not torch.allclose(pixels, model(NOISE, KINDS.flip(0)).pixels)

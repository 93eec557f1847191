import copy
from typing import get_args

import pytest
import torch
from torch import Tensor

from viz_core import attention
from viz_core.models.rnn import RNN, Attention, Local, Look, RNNConfig

KINDS = get_args(Attention)
EVERY_KIND = pytest.mark.parametrize("kind", KINDS)
LENGTHS = (7, 4, 2)
close = torch.testing.assert_close


def build(kind: Attention, **others) -> RNN:
    torch.manual_seed(1)
    config = RNNConfig(
        vocabulary=30, attention=kind, embedding=12, width=16, reach=1, max_length=16, **others
    )
    model = RNN(config).eval()
    with torch.no_grad():  # far from uniform, so that a mistake shows
        for parameter in model.parameters():
            parameter.normal_(std=0.5)
    return model


@pytest.fixture
def source() -> Tensor:
    """Three sentences of 7, 4 and 2 tokens, padded with 0."""
    torch.manual_seed(2)
    tokens = torch.randint(4, 30, (3, 7))
    return tokens.where(torch.arange(7) < torch.tensor(LENGTHS)[:, None], 0)


@pytest.fixture
def target() -> Tensor:
    torch.manual_seed(3)
    return torch.randint(4, 30, (3, 6))


def test_there_are_nine_kinds():
    assert len(KINDS) == 9


@EVERY_KIND
def test_a_padded_batch_equals_a_batch_of_one(kind, source, target):
    model = build(kind)
    features, weights = model(source, target)
    for row, length in enumerate(LENGTHS):
        alone, alone_weights = model(source[row : row + 1, :length], target[row : row + 1])
        close(features[row], alone[0])
        close(weights[row, :, :length], alone_weights[0])


@EVERY_KIND
def test_step_by_step_equals_all_at_once(kind, source, target):
    model = build(kind)
    memory, state = model.start(source)
    whole = model.decode(memory, state, target)
    for t in range(target.shape[1]):
        step = model.decode(memory, state, target[:, t : t + 1])
        close(step.features[:, 0], whole.features[:, t])
        close(step.weights[:, 0], whole.weights[:, t])
        state = step.state
    for part, wanted in zip(state, whole.state, strict=True):
        close(part, wanted)


@EVERY_KIND
def test_padding_gets_exactly_no_weight(kind, source, target):
    _, weights = build(kind)(source, target)
    assert weights.shape == (3, 6, 7)
    assert (weights >= 0).all()
    assert (weights[(source == 0)[:, None].expand_as(weights)] == 0).all()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("none", "local-p")])
def test_rows_sum_to_one(kind, source, target):
    _, weights = build(kind)(source, target)
    close(weights.sum(-1), torch.ones(3, 6))


def test_local_p_is_not_renormalised(source, target):
    _, weights = build("local-p")(source, target)
    assert (weights.sum(-1) <= 1 + 1e-6).all()
    assert weights.sum(-1).min() < 0.9


def test_without_attention_all_weights_are_zero(source, target):
    _, weights = build("none")(source, target)
    assert not weights.any()


def test_the_order_of_the_source_reaches_the_decoder_through_the_last_state_alone(source, target):
    """Without attention the summary is all there is: other states change nothing."""
    model = build("none")
    memory, state = model.start(source)
    other = memory._replace(states=torch.randn_like(memory.states))
    assert torch.equal(
        model.decode(memory, state, target).features, model.decode(other, state, target).features
    )


# ---- local attention --------------------------------------------------------------------------


def looked(model: RNN, source: Tensor, target: Tensor) -> tuple[Tensor, Local]:
    """The weights, and the parts they are made of."""
    step = model.decode(*model.start(source), target)
    assert step.local is not None
    return step.weights, step.local


@pytest.mark.parametrize("kind", ["local-m", "local-p"])
def test_words_outside_the_window_are_cut_off(kind, source, target):
    model = build(kind)
    weights, local = looked(model, source, target)
    distance = (torch.arange(7) - local.centres[..., None]).abs()
    assert (weights[distance > model.config.reach] == 0).all()
    real = (source != 0)[:, None].expand_as(distance)
    assert (weights[(distance <= model.config.reach) & real] > 0).all()


def test_local_p_is_content_times_gaussian(source, target):
    model = build("local-p")
    weights, local = looked(model, source, target)
    close(local.content.sum(-1), torch.ones(3, 6))
    bell = attention.gaussian(torch.arange(7.0), local.centres, model.config.reach / 2)
    close(weights, local.content * bell)


def test_local_m_walks_one_word_a_step_and_stays_in_the_sentence(source, target):
    centres = looked(build("local-m"), source, target)[1].centres
    assert centres.tolist() == [[min(t, n - 1) for t in range(6)] for n in LENGTHS]


def test_local_p_predicts_places_in_the_sentence(source, target):
    centres = looked(build("local-p"), source, target)[1].centres
    assert (centres >= 0).all()
    assert (centres <= torch.tensor(LENGTHS)[:, None] - 1).all()
    assert centres[0].std() > 0


@pytest.mark.parametrize("kind", ["local-m", "local-p"])
def test_a_window_wider_than_the_sentence_is_global_attention(kind, source, target):
    model = build(kind)
    everywhere = build("general")
    everywhere.load_state_dict(
        {name: v for name, v in model.state_dict().items() if not name.startswith("centre")}
    )
    _, wanted = everywhere(source, target)
    step = model.decode(*model.start(source), target, Look(reach=1e4))
    close(step.weights, wanted)
    if kind == "local-p":
        narrow = model.decode(*model.start(source), target, Look(reach=1e4, sigma=1.0))
        assert (narrow.weights - wanted).abs().max() > 0.1


def test_given_centres_are_used(source):
    model = build("local-p")
    memory, state = model.start(source)
    query, centres = torch.randn(3, 2, 16), torch.tensor([[3.0, 5.0], [1.0, 2.0], [0.0, 1.0]])
    _, weights, local = model.attend(query, memory, state[2], Look(centres=centres))
    assert local is not None and torch.equal(local.centres, centres)
    assert not weights[0, 0, 5:].any()


# ---- purity and training ----------------------------------------------------------------------


@EVERY_KIND
def test_forward_leaves_the_model_as_it_was(kind, source, target):
    """One cached model serves every visitor: nothing of a sentence may stay in it."""
    model = build(kind)
    weights = copy.deepcopy(model.state_dict())
    held = {name: dict(vars(module)) for name, module in model.named_modules()}
    model(source, target)
    assert all(torch.equal(value, weights[name]) for name, value in model.state_dict().items())
    assert held == {name: dict(vars(module)) for name, module in model.named_modules()}


@EVERY_KIND
def test_gradients_reach_every_parameter(kind, source, target):
    model = build(kind)
    features, _ = model(source, target)
    model.logits(features).log_softmax(-1)[..., 5].sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().sum() > 0, name


def test_temperature_flattens_the_weights(source, target):
    model = build("additive")
    memory, state = model.start(source)
    flat = model.decode(memory, state, target, Look(temperature=1e6)).weights
    close(flat[0], torch.full((6, 7), 1 / 7), atol=1e-4, rtol=0)
    sharp = model.decode(memory, state, target, Look(temperature=1e-6)).weights
    close(sharp[0].max(-1).values, torch.ones(6))

import copy
import math

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from torch import Tensor

from viz_core.models.transformer import Keep, Transformer, TransformerConfig, positions

LENGTHS = (7, 4, 2)
close = torch.testing.assert_close


@pytest.fixture(scope="module")
def model() -> Transformer:
    torch.manual_seed(1)
    config = TransformerConfig(
        vocabulary=30, width=16, heads=4, encoder_layers=3, decoder_layers=2, inner=32
    )
    model = Transformer(config).eval()
    with torch.no_grad():  # far from uniform, so that a mistake shows
        for name, parameter in model.named_parameters():
            if "norm" not in name:
                parameter.normal_(std=0.4)
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


def keep_all() -> Keep:
    return Keep(torch.ones(3, 4), torch.ones(2, 4), torch.ones(2, 4))


# ---- positions --------------------------------------------------------------------------------


@given(st.integers(1, 60), st.integers(1, 40), st.integers(0, 50))
def test_positions_equal_the_closed_form(length, width, start):
    found = positions(length, width, start=start).numpy()
    place = np.arange(start, start + length)[:, None]
    dimension = np.arange(width)[None]
    angle = place / 10_000 ** (2 * (dimension // 2) / width)
    wanted = np.where(dimension % 2 == 0, np.sin(angle), np.cos(angle))
    np.testing.assert_allclose(found, wanted, atol=1e-4)


def test_of_four_dimensions_two_turn_fast_and_two_slowly():
    p = torch.arange(50.0)
    wanted = torch.stack((p.sin(), p.cos(), (p / 100).sin(), (p / 100).cos()), dim=1)
    close(positions(50, 4), wanted, atol=1e-5, rtol=0)


def test_the_dot_product_of_positions_depends_on_their_offset_alone():
    table = positions(60, 32)
    products = table @ table.mT
    for offset in range(60):
        diagonal = products.diagonal(offset)
        close(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-3, rtol=0)
    assert products[0, 0] == pytest.approx(16)
    assert products[0, 1:].max() < 15.9


def test_moving_by_k_is_one_rotation_for_all_positions():
    table, k = positions(40, 8), 5
    angle = k * torch.tensor([10_000 ** (-2 * i / 8) for i in range(4)])
    sine, cosine = table[:-k, 0::2], table[:-k, 1::2]
    close(table[k:, 0::2], sine * angle.cos() + cosine * angle.sin(), atol=1e-5, rtol=0)
    close(table[k:, 1::2], cosine * angle.cos() - sine * angle.sin(), atol=1e-5, rtol=0)


def test_without_positions_the_order_of_the_source_is_not_seen(model, source, target):
    shuffled = source.clone()
    shuffled[0] = source[0, torch.tensor([3, 1, 6, 0, 5, 2, 4])]

    def features(tokens: Tensor, place: bool) -> Tensor:
        memory, state = model.start(tokens, place=place)
        return model.decode(memory, state, target, place=place).features[0]

    close(features(source, False), features(shuffled, False), atol=1e-4, rtol=1e-4)
    assert (features(source, True) - features(shuffled, True)).abs().max() > 0.1


# ---- one sentence or many, at once or step by step --------------------------------------------


def test_a_padded_batch_equals_a_batch_of_one(model, source, target):
    memory, state = model.start(source)
    step = model.decode(memory, state, target)
    for row, length in enumerate(LENGTHS):
        alone, _ = model.start(source[row : row + 1, :length])
        close(memory.states[row, :length], alone.states[0], atol=1e-4, rtol=1e-4)
        for block, wanted in zip(memory.encoder, alone.encoder, strict=True):
            close(block.weights[row, :, :length, :length], wanted.weights[0])
        step_alone = model.decode(alone, (), target[row : row + 1])
        close(step.features[row], step_alone.features[0], atol=1e-4, rtol=1e-4)
        close(step.weights[row, ..., :length], step_alone.weights[0])


def test_padding_gets_exactly_no_weight_and_rows_sum_to_one(model, source, target):
    memory, state = model.start(source)
    cross = model.decode(memory, state, target).weights  # (batch, layer, head, query, key)
    padded = (source == 0)[:, None, None]
    for weights in (*(block.weights for block in memory.encoder), *cross.unbind(1)):
        assert (weights[padded.expand_as(weights)] == 0).all()
        close(weights.sum(-1), torch.ones(weights.shape[:-1]))


@pytest.mark.parametrize("pieces", [(1, 1, 1, 1, 1, 1), (2, 4), (3, 1, 2)])
def test_cached_decoding_equals_full_decoding(model, source, target, pieces):
    memory, state = model.start(source)
    whole = model.decode(memory, state, target)
    at = 0
    for tokens in target.split(pieces, dim=1):
        step = model.decode(memory, state, tokens)
        rows = slice(at, at + tokens.shape[1])
        at += tokens.shape[1]
        close(step.features, whole.features[:, rows], atol=1e-4, rtol=1e-4)
        close(step.weights, whole.weights[..., rows, :])
        close(step.self_weights, whole.self_weights[..., rows, :at])
        state = step.state


def test_the_decoder_never_looks_ahead(model, source, target):
    memory, state = model.start(source)
    whole = model.decode(memory, state, target)
    assert (whole.self_weights.triu(1) == 0).all()
    close(whole.self_weights.sum(-1), torch.ones(3, 2, 4, 6))
    changed = target.clone()
    changed[:, 4:] = 5
    other = model.decode(memory, state, changed)
    close(whole.features[:, :4], other.features[:, :4])
    assert (whole.features[:, 4:] - other.features[:, 4:]).abs().max() > 0.1


def test_one_sentence_repeated_is_the_same_for_every_hypothesis(model, source, target):
    memory, state = model.start(source[:1])
    many = model.decode(memory.repeat(3), state, target)
    for row in range(3):
        alone = model.decode(memory, state, target[row : row + 1])
        close(many.features[row], alone.features[0], atol=1e-4, rtol=1e-4)


# ---- switching heads off ----------------------------------------------------------------------


def run(model: Transformer, source: Tensor, target: Tensor, keep: Keep | None) -> Tensor:
    memory, state = model.start(source, keep)
    return model.decode(memory, state, target, keep).features


def test_keeping_every_head_changes_nothing(model, source, target):
    assert torch.equal(run(model, source, target, keep_all()), run(model, source, target, None))


@pytest.mark.parametrize(
    ("part", "layer"), [("encoder", 0), ("encoder", 2), ("decoder", 1), ("cross", 0)]
)
def test_silencing_a_layer_is_removing_its_attention_output(model, source, target, part, layer):
    """What is left of the layer's attention is the bias of its output: the oracle has only that."""
    keep = keep_all()
    getattr(keep, part)[layer] = 0
    oracle = copy.deepcopy(model)
    blocks = oracle.encoder if part == "encoder" else oracle.decoder
    name = "cross_attention" if part == "cross" else "self_attention"
    getattr(blocks[layer], name).out.weight.data.zero_()
    found = run(model, source, target, keep)
    close(found, run(oracle, source, target, None))
    assert (found - run(model, source, target, None)).abs().max() > 0.1


def test_a_silent_head_still_shows_where_it_would_have_looked(model, source):
    keep = keep_all()
    keep.encoder[0] = 0
    silent, loud = model.encode(source, keep), model.encode(source)
    assert torch.equal(silent.encoder[0].weights, loud.encoder[0].weights)


# ---- purity and training ----------------------------------------------------------------------


def test_forward_leaves_the_model_as_it_was(model, source, target):
    weights = copy.deepcopy(model.state_dict())
    held = {name: dict(vars(module)) for name, module in model.named_modules()}
    model(source, target)
    assert all(torch.equal(value, weights[name]) for name, value in model.state_dict().items())
    assert held == {name: dict(vars(module)) for name, module in model.named_modules()}


def test_gradients_reach_every_parameter(model, source, target):
    model.zero_grad()
    features, _ = model(source, target)
    model.logits(features).log_softmax(-1)[..., 5].sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().sum() > 0, name


def test_a_fresh_model_starts_near_a_uniform_guess():
    torch.manual_seed(1)
    model = Transformer(TransformerConfig(vocabulary=50, width=32, heads=4)).eval()
    tokens = torch.randint(4, 50, (4, 9))
    features, _ = model(tokens, tokens)
    entropy = torch.distributions.Categorical(logits=model.logits(features)).entropy()
    assert entropy.mean() > 0.8 * math.log(50)

"""A decoder alone: what is kept equals what is computed anew, and nothing is seen too early."""

import pytest
import torch

from tests import tiny
from viz_core.models.gpt import GPT, GPTConfig, turned
from viz_core.training import gpt as recipe, teacher


@pytest.fixture(scope="module")
def model():
    return tiny.gpt().model


@pytest.fixture(scope="module")
def tokens(model):
    generator = torch.Generator().manual_seed(3)
    return torch.randint(4, model.config.vocabulary, (2, 12), generator=generator)


@torch.inference_mode()
def test_reading_on_from_the_cache_equals_reading_anew(model, tokens):
    whole = model(tokens)
    past, states, weights = (), [], []
    for part in tokens.split((5, 1, 1, 3, 2), dim=1):
        found = model(part, past)
        past = found.past
        states.append(found.states)
        weights.append(found.weights)
    torch.testing.assert_close(torch.cat(states, 1), whole.states)
    for kept, anew in zip(past, whole.past, strict=True):
        torch.testing.assert_close(kept, anew)
    last = weights[-1]
    torch.testing.assert_close(last, whole.weights[..., -last.shape[-2] :, :])


@torch.inference_mode()
def test_the_future_has_a_weight_of_exactly_zero(model, tokens):
    weights = model(tokens).weights
    assert weights.triu(1).eq(0).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))


@torch.inference_mode()
def test_a_later_token_changes_nothing_before_it(model, tokens):
    other = tokens.clone()
    other[:, 7] = (other[:, 7] + 1) % 50 + 4
    before, after = model(tokens).states, model(other).states
    assert torch.equal(before[:, :7], after[:, :7])
    assert not torch.equal(before[:, 7], after[:, 7])


def test_turned_vectors_know_only_how_far_apart_they_are():
    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 1, 8, generator=generator)
    scores = [float(turned(query, at + 3) @ turned(key, at).mT) for at in (0, 5, 40)]
    assert scores == pytest.approx([scores[0]] * 3, abs=1e-4)
    assert float(turned(query, 9) @ turned(key, 2).mT) != pytest.approx(scores[0], abs=1e-3)


@torch.inference_mode()
def test_the_lens_after_the_last_block_is_the_output(model, tokens):
    found = model(tokens)
    torch.testing.assert_close(model.lens(found.stream[:, -1]), model.logits(found.states))
    torch.testing.assert_close(found.stream[:, 0], model.embedding(tokens))


@torch.inference_mode()
def test_with_all_layers_of_its_teacher_it_says_what_the_teacher_says(monkeypatch):
    """Our Llama, written for one token at a time, is an oracle for the module."""
    generator = torch.Generator().manual_seed(5)

    def drawn(*shape):
        return torch.randn(*shape, generator=generator) * 0.3

    d, inner, heads = 8, 12, 2
    shapes = [(d,), (d, d), (d, d), (d, d), (d, d), (d,), (inner, d), (d, inner), (inner, d)]
    layers = tuple(teacher.Layer(*(drawn(*shape) for shape in shapes)) for _ in range(2))
    half = d // heads // 2
    angles = torch.arange(9)[:, None] * 10_000.0 ** (-torch.arange(half) / half)
    llama = teacher.Llama(heads, drawn(20, d), layers, drawn(d), angles)
    monkeypatch.setattr(recipe, "TAKEN", (0, 1))
    pupil = GPT(GPTConfig(vocabulary=20, width=d, heads=heads, layers=2, inner=inner))
    recipe.take_over(pupil, llama)
    tokens = torch.randint(20, (3, 7), generator=generator)
    cache = llama.empty(3)
    said = torch.stack(
        [llama.step(cache, at, tokens[:, at], teacher.plain_look) for at in range(7)], 1
    )
    torch.testing.assert_close(said, pupil.logits(pupil(tokens).states), rtol=1e-3, atol=1e-4)

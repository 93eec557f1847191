"""A Transformer that is made larger says what it said before."""

from __future__ import annotations

import torch

from tests.tiny import tokenizer
from viz_core.models.transformer import Transformer, TransformerConfig
from viz_core.training import growth


def made(vocabulary: int, width: int, inner: int) -> Transformer:
    config = TransformerConfig(
        vocabulary=vocabulary,
        width=width,
        inner=inner,
        heads=2,
        encoder_layers=2,
        decoder_layers=1,
        dropout=0.0,
    )
    return Transformer(config).eval()


def said(model: Transformer) -> torch.Tensor:
    """Without positions: their wavelengths are the width's, the one thing that cannot be kept."""
    source, target = torch.tensor([[5, 6, 7, 8, 3]]), torch.tensor([[2, 9, 10]])
    memory, state = model.start(source, place=False)
    return model.logits(model.decode(memory, state, target, place=False).features)


@torch.no_grad()
def test_twice_as_wide_it_says_the_same(monkeypatch):
    monkeypatch.setattr(growth, "NOISE", 0.0)
    spelling = tokenizer()
    small, large = made(spelling.size, 16, 32), made(spelling.size, 32, 96)
    growth.grow(small, spelling, large, spelling)
    assert torch.allclose(said(small), said(large), atol=1e-4)


@torch.no_grad()
def test_two_copies_do_not_stay_the_same():
    spelling = tokenizer()
    small, large = made(spelling.size, 16, 32), made(spelling.size, 32, 96)
    growth.grow(small, spelling, large, spelling)
    weight = large.encoder[0].inner[0].weight
    place = growth.copied_from(16, 32)
    first, second = (place == 0).nonzero()[:, 0].tolist()
    assert not torch.equal(weight[:, first], weight[:, second])


def test_a_coordinate_copies_the_one_that_waves_alike():
    place = growth.copied_from(192, 256)
    assert place.tolist()[:8] == [0, 1, 0, 1, 2, 3, 4, 5]
    assert place.max() == 191
    assert torch.equal(place % 2, torch.arange(256) % 2)  # sines from sines


def test_a_new_sub_word_is_the_mean_of_those_that_spelt_it():
    old = tokenizer()
    new = type(old).train(["lost lost lost lost umbrella umbrella"] * 9, 60)
    rows = torch.randn(old.size, 4)
    grown = growth.respelt(rows, old, new)
    for token, place in new.engine.get_vocab().items():
        ids = old.engine.encode(token).ids
        if ids and token not in old.engine.get_vocab():
            assert torch.allclose(grown[place], rows[ids].mean(0))

"""Counts are those of real modules, made on the meta device: shapes without numbers."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import nn

from viz_core.by_hand import sizes
from viz_core.models.bert import Bert, BertConfig
from viz_core.models.gpt import GPT, GPTConfig

CHECKPOINTS = Path(__file__).parents[2] / "checkpoints"


def count(*modules: nn.Module) -> int:
    return sum(weight.numel() for module in modules for weight in module.parameters())


def made(shape: sizes.Shape) -> int:
    """The parameters of torch's own layers of this shape."""
    d, inner = shape.width, shape.inner
    with torch.device("meta"):
        words = nn.Embedding(shape.vocabulary, d)
        if shape.family == "Transformer":
            whole = nn.Transformer(d, shape.heads, shape.layers, shape.decoder_layers, inner)
            both = nn.LayerNorm(d), nn.LayerNorm(d)  # torch adds two norms that the paper has not
            return count(words, whole) - count(*both)
        layers = [nn.TransformerEncoderLayer(d, shape.heads, inner)] * shape.layers
        places, norm = nn.Embedding(shape.positions, d), nn.LayerNorm(d)
        blocks = sum(map(count, layers))
        if shape.family == "GPT":
            return count(words, places, norm) + blocks
        return count(words, places, norm, nn.Embedding(2, d), nn.Linear(d, d)) + blocks


@pytest.mark.parametrize("name", [name for name in sizes.PRESETS if name != "our GPT"])
def test_a_formula_counts_what_real_modules_have(name):
    assert sizes.total(sizes.PRESETS[name]) == made(sizes.PRESETS[name])


@pytest.mark.parametrize("name", sizes.PRESETS)
def test_a_published_count_is_near_the_formula(name):
    shape = sizes.PRESETS[name]
    assert sizes.total(shape) == pytest.approx(1e6 * shape.published, rel=0.035)


def test_our_bert_class_with_base_settings_is_bert_base_and_its_heads():
    config = BertConfig(width=768, heads=12, layers=12, inner=3072)
    with torch.device("meta"):
        model = Bert(config)
    d, labels = config.width, len(config.labels)
    heads = (d * d + d) + 2 * d + config.vocabulary + labels * d + labels  # mask, next sentence
    assert count(model) == sizes.total(sizes.BERT_BASE) + heads


def test_our_gpt_class_has_the_parameters_that_its_formula_counts():
    shape = sizes.PRESETS["our GPT"]
    fields = ("layers", "width", "heads", "inner", "vocabulary")
    with torch.device("meta"):
        model = GPT(GPTConfig(**{field: getattr(shape, field) for field in fields}))
    assert count(model) == sizes.total(shape)


OURS = {"transformer": "our Transformer", "bert-mini": "our BERT", "gpt": "our GPT"}


@pytest.mark.parametrize("name", OURS)
def test_the_presets_of_ours_are_the_shapes_on_their_cards(name):
    card = json.loads((CHECKPOINTS / name / "card.json").read_text(encoding="utf-8"))
    shape, config = sizes.PRESETS[OURS[name]], card["config"]
    for field in ("width", "heads", "inner", "vocabulary"):
        assert config[field] == getattr(shape, field)
    assert config.get("layers", config.get("encoder_layers")) == shape.layers
    assert config.get("decoder_layers", 0) == shape.decoder_layers
    assert card["parameters"] == pytest.approx(1e6 * shape.published, rel=0.01)


def test_only_what_a_paper_prints_is_called_published():
    assert "Published: 110 million" in sizes.verdict(sizes.BERT_BASE)
    for name in OURS.values():
        assert "ublished" not in sizes.verdict(sizes.PRESETS[name])


def test_heads_change_no_count_and_must_share_the_width():
    few, many = (sizes.total(replace(sizes.BASE, heads=heads)) for heads in (1, 16))
    assert few == many
    with pytest.raises(ValueError, match="7 heads do not share a width of 512"):
        sizes.heads_told(replace(sizes.BASE, heads=7))


def test_what_is_typed_finds_its_preset_again():
    plain = replace(sizes.BERT_BASE, published=0.0, source="")
    assert sizes.named(plain) == sizes.BERT_BASE
    assert sizes.named(replace(plain, layers=11)).published == 0


def test_table_one_of_the_paper():
    recurrence, convolution, attention = sizes.costs(100, 512, 3)
    assert recurrence.operations == 100 * 512**2 and recurrence.steps == recurrence.path == 100
    assert convolution.operations == 3 * recurrence.operations and convolution.path == 5
    assert attention.operations == 100**2 * 512 and (attention.steps, attention.path) == (1, 1)

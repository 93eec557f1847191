"""One decoder step of the Transformer for the hypotheses of one sentence, as a search needs it.

The same numbers as Transformer.decode with one token, in about a third of its operations: queries,
keys and values come from one product, the sentence's keys are shared by all hypotheses instead of
repeated, there is nothing to mask, and nothing is kept that a search does not ask for.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from viz_core.attention import MultiHead
from viz_core.models.transformer import Block, Keep, Memory, Transformer, positions


class OneStep(NamedTuple):
    logits: Tensor  # (hypothesis, vocabulary)
    weights: Tensor  # (hypothesis, key): cross-attention, the mean of all layers and heads
    state: tuple[Tensor, ...]  # per layer keys and values so far, (hypothesis, head, 2, token, n/h)


class Affine(NamedTuple):
    weight: Tensor  # (in, out)
    bias: Tensor

    def __call__(self, given: Tensor) -> Tensor:
        return torch.addmm(self.bias, given, self.weight)

    def add_to(self, states: Tensor, given: Tensor) -> Tensor:
        """states + self(given), the sum made inside the product."""
        return torch.addmm(states + self.bias, given, self.weight)


class Norm(NamedTuple):
    size: tuple[int, ...]
    weight: Tensor
    bias: Tensor
    epsilon: float

    def __call__(self, states: Tensor) -> Tensor:
        return torch.layer_norm(states, self.size, self.weight, self.bias, self.epsilon)


class Vocabulary:
    """The output layer. A few rows times a matrix of megabytes goes faster in parts that fit the
    processor's cache; a single row does not."""

    def __init__(self, embedding: Tensor, bias: Tensor) -> None:
        self.whole = Affine(embedding.mT, bias)
        parts = next(count for count in (10, 8, 4, 2, 1) if len(embedding) % count == 0)
        self.weight = embedding.mT.unflatten(1, (parts, -1)).transpose(0, 1)
        self.bias = bias.view(parts, 1, -1)

    def __call__(self, states: Tensor) -> Tensor:
        """(hypothesis, vocabulary)"""
        if len(states) == 1:
            return self.whole(states)
        repeated = states.expand(len(self.weight), *states.shape)
        return torch.baddbmm(self.bias, repeated, self.weight).transpose(0, 1).flatten(1)


class Layer(NamedTuple):
    """A decoder block taken apart; its keys and values are those of the sentence."""

    heads: int
    self_norm: Norm
    joint: Affine  # to (head, 3, n/h): query / sqrt(n/h), key, value
    out: Affine
    cross_norm: Norm
    query: Affine
    keys: Tensor  # (head, n/h, key), over sqrt(n/h)
    values: Tensor  # (head, key, n/h)
    cross_out: Affine
    inner_norm: Norm
    rise: Affine
    fall: Affine
    keep: Tensor | None  # (head, 1): 0 for a silent head
    keep_cross: Tensor | None  # (head, 1, 1)


class Stepper:
    """A Transformer bound to one encoded sentence and to the heads that speak."""

    def __init__(
        self, model: Transformer, memory: Memory, keep: Keep | None = None, place: bool = True
    ) -> None:
        assert len(memory.mask) == 1 and bool(memory.mask.all()), "one sentence, without padding"
        config = model.config
        self.scale = math.sqrt(config.width)
        self.embedding = model.embedding.weight
        self.places = _places(config.max_length, config.width) if place else None
        blocks = [block for block in model.decoder if isinstance(block, Block)]
        self.layers = [_layer(block, *memory.cross[i], i, keep) for i, block in enumerate(blocks)]
        self.norm = _norm(model.decoder_norm)
        self.vocabulary = Vocabulary(self.embedding, model.bias)
        heads = config.heads * len(blocks)
        self.mean = torch.full((1, heads), 1 / heads)

    def step(self, state: tuple[Tensor, ...], tokens: Tensor) -> OneStep:
        """Read one more token of each hypothesis, (hypothesis,), on from the state."""
        at = state[0].shape[3] if state else 0
        states = self.embedding[tokens] * self.scale  # (hypothesis, width)
        if self.places is not None:
            states += self.places[at]
        past: list[Tensor] = []
        looked: list[Tensor] = []
        for i, layer in enumerate(self.layers):
            states, kept = _look_back(layer, states, state[i] if state else None)
            states, weights = _look_across(layer, states)
            inner = layer.rise(layer.inner_norm(states)).relu_()
            states = layer.fall.add_to(states, inner)
            past.append(kept)
            looked.append(weights)
        seen = torch.cat(looked)  # (layer and head, hypothesis, key)
        mean = torch.mm(self.mean, seen.flatten(1)).view(seen.shape[1:])
        return OneStep(self.vocabulary(self.norm(states)), mean, tuple(past))


def _look_back(layer: Layer, states: Tensor, past: Tensor | None) -> tuple[Tensor, Tensor]:
    """x + Attention(norm(x)) over what each hypothesis has written; and its keys and values."""
    count = len(states)
    joint = layer.joint(layer.self_norm(states)).view(count, layer.heads, 3, -1)
    query, kept = joint[:, :, 0].flatten(0, 1).unsqueeze(1), joint[:, :, 1:].unsqueeze(3)
    if past is not None:
        kept = torch.cat((past, kept), 3)
    keys, values = kept.flatten(0, 1).unbind(1)  # (hypothesis and head, token, n/h)
    context = torch.bmm(torch.bmm(query, keys.mT).softmax(-1), values)
    if layer.keep is not None:
        context = context.view(count, layer.heads, -1) * layer.keep
    return layer.out.add_to(states, context.view(count, -1)), kept


def _look_across(layer: Layer, states: Tensor) -> tuple[Tensor, Tensor]:
    """x + Attention(norm(x)) over the sentence; and the weights (head, hypothesis, key)."""
    query = layer.query(layer.cross_norm(states)).view(len(states), layer.heads, -1)
    weights = torch.bmm(query.transpose(0, 1), layer.keys).softmax(-1)
    context = torch.bmm(weights, layer.values)  # (head, hypothesis, n/h)
    if layer.keep_cross is not None:
        context = context * layer.keep_cross
    return layer.cross_out.add_to(states, context.transpose(0, 1).flatten(1)), weights


# ---- the model's parameters, taken apart once for each sentence -------------------------------


@functools.cache
def _places(length: int, width: int) -> Tensor:
    return positions(length, width)


def _layer(block: Block, keys: Tensor, values: Tensor, number: int, keep: Keep | None) -> Layer:
    own, cross, norm = block.self_attention, block.cross_attention, block.cross_norm
    assert cross is not None and norm is not None
    return Layer(
        heads=own.heads,
        self_norm=_norm(block.self_norm),
        joint=_joint(own),
        out=_affine(own.out),
        cross_norm=_norm(norm),
        query=_affine(cross.query),
        keys=(keys[0] / math.sqrt(keys.shape[-1])).mT.contiguous(),
        values=values[0].contiguous(),
        cross_out=_affine(cross.out),
        inner_norm=_norm(block.inner_norm),
        rise=_affine(block.inner[0]),
        fall=_affine(block.inner[2]),
        keep=None if keep is None else keep.decoder[number].unsqueeze(-1),
        keep_cross=None if keep is None else keep.cross[number].view(-1, 1, 1),
    )


def _joint(attention: MultiHead) -> Affine:
    width = attention.query.out_features
    scale = math.sqrt(width / attention.heads)
    weights = [attention.query.weight / scale, attention.key.weight, attention.value.weight]
    biases = [attention.query.bias / scale, attention.key.bias, attention.value.bias]
    columns = torch.stack([w.mT.unflatten(1, (attention.heads, -1)) for w in weights], 2)
    entries = torch.stack([b.unflatten(0, (attention.heads, -1)) for b in biases], 1)
    return Affine(columns.flatten(1), entries.flatten())


def _affine(layer: nn.Module) -> Affine:
    assert isinstance(layer, nn.Linear)
    return Affine(layer.weight.mT, layer.bias)


def _norm(norm: nn.LayerNorm) -> Norm:
    return Norm(norm.normalized_shape, norm.weight, norm.bias, norm.eps)

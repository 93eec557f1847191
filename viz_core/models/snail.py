"""SNAIL: a few labelled examples in a row, then one without a label (Mishra et al. 2018).

Temporal convolutions gather what came before; causal attention looks single examples up in it.
Nothing is learnt when new kinds of characters are shown: the weights stay, the examples are read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot, pad

from viz_core.attention import attend, causal_mask, scaled_dot

SIDE = 28  # pixels of a drawing
ATTENTION, CONVOLUTION = "attention", "convolution"


@dataclass(frozen=True, slots=True, kw_only=True)
class SnailConfig:
    ways: int = 5  # kinds of characters in an episode
    shots: int = 5  # the most examples of a kind
    width: int = 64  # of an embedded drawing
    channels: tuple[int, ...] = (32, 64, 64, 64)  # of the embedding's convolutions
    filters: int = 32  # that a dense block adds
    keys: int = 32
    values: int = 32  # that an attention block adds
    blocks: tuple[str, ...] = (ATTENTION, CONVOLUTION, ATTENTION, CONVOLUTION, ATTENTION)

    @property
    def longest(self) -> int:
        """Positions of the longest episode: its examples and the question."""
        return self.ways * self.shots + 1


class Reading(NamedTuple):
    """What the question, the last position, is answered with."""

    logits: Tensor  # (batch, way)
    embedded: Tensor  # (drawing, width)
    weights: Tensor  # (batch, layer, query, key), one layer for every attention block


class Snail(nn.Module):
    def __init__(self, config: SnailConfig) -> None:
        super().__init__()
        self.config = config
        self.embed = embedding(config.channels, config.width)
        self.blocks = nn.ModuleList()
        width = config.width + config.ways
        for kind in config.blocks:
            block = (
                AttentionBlock(width, config.keys, config.values)
                if kind == ATTENTION
                else ConvolutionBlock(width, config.filters, config.longest)
            )
            self.blocks.append(block)
            width = block.out
        self.answer = nn.Linear(width, config.ways)

    def forward(self, drawings: Tensor, places: Tensor, labels: Tensor) -> Reading:
        """Drawings (drawing, 28, 28); places (batch, position) says which one stands where, so
        that many episodes can share a few drawings; labels (batch, position - 1): the last
        position is the question and has none."""
        embedded = self.embed(drawings[:, None])  # (drawing, width)
        told = one_hot(labels, self.config.ways).to(embedded.dtype)
        told = pad(told, (0, 0, 0, 1))  # (batch, position, way)
        states = torch.cat((embedded[places], told), -1)
        weights = []
        for block in self.blocks:
            states, looked = block(states)
            if looked is not None:
                weights.append(looked)
        batch, length = places.shape
        shape = (batch, len(weights), length, length)
        stacked = torch.stack(weights, 1) if weights else states.new_zeros(shape)
        return Reading(self.answer(states[:, -1]), embedded, stacked)


def embedding(channels: Sequence[int], width: int) -> nn.Sequential:
    """Four convolutions, three of which halve the picture: 28, 14, 7, 7, 4 pixels a side. (In
    the paper each is followed by a maximum over two by two pixels; strides are quicker.)"""
    layers: list[nn.Module] = []
    before = 1
    for number, after in enumerate(channels):
        stride = 1 if number == 2 else 2
        layers += [
            nn.Conv2d(before, after, 3, stride, padding=1, bias=False),
            nn.BatchNorm2d(after),
            nn.ReLU(),
        ]
        before = after
    return nn.Sequential(
        *layers, nn.Flatten(), nn.Linear(before * 16, width), nn.BatchNorm1d(width)
    )


class AttentionBlock(nn.Module):
    """Section 3, figure 2b: what was looked up stands beside what was there."""

    def __init__(self, width: int, keys: int, values: int) -> None:
        super().__init__()
        self.key = nn.Linear(width, keys)
        self.query = nn.Linear(width, keys)
        self.value = nn.Linear(width, values)
        self.out = width + values
        with torch.no_grad():  # alike attracts alike from the first step on
            self.query.weight.copy_(self.key.weight)

    def forward(self, states: Tensor) -> tuple[Tensor, Tensor]:
        mask = causal_mask(states.shape[1]).to(states.device)
        scores = scaled_dot(self.query(states), self.key(states))
        read, weights = attend(scores, self.value(states), mask)
        return torch.cat((states, read), -1), weights  # (batch, query, key)


class ConvolutionBlock(nn.Module):
    """Section 3, TC block: dense blocks of dilation 1, 2, 4, ... until the longest episode is
    seen from its end."""

    def __init__(self, width: int, filters: int, longest: int) -> None:
        super().__init__()
        count = math.ceil(math.log2(longest))
        self.dense = nn.ModuleList(
            DenseBlock(width + filters * number, filters, 2**number) for number in range(count)
        )
        self.out = width + filters * count

    def forward(self, states: Tensor) -> tuple[Tensor, None]:
        for block in self.dense:
            states = block(states)
        return states, None


class DenseBlock(nn.Module):
    """Figure 2a: tanh(x_f) * sigmoid(x_g), of this position and the one `dilation` before it."""

    def __init__(self, width: int, filters: int, dilation: int) -> None:
        super().__init__()
        self.dilation = dilation
        self.filter = nn.Linear(2 * width, 2 * filters)  # a causal convolution of two positions

    def forward(self, states: Tensor) -> Tensor:
        before = pad(states, (0, 0, self.dilation, 0))[:, : states.shape[1]]
        x_f, x_g = self.filter(torch.cat((before, states), -1)).chunk(2, -1)
        return torch.cat((states, x_f.tanh() * x_g.sigmoid()), -1)

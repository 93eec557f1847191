"""The Vision Transformer: a picture is cut into patches, and the patches are read like words.

    z_0 = [class; E x_1; ...; E x_N] + E_pos                  Dosovitskiy et al. 2021, eq. 1
    z'_l = MSA(LN(z_{l-1})) + z_{l-1}                         eq. 2
    z_l = MLP(LN(z'_l)) + z'_l                                eq. 3
    y = LN(z_L^0)                                             eq. 4

E is the paper's hybrid (section 3.1): four small convolutions in place of one matrix, so that a
patch also sees the edge of its neighbours. From 50,000 small pictures a plain matrix learns less.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from viz_core.attention import MultiHead


@dataclass(frozen=True, slots=True, kw_only=True)
class ViTConfig:
    labels: tuple[str, ...]
    side: int = 32  # pixels
    grid: int = 8  # patches along a side
    width: int = 128
    heads: int = 4
    layers: int = 3
    inner: int = 256
    stem: tuple[int, int] = (32, 64)  # channels of the convolutions before the last

    @property
    def tokens(self) -> int:
        return 1 + self.grid**2


class Seen(NamedTuple):
    logits: Tensor  # (batch, label)
    weights: Tensor  # (batch, layer, head, query, key); token 0 is [class]


class Read(NamedTuple):
    label: Tensor  # (batch, width): y of eq. 4, what the picture is named by
    weights: Tensor  # (batch, layer, head, query, key)


class Block(nn.Module):
    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(config.width)
        self.attention = MultiHead(config.width, config.heads)
        self.inner_norm = nn.LayerNorm(config.width)
        self.inner = nn.Sequential(
            nn.Linear(config.width, config.inner), nn.GELU(), nn.Linear(config.inner, config.width)
        )

    def forward(self, states: Tensor) -> tuple[Tensor, Tensor]:
        normed = self.attention_norm(states)
        found, weights = self.attention(normed, *self.attention.project(normed))
        states = states + found  # eq. 2
        return states + self.inner(self.inner_norm(states)), weights  # eq. 3


def convolution(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class ViT(nn.Module):
    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.config = config
        first, second = config.stem
        self.patches = nn.Sequential(
            convolution(3, first),
            nn.MaxPool2d(2),
            convolution(first, second),
            convolution(second, second),
            nn.MaxPool2d(2),
            nn.Conv2d(second, config.width, 3, padding=1),
        )
        self.label = nn.Parameter(torch.zeros(config.width))  # the [class] token
        self.positions = nn.Parameter(torch.randn(config.tokens, config.width) * 0.02)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.width)
        self.answer = nn.Linear(config.width, len(config.labels))

    def embed(self, pixels: Tensor) -> Tensor:
        """Pixels (batch, 3, 32, 32) of 0 to 255 -> z_0 (batch, token, width)."""
        patches = self.patches((pixels - 128) / 64).flatten(2).mT  # (batch, patch, width)
        label = self.label.expand(len(pixels), 1, -1)
        return torch.cat((label, patches), 1) + self.positions  # eq. 1

    def read(self, pixels: Tensor) -> Read:
        states, weights = self.embed(pixels), []
        for block in self.blocks:
            states, found = block(states)
            weights.append(found)
        return Read(self.norm(states[:, 0]), torch.stack(weights, 1))  # eq. 4

    def forward(self, pixels: Tensor) -> Seen:
        label, weights = self.read(pixels)
        return Seen(self.answer(label), weights)

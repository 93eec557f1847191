"""The Self-Attention GAN: a picture drawn from noise, in which every place may look at every other.

    s_ij = f(x_i)^T g(x_j),  b_ji = exp(s_ij) / sum_i exp(s_ij)      Zhang et al. 2019, eq. 1
    o_j = v(sum_i b_ji h(x_i))                                       eq. 2
    y_i = gamma o_i + x_i                                            eq. 3

The query is g(x_j), the keys are f(x_i): a dot product without a scale, as in the paper. Ours: a
query is taken less the mean of all queries. What they ask alike drew half of all looks to one place
of each picture, when it was tried without. gamma begins at 0, so that the network first learns from
neighbours and then to look further. Spectral normalisation (section 4 of the paper) belongs to the
training: in the weights that are kept it is already done.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import leaky_relu

from viz_core.attention import attend, dot

FIRST = 4  # places along a side, where drawing begins and judging ends


@dataclass(frozen=True, slots=True, kw_only=True)
class SAGANConfig:
    kinds: tuple[str, ...]
    noise: int = 64
    channels: tuple[int, ...] = (96, 64, 48)  # of 4, 8 and 16 places a side
    reduction: int = 4  # how much narrower f, g and h are than what they read
    attention: bool = True  # False: the twin that it is compared with

    @property
    def grid(self) -> int:
        """Places along a side where the picture attends to itself."""
        return FIRST * 2 ** (len(self.channels) - 1)


class Drawing(NamedTuple):
    pixels: Tensor  # (batch, 3, side, side), from -1 to 1
    weights: Tensor | None  # (batch, query, key): places of the grid, row by row


class SelfAttention(nn.Module):
    def __init__(self, width: int, reduction: int) -> None:
        super().__init__()
        inner = width // reduction
        self.f = nn.Linear(width, inner, bias=False)  # a 1 x 1 convolution
        self.g = nn.Linear(width, inner, bias=False)
        self.h = nn.Linear(width, inner, bias=False)
        self.v = nn.Linear(inner, width, bias=False)
        self.gamma = nn.Parameter(torch.zeros(()))

    def forward(self, features: Tensor, strength: float = 1.0) -> tuple[Tensor, Tensor]:
        """Features (batch, channel, row, column); strength multiplies gamma: 0 is without it."""
        places = features.flatten(2).mT  # (batch, place, channel)
        asked = self.g(places)
        scores = dot(asked - asked.mean(1, keepdim=True), self.f(places))  # (batch, query, key)
        found, weights = attend(scores, self.h(places))  # eq. 1
        mixed = self.v(found).mT.reshape(features.shape)  # eq. 2
        return strength * self.gamma * mixed + features, weights  # eq. 3


class KindNorm(nn.Module):
    """Batch normalisation whose scale and shift depend on the kind (Dumoulin et al. 2017)."""

    def __init__(self, kinds: int, channels: int) -> None:
        super().__init__()
        self.norm = nn.BatchNorm2d(channels, affine=False)
        self.scale = nn.Parameter(torch.ones(kinds, channels))
        self.shift = nn.Parameter(torch.zeros(kinds, channels))

    def forward(self, features: Tensor, kinds: Tensor) -> Tensor:
        scale, shift = kinds @ self.scale, kinds @ self.shift  # (batch, channel)
        return self.norm(features) * scale[..., None, None] + shift[..., None, None]


class Generator(nn.Module):
    def __init__(self, config: SAGANConfig) -> None:
        super().__init__()
        self.config = config
        widths, kinds = config.channels, len(config.kinds)
        self.first = nn.Linear(config.noise, widths[0] * FIRST**2)
        self.doubles = nn.ModuleList(
            nn.ConvTranspose2d(wide, narrow, 4, 2, 1, bias=False)
            for wide, narrow in pairwise(widths)
        )
        self.norms = nn.ModuleList(KindNorm(kinds, width) for width in widths)
        if config.attention:
            self.attention = SelfAttention(widths[-1], config.reduction)
        self.last = nn.ConvTranspose2d(widths[-1], 3, 4, 2, 1)

    def forward(self, noise: Tensor, kinds: Tensor, strength: float = 1.0) -> Drawing:
        """Noise (batch, noise), kinds (batch, kind): shares that sum to one, mostly a single 1."""
        features = self.first(noise).view(len(noise), -1, FIRST, FIRST)
        features, weights = self.norms[0](features, kinds).relu(), None
        for double, norm in zip(self.doubles, self.norms[1:], strict=True):
            features = norm(double(features), kinds).relu()
        if self.config.attention:
            features, weights = self.attention(features, strength)
        return Drawing(self.last(features).tanh(), weights)


class Discriminator(nn.Module):
    """Says how real a picture of a kind looks; the kind enters as in Miyato and Koyama 2018."""

    def __init__(self, config: SAGANConfig) -> None:
        super().__init__()
        widths = (3, *config.channels[::-1])
        self.halves = nn.ModuleList(
            nn.Conv2d(narrow, wide, 4, 2, 1) for narrow, wide in pairwise(widths)
        )
        self.attention = SelfAttention(widths[-2], config.reduction) if config.attention else None
        self.judge = nn.Linear(widths[-1], 1)
        self.kinds = nn.Linear(len(config.kinds), widths[-1], bias=False)

    def forward(self, pixels: Tensor, kinds: Tensor) -> Tensor:
        features = pixels
        for half in self.halves[:-1]:
            features = leaky_relu(half(features), 0.1)
        if self.attention is not None:
            features, _ = self.attention(features)
        features = leaky_relu(self.halves[-1](features), 0.1)
        total = features.sum((2, 3))  # (batch, channel)
        return self.judge(total)[:, 0] + (self.kinds(kinds) * total).sum(-1)  # (batch,)

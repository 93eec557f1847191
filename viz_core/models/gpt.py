"""Decoder blocks alone, masked (Radford et al. 2018), built as Touvron et al. 2023 build them.

Where this departs from the paper of 2018: the norm comes first and is a root mean square, a place
is told by turning queries and keys instead of by a learned vector, and the inner layer has a gate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import silu

from viz_core.attention import MultiHead, attend, causal_mask, scaled_dot
from viz_core.text import START


@dataclass(frozen=True, slots=True, kw_only=True)
class GPTConfig:
    vocabulary: int
    width: int = 288
    heads: int = 6
    layers: int = 5
    inner: int = 768
    context: int = 256  # tokens that it reads at most


Past = tuple[Tensor, ...]  # keys and values of each layer so far, (batch, head, token, n/h)


class Decoded(NamedTuple):
    states: Tensor  # (batch, token, width), after the last norm
    weights: Tensor  # (batch, layer, head, query, key)
    past: Past
    stream: Tensor  # (batch, layer + 1, token, width): the embedding, then after every block


def turned(states: Tensor, start: int) -> Tensor:
    """Su et al. 2021, eq. 15: each pair of entries is turned by its place times its rate, so that
    a query and a key that meet know only how far apart they are."""
    length, width = states.shape[-2:]
    places = torch.arange(start, start + length, dtype=torch.float32)
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    angles = places.unsqueeze(1) * rates  # (token, n/h / 2)
    cos, sin = angles.cos().to(states.dtype), angles.sin().to(states.dtype)
    first, second = states[..., 0::2], states[..., 1::2]
    return torch.stack((first * cos - second * sin, first * sin + second * cos), -1).flatten(-2)


class GPTBlock(nn.Module):
    """x + Attention(norm(x)), then x + W_2 (silu(W_g norm(x)) * W_1 norm(x))"""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.norm = nn.RMSNorm(config.width, 1e-5)
        self.attention = MultiHead(config.width, config.heads)
        self.inner_norm = nn.RMSNorm(config.width, 1e-5)
        self.gate = nn.Linear(config.width, config.inner, bias=False)
        self.rise = nn.Linear(config.width, config.inner, bias=False)
        self.fall = nn.Linear(config.inner, config.width, bias=False)

    def forward(
        self, states: Tensor, past: Past, mask: Tensor | None
    ) -> tuple[Tensor, Tensor, Past]:
        own, normed = self.attention, self.norm(states)
        start = past[0].shape[2] if past else 0
        query = turned(own.split(own.query(normed)), start)
        keys, values = own.project(normed)
        keys = turned(keys, start)
        if past:
            keys, values = torch.cat((past[0], keys), 2), torch.cat((past[1], values), 2)
        context, weights = attend(scaled_dot(query, keys), values, mask)
        states = states + own.out(context.transpose(1, 2).flatten(-2))
        normed = self.inner_norm(states)
        states = states + self.fall(silu(self.gate(normed)) * self.rise(normed))
        return states, weights, (keys, values)


class GPT(nn.Module):
    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.width)
        self.blocks = nn.ModuleList(GPTBlock(config) for _ in range(config.layers))
        self.norm = nn.RMSNorm(config.width, 1e-5)
        nn.init.normal_(self.embedding.weight, std=0.02)

    def forward(self, tokens: Tensor, past: Past = ()) -> Decoded:
        """Read tokens (batch, token) on from the keys and values that were kept."""
        start = past[0].shape[2] if past else 0
        count = tokens.shape[1]
        mask = causal_mask(start + count)[start:] if count > 1 else None
        states = self.embedding(tokens)
        stream, looked, kept = [states], [], []
        for layer, block in enumerate(self.blocks):
            states, weights, own = block(states, past[2 * layer : 2 * layer + 2], mask)
            stream.append(states)
            looked.append(weights)
            kept.extend(own)
        weights = torch.stack(looked, 1)
        return Decoded(self.norm(states), weights, tuple(kept), torch.stack(stream, 1))

    def logits(self, states: Tensor) -> Tensor:
        """The output layer is the embedding again."""
        return nn.functional.linear(states, self.embedding.weight)

    def nats(self, ids: Tensor) -> Tensor:
        """-log p of each token given those before it, after <s>: (batch, token)."""
        read = torch.cat((ids.new_full((len(ids), 1), START), ids[:, :-1]), 1)
        log_probs = self.logits(self(read).states).log_softmax(-1)
        return -log_probs.gather(-1, ids.unsqueeze(-1)).squeeze(-1)

    def lens(self, stream: Tensor) -> Tensor:
        """What any point of the residual stream would say if it were the last one."""
        return self.logits(self.norm(stream))

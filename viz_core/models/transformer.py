"""The Transformer of Vaswani et al. 2017, layer norm first, every attention returned.

A deep encoder and a shallow decoder: the encoder does the understanding, which is what we watch,
and translation is fast (Kasai et al. 2021).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from viz_core.attention import MultiHead, block_mask, causal_mask


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformerConfig:
    vocabulary: int
    width: int = 192
    heads: int = 8
    encoder_layers: int = 4
    decoder_layers: int = 2
    inner: int = 768
    max_length: int = 512
    dropout: float = 0.1
    pad: int = 0


def positions(length: int, width: int, base: float = 10_000.0, start: int = 0) -> Tensor:
    """Section 3.5: PE(pos, 2k) = sin(pos / base^(2k/width)), PE(pos, 2k+1) = cos(the same)."""
    place = torch.arange(start, start + length, dtype=torch.float32).unsqueeze(1)
    rate = torch.exp(torch.arange(0, width, 2) * (-math.log(base) / width))
    angle = place * rate  # (position, width / 2)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2)[:, :width]


class Block(nn.Module):
    """x + Attention(norm(x)), the same for cross-attention where there is one, x + FF(norm(x))."""

    def __init__(self, config: TransformerConfig, crosses: bool) -> None:
        super().__init__()
        width = config.width
        self.self_norm = nn.LayerNorm(width)
        self.self_attention = MultiHead(width, config.heads)
        self.cross_norm = nn.LayerNorm(width) if crosses else None
        self.cross_attention = MultiHead(width, config.heads) if crosses else None
        self.inner_norm = nn.LayerNorm(width)
        self.inner = nn.Sequential(
            nn.Linear(width, config.inner), nn.ReLU(), nn.Linear(config.inner, width)
        )
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        states: Tensor,
        mask: Tensor | None,
        past: tuple[Tensor, Tensor] | None = None,
        memory: tuple[Tensor, Tensor] | None = None,
        memory_mask: Tensor | None = None,
        keep: Tensor | None = None,
        keep_cross: Tensor | None = None,
    ) -> BlockOutput:
        normed = self.self_norm(states)
        keys, values = self.self_attention.project(normed)
        if past is not None:
            keys, values = torch.cat((past[0], keys), 2), torch.cat((past[1], values), 2)
        found, weights = self.self_attention(normed, keys, values, mask, keep)
        after_self = states + self.dropout(found)
        after_cross, cross = after_self, None
        if self.cross_norm is not None and self.cross_attention is not None:
            assert memory is not None
            found, cross = self.cross_attention(
                self.cross_norm(after_self), *memory, memory_mask, keep_cross
            )
            after_cross = after_self + self.dropout(found)
        out = after_cross + self.dropout(self.inner(self.inner_norm(after_cross)))
        return BlockOutput(out, weights, cross, (keys, values), (after_self, after_cross))


class BlockOutput(NamedTuple):
    states: Tensor  # (batch, token, width)
    weights: Tensor  # (batch, head, query, key)
    cross: Tensor | None  # (batch, head, query, key)
    past: tuple[Tensor, Tensor]  # keys and values for the next step
    stream: tuple[Tensor, Tensor]  # the residual stream after self- and after cross-attention


class Keep(NamedTuple):
    """Which heads speak: 1 or 0, (layer, head) each. Ablation is an argument, never a change."""

    encoder: Tensor
    decoder: Tensor
    cross: Tensor


class Memory(NamedTuple):
    states: Tensor  # (batch, key, width), after the last layer norm
    mask: Tensor  # (batch, key)
    cross: tuple[tuple[Tensor, Tensor], ...]  # per decoder layer: keys and values
    encoder: tuple[BlockOutput, ...]

    def repeat(self, times: int) -> Memory:
        """The same sentence for every hypothesis of a beam; nothing is copied."""

        def grow(part: Tensor) -> Tensor:
            return part.expand(times, *part.shape[1:])

        cross = tuple((grow(k), grow(v)) for k, v in self.cross)
        return Memory(grow(self.states), grow(self.mask), cross, self.encoder)


class Step(NamedTuple):
    features: Tensor  # (batch, query, width)
    weights: Tensor  # (batch, layer, head, query, key): cross-attention
    state: tuple[Tensor, ...]
    self_weights: Tensor  # (batch, layer, head, query, key)
    blocks: tuple[BlockOutput, ...]


class Transformer(nn.Module):
    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.width, config.pad)
        self.encoder = nn.ModuleList(Block(config, False) for _ in range(config.encoder_layers))
        self.decoder = nn.ModuleList(Block(config, True) for _ in range(config.decoder_layers))
        self.encoder_norm = nn.LayerNorm(config.width)
        self.decoder_norm = nn.LayerNorm(config.width)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary))
        self.dropout = nn.Dropout(config.dropout)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                nn.init.xavier_uniform_(weight)
            elif name.endswith("bias"):
                nn.init.zeros_(weight)
        nn.init.normal_(self.embedding.weight, std=config.width**-0.5)
        with torch.no_grad():
            self.embedding.weight[config.pad].zero_()

    def embed(self, tokens: Tensor, start: int = 0, place: bool = True) -> Tensor:
        embedded = self.embedding(tokens) * math.sqrt(self.config.width)
        if place:
            embedded = embedded + positions(tokens.shape[1], self.config.width, start=start)
        return self.dropout(embedded)

    def encode(
        self,
        source: Tensor,
        keep: Keep | None = None,
        place: bool = True,
        hide_padding: bool = True,
        local: int | None = None,
        start: int = 0,
    ) -> Memory:
        """place=False leaves the positions out, hide_padding=False the mask over the filling of
        a batch: to show what they were good for. local is the length of the blocks within which
        tokens see each other, start the position of the first token."""
        mask = source != self.config.pad  # (batch, key)
        if not hide_padding:
            mask = torch.ones_like(mask)
        allowed = mask[:, None, None]  # (batch, 1, query or 1, key)
        if local is not None:  # what only fills a batch looks anywhere: it has no block of its own
            allowed = allowed & block_mask(source.shape[1], local) | ~mask[:, None, :, None]
        states = self.embed(source, start, place)
        blocks = []
        for layer, block in enumerate(self.encoder):
            speaking = None if keep is None else keep.encoder[layer]
            blocks.append(block(states, allowed, keep=speaking))
            states = blocks[-1].states
        states = self.encoder_norm(states)
        cross = tuple(block.cross_attention.project(states) for block in self.decoder)  # type: ignore
        return Memory(states, mask, cross, tuple(blocks))

    def start(
        self, source: Tensor, keep: Keep | None = None, place: bool = True
    ) -> tuple[Memory, tuple[Tensor, ...]]:
        return self.encode(source, keep, place), ()

    def decode(
        self,
        memory: Memory,
        state: tuple[Tensor, ...],
        tokens: Tensor,
        keep: Keep | None = None,
        place: bool = True,
        hide_future: bool = True,
    ) -> Step:
        """Read tokens (batch, query) on from state, the keys and values kept so far.

        hide_future=False leaves out the causal mask, to show what it was good for."""
        start = state[0].shape[2] if state else 0
        length = start + tokens.shape[1]
        mask = causal_mask(length)[start:] if hide_future and tokens.shape[1] > 1 else None
        states = self.embed(tokens, start, place)
        blocks: list[BlockOutput] = []
        for layer, block in enumerate(self.decoder):
            blocks.append(
                block(
                    states,
                    mask,
                    past=(state[2 * layer], state[2 * layer + 1]) if state else None,
                    memory=memory.cross[layer],
                    memory_mask=memory.mask[:, None, None],
                    keep=None if keep is None else keep.decoder[layer],
                    keep_cross=None if keep is None else keep.cross[layer],
                )
            )
            states = blocks[-1].states
        past = tuple(part for block in blocks for part in block.past)
        cross = torch.stack([block.cross for block in blocks if block.cross is not None], 1)
        own = torch.stack([block.weights for block in blocks], 1)
        return Step(self.decoder_norm(states), cross, past, own, tuple(blocks))

    def logits(self, features: Tensor) -> Tensor:
        """The output layer is the embedding again (section 3.4)."""
        return nn.functional.linear(features, self.embedding.weight, self.bias)

    def forward(
        self, source: Tensor, target: Tensor, keep: Keep | None = None
    ) -> tuple[Tensor, Memory]:
        """Teacher forcing: features (batch, query, width), and the encoder's memory."""
        memory, state = self.start(source, keep)
        return self.decode(memory, state, target, keep).features, memory

"""The Universal Transformer: one block, used again until each position has thought enough.

    A^t = LayerNorm((H^{t-1} + P^t) + MultiHead(H^{t-1} + P^t))     Dehghani et al. 2019, eq. 4
    H^t = LayerNorm(A^t + Transition(A^t))                          eq. 5

How often is learned for each position apart: adaptive computation time (Graves 2016).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from viz_core.attention import MultiHead

ENOUGH = 0.99  # 1 - epsilon: thinking ends when the halting probabilities add up to it


@dataclass(frozen=True, slots=True, kw_only=True)
class UniversalConfig:
    vocabulary: int
    answers: int  # the first words of the vocabulary
    width: int = 96
    heads: int = 4
    inner: int = 192
    steps: int = 6  # the most
    words: int = 16  # of a fact
    facts: int = 70


class Halting(NamedTuple):
    """Who thinks for how long. weights sum to one over the steps of a position."""

    weights: Tensor  # (batch, step, position): Graves 2016, eq. 6, p_t^n
    steps: Tensor  # (batch, position): N
    remainder: Tensor  # (batch, position): R, the weight of the last step


class Thought(NamedTuple):
    logits: Tensor  # (batch, answer)
    halting: Halting
    attention: tuple[Tensor, ...]  # a step each (batch, head, query, key)


class Universal(nn.Module):
    def __init__(self, config: UniversalConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.embedding = nn.Embedding(config.vocabulary + 1, width)  # and padding
        self.word_place = nn.Parameter(1 + 0.1 * torch.randn(config.words, width))
        self.place = nn.Parameter(0.3 * torch.randn(config.facts + 1, width))
        self.time = nn.Parameter(0.3 * torch.randn(config.steps, width))
        self.attention = MultiHead(width, config.heads)
        self.attention_norm = nn.LayerNorm(width)
        self.transition = nn.Sequential(
            nn.Linear(width, config.inner), nn.ReLU(), nn.Linear(config.inner, width)
        )
        self.transition_norm = nn.LayerNorm(width)
        self.halt = nn.Linear(width, 1)
        self.answer = nn.Linear(width, config.answers)
        nn.init.normal_(self.embedding.weight, std=0.5)
        nn.init.zeros_(self.halt.weight)
        nn.init.constant_(self.halt.bias, -1.0)  # four steps at first

    def forward(self, sentences: Tensor, real: Tensor) -> Thought:
        """sentences (batch, position, word) of ids, padded with `vocabulary`: the question first,
        then the facts from the last to the first; real (batch, position) is False where there is
        no sentence."""
        there = (sentences < self.config.vocabulary)[..., None]
        words = self.embedding(sentences) * there  # (batch, position, word, width)
        places = self.word_place[: sentences.shape[-1]]
        states = (words * places).sum(-2)  # section 3.1: a learned mask for each place of a word
        where = self.place[: states.shape[1]]
        mask = real[:, None, None]  # (batch, 1, 1, key)
        total = states.new_zeros(states.shape[:2])  # of halting probabilities
        running = real.clone()
        output = torch.zeros_like(states)
        weights, attention = [], []
        for step in range(self.config.steps):
            changed, looked = self.block(states + where + self.time[step], mask)
            states = torch.where(running[..., None], changed, states)  # who has halted is copied
            chance = self.halt(states)[..., 0].sigmoid().float()
            weight, total, running = halted(
                chance, total, running, last=step == self.config.steps - 1
            )
            output = output + weight[..., None] * states
            weights.append(weight)
            attention.append(looked)
            if not bool(running.any()):
                break
        return Thought(
            self.answer(output[:, 0]), halting(torch.stack(weights, 1)), tuple(attention)
        )

    def block(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        keys, values = self.attention.project(states)
        read, looked = self.attention(states, keys, values, mask)
        states = self.attention_norm(states + read)  # eq. 4
        return self.transition_norm(states + self.transition(states)), looked  # eq. 5


def halted(
    chance: Tensor, total: Tensor, running: Tensor, *, last: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """One step of adaptive computation time: (weight, total, running) after it, (batch, position).

    The step that would bring the sum to 1 - epsilon is the last, and has what is left to one as
    its weight (Graves 2016, eq. 4 to 6).
    """
    ends = running if last else running & (total + chance > ENOUGH)
    weight = torch.where(ends, 1 - total, chance) * running
    return weight, total + weight, running & ~ends


def halting(weights: Tensor) -> Halting:
    """From the weights (batch, step, position)."""
    used = weights > 0
    steps = used.sum(1)
    last = (steps - 1).clamp_min(0)[:, None]
    return Halting(weights, steps, weights.gather(1, last)[:, 0])

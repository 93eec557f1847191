"""The LSTM network of Cheng et al. 2016: an LSTM that keeps a tape of its states and attends to it.

    a_i = v . tanh(W_h h_i + W_x x_t + W_r r_{t-1})        scores of the states so far     eq. 4
    s   = softmax(a)                                       weights                         eq. 5
    [r_t; m_t] = sum_i s_i [h_i; c_i]                      what is read from the tape      eq. 6
    i, f, g, o = W [r_t, x_t]                              gates and candidate             eq. 7
    c_t = f * m_t + i * g,   h_t = o * tanh(c_t)           the new states, onto the tape   eq. 8, 9

r_t and m_t are written h and c with a tilde in the paper. With a tape of one state there is nothing
to choose, and it is a plain LSTM.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn


@dataclass(frozen=True, slots=True, kw_only=True)
class LSTMNConfig:
    vocabulary: int
    start: int  # the token that is read before the first word; it does not stay on the tape
    width: int = 224
    tape: int = 64  # states that are kept, the last ones; 1 is a plain LSTM


class Tape(NamedTuple):
    """One state each, or all of them with a token axis before the last."""

    hidden: Tensor  # h_i (batch, width)
    memory: Tensor  # c_i (batch, width)
    key: Tensor  # W_h h_i (batch, width)


class Reading(NamedTuple):
    states: Tensor  # h after the start and after each token (batch, 1 + token, width)
    scores: tuple[Tensor, ...]  # a of each token, over the states on the tape (batch, key)


class LSTMN(nn.Module):
    """A language model with one such layer; input and output share their table of vectors."""

    def __init__(self, config: LSTMNConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.token = nn.Embedding(config.vocabulary, width)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary))
        self.read = nn.Linear(width, 4 * width)  # the part of W in eq. 7 that meets x_t
        self.recall = nn.Linear(width, 4 * width, bias=False)  # and the one that meets r_t
        self.key = nn.Linear(width, width, bias=False)  # W_h
        self.ask = nn.Linear(width, width)  # W_x
        self.asked = nn.Linear(width, width, bias=False)  # W_r
        self.vector = nn.Parameter(torch.randn(width) / width**0.5)  # v
        nn.init.normal_(self.token.weight, std=width**-0.5)
        nn.init.orthogonal_(self.recall.weight)
        nn.init.ones_(self.read.bias[width : 2 * width])  # begin by remembering

    def forward(self, ids: Tensor) -> Reading:
        """Read ids (batch, token) after the start token."""
        batch, length = ids.shape
        start = ids.new_full((batch, 1), self.config.start)
        x = self.token(torch.cat((start, ids), 1))  # (batch, 1 + token, width)
        inputs, asks = self.read(x).unbind(1), self.ask(x).unbind(1)
        empty = x.new_zeros(batch, self.config.width)
        states = [self.step(inputs[0], empty, empty)]
        tape: list[Tape] = []
        scores = [x.new_zeros(batch, 0)]  # the tape is empty when the first token is read
        recalled, memory = states[0].hidden, states[0].memory  # which follows the start
        for t in range(1, length + 1):
            if tape:
                seen = Tape(*(torch.stack(part, 1) for part in zip(*tape, strict=True)))
                scores.append(self.scores(asks[t] + self.asked(recalled), seen.key))
                recalled, memory = recall(scores[-1].softmax(-1), seen)
            states.append(self.step(inputs[t], recalled, memory))
            tape = [*tape, states[-1]][-self.config.tape :]
        return Reading(torch.stack([state.hidden for state in states], 1), tuple(scores))

    def scores(self, asked: Tensor, keys: Tensor) -> Tensor:
        """a_i of the states on the tape (batch, key), eq. 4."""
        return (keys + asked[:, None]).tanh() @ self.vector

    def step(self, x: Tensor, recalled: Tensor, memory: Tensor) -> Tape:
        """From W x_t and what was read from the tape to the next state, eq. 7 to 9."""
        i, f, g, o = (x + self.recall(recalled)).chunk(4, -1)
        memory = f.sigmoid() * memory + i.sigmoid() * g.tanh()
        hidden = o.sigmoid() * memory.tanh()
        return Tape(hidden, memory, self.key(hidden))

    def logits(self, states: Tensor) -> Tensor:
        """For the token after each state (..., vocabulary)."""
        return states @ self.token.weight.T + self.bias

    def nats(self, ids: Tensor) -> Tensor:
        """-log p(x_i | x_1 .. x_{i-1}) of each token (batch, token)."""
        logits = self.logits(self(ids).states[:, :-1])
        return nn.functional.cross_entropy(logits.mT, ids, reduction="none")


def recall(weights: Tensor, tape: Tape) -> tuple[Tensor, Tensor]:
    """r_t and m_t by weights (batch, key), eq. 6."""
    return (weights[:, None] @ tape.hidden)[:, 0], (weights[:, None] @ tape.memory)[:, 0]

"""RNNsearch, the model of Bahdanau et al. 2015: one GRU that looks before every word it writes.

    encoder   h_1 .. h_S = biGRU(x)                          section 3.2, both readers joined
    start     s_0 = tanh(W h_1)                              A.2.2, from the backward reader
    attention e_tj = v . tanh(W s_{t-1} + U h_j)             A.1.2, asked before y_{t-1} is read
              c_t = sum_j a_tj h_j,  a_t = softmax(e_t)      eq. 5 and 6
    decoder   s_t = GRU(s_{t-1}, [y_{t-1}; c_t])             eq. 3
    readout   p(y_t) = softmax(E maxout(W [s_t; y_{t-1}; c_t]))   eq. 4, maxout as in A.2.2

Every step needs the context of the step before, so a sentence is written word by word even in
training. Here the output layer is the embedding again (Press and Wolf 2017).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from viz_core import attention
from viz_core.models.blocks import read_both_ways
from viz_core.models.rnn import AS_TRAINED, Look, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class RNNSearchConfig:
    vocabulary: int
    embedding: int = 256
    width: int = 512  # of the decoder, and of both readers joined
    max_length: int = 128
    dropout: float = 0.15
    pad: int = 0


class Memory(NamedTuple):
    """What the decoder may look at: one row per source sentence."""

    states: Tensor  # (batch, key, width)
    mask: Tensor  # (batch, key), True for real tokens
    summary: Tensor  # (batch, width), s_0
    keys: Tensor  # (batch, key, width), U h_j: the same at every step

    def repeat(self, times: int) -> Memory:
        return Memory(*(part.expand(times, *part.shape[1:]) for part in self))


class RNNSearch(nn.Module):
    recurrent = True  # a reader with states; what a view may change is a Look

    def __init__(self, config: RNNSearchConfig) -> None:
        super().__init__()
        self.config = config
        width, half = config.width, config.width // 2
        self.embedding = nn.Embedding(config.vocabulary, config.embedding, config.pad)
        self.encoder = nn.GRU(config.embedding, half, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(half, width)
        self.score = attention.Additive(width, config.max_length)
        self.decoder = nn.GRUCell(config.embedding + width, width)
        self.readout = nn.Linear(2 * width + config.embedding, 2 * config.embedding)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary))
        self.dropout = nn.Dropout(config.dropout)
        nn.init.normal_(self.embedding.weight, std=config.embedding**-0.5)

    def encode(self, source: Tensor) -> Memory:
        mask = source != self.config.pad  # (batch, key)
        embedded = self.dropout(self.embedding(source))
        states, last = read_both_ways(self.encoder, embedded, mask)
        return Memory(states, mask, self.bridge(last[1]).tanh(), self.score.project(states))

    def start(self, source: Tensor) -> tuple[Memory, tuple[Tensor, ...]]:
        memory = self.encode(source)
        return memory, (memory.summary,)

    def decode(
        self, memory: Memory, state: tuple[Tensor, ...], tokens: Tensor, look: Look = AS_TRAINED
    ) -> Step:
        """Read tokens (batch, query) on from state, one after the other."""
        (hidden,) = state
        embedded = self.dropout(self.embedding(tokens))
        mask = memory.mask.unsqueeze(1)  # (batch, 1, key)
        queries, states, contexts, weights = [], [], [], []
        for place, word in enumerate(embedded.unbind(1)):
            queries.append(hidden)
            if look.weights is None:
                scores = self.score.compare(hidden.unsqueeze(1), memory.keys) / look.temperature
                context, row = attention.attend(scores, memory.states, mask)
            else:
                row = look.weights[:, place : place + 1]
                context = row @ memory.states
            hidden = self.decoder(torch.cat((word, context[:, 0]), -1), hidden)
            states.append(hidden)
            contexts.append(context[:, 0])
            weights.append(row[:, 0])
        context = torch.stack(contexts, 1)
        told = self.readout(
            self.dropout(torch.cat((torch.stack(states, 1), embedded, context), -1))
        )
        features = told.unflatten(-1, (-1, 2)).amax(-1)  # (batch, query, embedding)
        return Step(features, torch.stack(weights, 1), (hidden,), None, torch.stack(queries, 1))

    def logits(self, features: Tensor) -> Tensor:
        return nn.functional.linear(features, self.embedding.weight, self.bias)

    def forward(self, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        """Teacher forcing: features (batch, query, embedding) and weights (batch, query, key)."""
        memory, state = self.start(source)
        step = self.decode(memory, state, target)
        return step.features, step.weights

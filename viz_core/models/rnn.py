"""The recurrent translator: a bidirectional GRU reads, two GRUs write, attention in between.

    encoder   h_1 .. h_S = biGRU(x)                    what is known about each source token
    reader    s_t = GRU(y_{t-1}, s_{t-1})              what has been written so far: the query
    attention c_t = sum_s a_ts h_s,  a_t = align(s_t, h)
    writer    w_t = GRU([s_t; c_t], w_{t-1})           what to say next
    readout   p(y_t) = softmax(E W [w_t; c_t; y_{t-1}])

In Bahdanau et al. 2015 one GRU is reader and writer at once. Parting them (as GNMT does, Wu et al.
2016) lets training compute all queries of a sentence before all contexts, several times faster;
here the query has read y_{t-1} already, where his has not. His own model is in rnn_search.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

from viz_core import attention
from viz_core.models.blocks import read_both_ways

Attention = Literal[
    "none", "additive", "dot", "scaled-dot", "general", "content", "location", "local-m", "local-p"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RNNConfig:
    vocabulary: int
    attention: Attention
    embedding: int = 128
    width: int = 256
    reach: int = 4  # D of local attention: how far the window goes to each side of its centre
    max_length: int = 128
    dropout: float = 0.1
    pad: int = 0


class Memory(NamedTuple):
    """What the decoder may look at: one row per source sentence."""

    states: Tensor  # (batch, key, width)
    mask: Tensor  # (batch, key), True for real tokens
    summary: Tensor  # (batch, 2 * width), the first states of reader and writer

    def repeat(self, times: int) -> Memory:
        return Memory(*(part.expand(times, *part.shape[1:]) for part in self))


class Look(NamedTuple):
    """What a view may change about the attention of a running model; None is as trained."""

    temperature: float = 1.0  # divides the scores before the softmax
    reach: float | None = None  # D
    sigma: float | None = None
    centres: Tensor | None = None  # (batch, query)
    weights: Tensor | None = None  # (batch, query, key), in place of those that it finds


AS_TRAINED = Look()


class Local(NamedTuple):
    """The parts of a local attention step, apart: weights = align * gaussian."""

    content: Tensor  # (batch, query, key), softmax inside the window
    centres: Tensor  # (batch, query)


class Step(NamedTuple):
    features: Tensor  # (batch, query, embedding), ready for the output layer
    weights: Tensor  # (batch, query, key)
    state: tuple[Tensor, ...]
    local: Local | None
    query: Tensor  # (batch, query, width)


class RNN(nn.Module):
    recurrent = True  # a reader with states; what a view may change is a Look

    def __init__(self, config: RNNConfig) -> None:
        super().__init__()
        self.config = config
        width, half = config.width, config.width // 2
        self.embedding = nn.Embedding(config.vocabulary, config.embedding, config.pad)
        self.encoder = nn.GRU(config.embedding, half, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(width, 2 * width)
        self.reader = nn.GRU(config.embedding, width, batch_first=True)
        self.writer = nn.GRU(2 * width, width, batch_first=True)
        self.readout = nn.Linear(2 * width + config.embedding, config.embedding)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary))
        self.dropout = nn.Dropout(config.dropout)
        self.is_local = config.attention.startswith("local")
        score = "general" if self.is_local else config.attention
        self.score = None if score == "none" else attention.SCORES[score](width, config.max_length)
        self.centre = attention.Centre(width) if config.attention == "local-p" else None
        nn.init.normal_(self.embedding.weight, std=config.embedding**-0.5)

    def encode(self, source: Tensor) -> Memory:
        mask = source != self.config.pad  # (batch, key)
        embedded = self.dropout(self.embedding(source))
        states, last = read_both_ways(self.encoder, embedded, mask)
        summary = self.bridge(torch.cat((last[0], last[1]), dim=-1)).tanh()
        return Memory(states, mask, summary)

    def start(self, source: Tensor) -> tuple[Memory, tuple[Tensor, ...]]:
        memory = self.encode(source)
        reader, writer = memory.summary.chunk(2, dim=-1)
        steps = memory.summary.new_zeros(len(reader), 1)  # target tokens written so far
        return memory, (reader, writer, steps)

    def attend(
        self,
        query: Tensor,
        memory: Memory,
        steps: Tensor,
        look: Look,
    ) -> tuple[Tensor, Tensor, Local | None]:
        mask = memory.mask.unsqueeze(1)  # (batch, 1, key)
        if self.score is None:  # plain seq2seq: the summary is all that the decoder gets
            nothing = torch.zeros_like(query)
            return nothing, query.new_zeros(*query.shape[:2], mask.shape[-1]), None
        if look.weights is not None:
            return look.weights @ memory.states, look.weights, None
        scores = self.score(query, memory.states) / look.temperature
        if not self.is_local:
            return *attention.attend(scores, memory.states, mask), None
        lengths = memory.mask.sum(1).to(query.dtype)
        centres = look.centres
        if centres is None:
            centres = self.centres(query, lengths, steps)
        reach = self.config.reach if look.reach is None else max(look.reach, 0.5)  # never empty
        positions = torch.arange(mask.shape[-1], dtype=query.dtype)
        inside = attention.window_mask(positions, centres, reach) & mask
        _, align = attention.attend(scores, memory.states, inside)
        weights = align
        if self.centre is not None:  # eq. 10: only the predictive window has the Gaussian
            weights = align * attention.gaussian(positions, centres, look.sigma or reach / 2)
        return weights @ memory.states, weights, Local(align, centres)

    def centres(self, query: Tensor, lengths: Tensor, steps: Tensor) -> Tensor:
        """Where to look: local-p predicts it; local-m takes the step itself (section 3.2)."""
        last = lengths.unsqueeze(-1) - 1
        if self.centre is not None:
            return torch.minimum(self.centre(query, lengths), last)
        return torch.minimum(steps, last)  # (batch, query)

    def decode(
        self, memory: Memory, state: tuple[Tensor, ...], tokens: Tensor, look: Look = AS_TRAINED
    ) -> Step:
        """Read tokens (batch, query) on from state; all steps at once."""
        reader, writer, steps = state
        embedded = self.dropout(self.embedding(tokens))
        query, reader = self.reader(embedded, reader.unsqueeze(0))
        steps = steps + torch.arange(tokens.shape[1], dtype=steps.dtype)  # (batch, query)
        context, weights, parts = self.attend(query, memory, steps, look)
        written, writer = self.writer(torch.cat((query, context), -1), writer.unsqueeze(0))
        features = self.readout(self.dropout(torch.cat((written, context, embedded), -1)))
        return Step(features, weights, (reader[0], writer[0], steps[:, -1:] + 1), parts, query)

    def logits(self, features: Tensor) -> Tensor:
        """The output layer is the embedding again (Press and Wolf 2017)."""
        return nn.functional.linear(features, self.embedding.weight, self.bias)

    def forward(self, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        """Teacher forcing: features (batch, query, embedding) and weights (batch, query, key)."""
        memory, state = self.start(source)
        step = self.decode(memory, state, target)
        return step.features, step.weights

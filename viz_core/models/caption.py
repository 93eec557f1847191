"""Show, attend and tell: an LSTM that writes a caption and looks at the picture for every word.

    e_ti = f_att(a_i, h_{t-1}),  a_t = softmax(e_t)        Xu et al. 2015, eq. 4 and 5
    soft   z_t = b_t sum_i a_ti a_i                         eq. 13, b_t = sigmoid(f_b(h_{t-1}))
    hard   z_t = a_i of one place i, drawn from a_t         eq. 8 and 9
    i, f, o, g = T [E y_{t-1}; h_{t-1}; z_t]                eq. 1 to 3
    p(y_t) = softmax(L_o (E y_{t-1} + L_h h_t + L_z z_t))   eq. 7

The annotation vectors a_i are made from those of the encoder's last block, a grid of 7 x 7, by one
learnt layer; L_o is the embedding again (Press and Wolf 2017). The paper has a grid of 14 x 14 of
the vectors as they are, and two matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

from viz_core.models.efficientnet import DEEP, EfficientNetLite

Attention = Literal["soft", "hard"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionConfig:
    vocabulary: int
    attention: Attention = "soft"
    annotation: int = 256  # numbers of a place
    embedding: int = 192
    width: int = 320
    inner: int = 128  # of f_att
    dropout: float = 0.4


class Picture(NamedTuple):
    """What the writer may look at; one row for each caption."""

    annotations: Tensor  # a (batch, place, annotation)
    keys: Tensor  # the part of f_att that does not change (batch, place, inner)

    def rows(self, chosen: Tensor) -> Picture:
        return Picture(self.annotations[chosen], self.keys[chosen])


class Look(NamedTuple):
    context: Tensor  # z (batch, annotation)
    weights: Tensor  # (batch, place), summing to one
    place: Tensor | None  # (batch,): hard attention's one place


class Step(NamedTuple):
    features: Tensor  # (batch, embedding), ready for the output layer
    look: Look
    state: tuple[Tensor, Tensor]  # h, c (batch, width)


class Captioner(nn.Module):
    def __init__(self, config: CaptionConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = EfficientNetLite().requires_grad_(False)  # it stays as it was published
        self.norm = nn.LayerNorm(DEEP)
        self.annotate = nn.Linear(DEEP, config.annotation)
        self.key = nn.Linear(config.annotation, config.inner)
        self.query = nn.Linear(config.width, config.inner, bias=False)
        self.score = nn.Linear(config.inner, 1, bias=False)
        self.gate = nn.Linear(config.width, 1)
        self.embedding = nn.Embedding(config.vocabulary, config.embedding)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary))
        self.first = nn.Linear(config.annotation, 2 * config.width)
        self.word = nn.Linear(config.embedding, 4 * config.width)
        self.rest = nn.Linear(config.width + config.annotation, 4 * config.width, bias=False)
        self.out_state = nn.Linear(config.width, config.embedding)
        self.out_context = nn.Linear(config.annotation, config.embedding, bias=False)
        self.dropout = nn.Dropout(config.dropout)
        nn.init.normal_(self.embedding.weight, std=config.embedding**-0.5)

    def see(self, deep: Tensor) -> Picture:
        """The encoder's last block (batch, place, 320) -> what can be looked at."""
        annotations = self.dropout(self.annotate(self.norm(deep)).relu())
        return Picture(annotations, self.key(annotations))

    def start(self, picture: Picture) -> tuple[Tensor, Tensor]:
        """h_0 and c_0 from the mean of all places."""
        h, c = self.first(picture.annotations.mean(1)).tanh().chunk(2, -1)
        return h, c

    def look(
        self,
        picture: Picture,
        h: Tensor,
        chance: torch.Generator | None = None,
        given: Tensor | None = None,
    ) -> Look:
        """Where to look, having written so far. Hard attention takes a place by chance, or without
        it the one of the largest weight; weights that are `given` (batch, place) are obeyed."""
        scores = self.score((picture.keys + self.query(h)[:, None]).tanh())[..., 0]  # eq. 4
        weights = scores.float().softmax(-1) if given is None else given  # eq. 5
        if self.config.attention == "hard":
            place = weights.argmax(-1) if chance is None else drawn(weights, chance)
            rows = torch.arange(len(place))
            return Look(picture.annotations[rows, place], weights, place)  # eq. 9
        return Look(self.expected(picture, h, weights), weights, None)

    def expected(self, picture: Picture, h: Tensor, weights: Tensor) -> Tensor:
        """b_t sum_i a_ti a_i, eq. 13."""
        context = (weights[:, None].to(picture.annotations.dtype) @ picture.annotations)[:, 0]
        return self.gate(h).sigmoid() * context

    def write(self, word: Tensor, state: tuple[Tensor, Tensor], look: Look) -> Step:
        """One step of the LSTM, eq. 1 to 3, with E y_{t-1} embedded."""
        h, c = state
        gates = self.word(word) + self.rest(torch.cat((h, look.context), -1))
        i, f, o, g = gates.float().chunk(4, -1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        return Step(word + self.out_state(h) + self.out_context(look.context), look, (h, c))

    def logits(self, features: Tensor) -> Tensor:
        return nn.functional.linear(self.dropout(features), self.embedding.weight, self.bias)

    def forward(
        self,
        picture: Picture,
        state: tuple[Tensor, Tensor],
        tokens: Tensor,
        chance: torch.Generator | None = None,
        given: Tensor | None = None,
    ) -> Step:
        """The next step after tokens (batch,) were written last."""
        look = self.look(picture, state[0], chance, given)
        return self.write(self.embedding(tokens), state, look)


def drawn(weights: Tensor, chance: torch.Generator) -> Tensor:
    """s_t ~ Multinoulli(a_t), eq. 8: places (batch,)."""
    return torch.multinomial(weights, 1, generator=chance)[:, 0]

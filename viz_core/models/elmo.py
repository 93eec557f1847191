"""ELMo (Peters et al. 2018): two language models, one in each direction, and all of their layers.

    L = - sum_i (log p(x_i | x_1 .. x_{i-1}) + log p(x_i | x_{i+1} .. x_n))       section 3.1
    h_ij = [forward_ij; backward_ij],   h_i0 = [x_i; x_i]                         section 3.2
    ELMo_i = gamma sum_j s_j h_ij                                                 eq. 1

Other than in the paper a token is a piece of a word with a vector of its own, not read from its
characters, and the output layer uses the same table of vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn


@dataclass(frozen=True, slots=True, kw_only=True)
class ELMoConfig:
    vocabulary: int
    start: int  # read before the first token, by the forward model
    end: int  # and before the last one, by the backward model
    width: int = 256  # of a token's vector, and of the state of either direction
    layers: int = 2


class Reading(NamedTuple):
    """States of every layer, token vectors first, of the start, the tokens and the end."""

    forward: Tensor  # (layer, batch, token + 2, width)
    backward: Tensor  # (layer, batch, token + 2, width)


class ELMo(nn.Module):
    def __init__(self, config: ELMoConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.token = nn.Embedding(config.vocabulary, width)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary))
        self.forwards, self.backwards = (
            nn.ModuleList(nn.LSTM(width, width, batch_first=True) for _ in range(config.layers))
            for _ in range(2)
        )
        nn.init.normal_(self.token.weight, std=width**-0.5)

    def forward(self, ids: Tensor) -> Reading:
        """Read ids (batch, token), between a start and an end, from both sides."""
        mark = ids.new_ones(len(ids), 1)
        x = self.token(torch.cat((mark * self.config.start, ids, mark * self.config.end), 1))
        return Reading(stacked(self.forwards, x), stacked(self.backwards, x.flip(1)).flip(2))

    def layer_states(self, ids: Tensor) -> Tensor:
        """h_ij of ids (batch, token) that begin with the start and end with the end (layer, batch,
        token, 2 width)."""
        return torch.cat(self(ids[:, 1:-1]), -1)

    def logits(self, states: Tensor) -> Tensor:
        """For the token that follows each state in its direction (..., vocabulary)."""
        return states @ self.token.weight.T + self.bias

    def nats(self, ids: Tensor) -> Tensor:
        """-log p(x_i | x_1 .. x_{i-1}) of each token (batch, token)."""
        return surprise(self.logits(before(self(ids))), ids)

    def both_nats(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """The two parts of the loss for each token (batch, token): forward, backward."""
        read = self(ids)
        return surprise(self.logits(before(read)), ids), surprise(self.logits(after(read)), ids)


def before(read: Reading) -> Tensor:
    """The forward states of the last layer from which each token is told (batch, token, width)."""
    return read.forward[-1][:, :-2]


def after(read: Reading) -> Tensor:
    """The backward ones: those of the tokens that come next (batch, token, width)."""
    return read.backward[-1][:, 2:]


def stacked(readers: nn.ModuleList, x: Tensor) -> Tensor:
    """Layers above each other; each adds to what the one below says (section 3.4: residual)."""
    states = [x]
    for number, reader in enumerate(readers):
        found, _ = reader(states[-1])
        states.append(found + states[-1] if number else found)
    return torch.stack(states)  # (layer, batch, token, width)


def surprise(logits: Tensor, ids: Tensor) -> Tensor:
    return nn.functional.cross_entropy(logits.mT, ids, reduction="none")  # (batch, token)

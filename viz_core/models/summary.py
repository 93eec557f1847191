"""A Transformer that may copy: the pointer-generator of See et al. 2017 on its cross-attention."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from viz_core.models.transformer import Step, Transformer, TransformerConfig


class Pointed(NamedTuple):
    """Two ways to the next token, and how likely the second is."""

    weights: Tensor  # (batch, query, key): where it would copy from
    copies: Tensor  # (batch, query): p_copy, See et al.'s 1 - p_gen


class Summariser(Transformer):
    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        self.mixture = nn.Parameter(torch.zeros(config.decoder_layers, config.heads))
        self.gate = nn.Linear(config.width, 1)

    def point(self, step: Step) -> Pointed:
        """See et al. 2017, eq. 8, from the decoder's last state alone.

        Their one attention is here a mixture of all cross-attention heads, whose shares are
        learned: a = sum_lh softmax(m)_lh a_lh, which still sums to one.
        """
        share = self.mixture.flatten().softmax(0).view_as(self.mixture)  # (layer, head)
        weights = torch.einsum("lh,blhqk->bqk", share, step.weights.float())
        return Pointed(weights, self.gate(step.features).squeeze(-1).float().sigmoid())

    def probabilities(self, step: Step, source: Tensor, astray: Tensor | None = None) -> Tensor:
        """Eq. 9: P(w) = p_gen P_vocab(w) + (1 - p_gen) sum_{j: x_j = w} a_j, for every w.

        Places that are `astray` (batch, query, key) are not copied from.
        """
        pointed = self.point(step)
        written = self.logits(step.features).float().softmax(-1) * (1 - pointed.copies)[..., None]
        copied = pointed.weights * pointed.copies[..., None]  # (batch, query, key)
        copied = copied if astray is None else copied.masked_fill(astray, 0.0)
        at = source[:, None].expand(*copied.shape)
        return written.scatter_add(-1, at, copied)  # (batch, query, vocabulary)

    def probability_of(self, step: Step, source: Tensor, wanted: Tensor) -> Tensor:
        """Eq. 9 for one token w at each step, (batch, query): all that training asks for."""
        pointed = self.point(step)
        logits = self.logits(step.features).float()
        written = logits.gather(-1, wanted[..., None])[..., 0] - logits.logsumexp(-1)
        same = source[:, None] == wanted[..., None]  # (batch, query, key)
        copied = (pointed.weights * same).sum(-1)
        return written.exp() * (1 - pointed.copies) + copied * pointed.copies

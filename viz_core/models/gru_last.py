"""A plain reader: one GRU from the first word to the last, and its last state has to say it all.

h_t = GRU(w_t, h_{t-1})                                      Cho et al. 2014
p = softmax(W_c h_T + b_c)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from viz_core.models.han import LABELS
from viz_core.text.document import PAD


@dataclass(frozen=True, slots=True, kw_only=True)
class GRULastConfig:
    words: int
    width: int = 50
    units: int = 100
    dropout: float = 0.3
    labels: tuple[str, ...] = LABELS


def side_by_side(documents: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Ids (document, word) with padding behind them, and the place of each last word."""
    last = torch.tensor([len(one) - 1 for one in documents])
    return pad_sequence(list(documents), batch_first=True, padding_value=PAD), last


class Running(NamedTuple):
    logits: Tensor  # (document, word, label): the answer if the document ended at this word
    states: Tensor  # (document, word, units)


class GRULast(nn.Module):
    def __init__(self, config: GRULastConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.words, config.width)
        self.reader = nn.GRU(config.width, config.units, batch_first=True)
        self.answer = nn.Linear(config.units, len(config.labels))
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, ids: Tensor) -> Running:
        """Words (document, word), padding behind them: what comes later does not reach back."""
        states, _ = self.reader(self.dropout(self.embedding(ids)))
        return Running(self.answer(self.dropout(states)), states)

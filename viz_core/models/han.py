"""The hierarchical attention network: words make a sentence, sentences make a document.

h_it = [GRU forward; GRU backward](w_it)                     Yang et al. 2016, eq. 1 to 4
u_it = tanh(W_w h_it + b_w)                                  eq. 5
a_it = exp(u_it u_w) / sum_t exp(u_it u_w)                   eq. 6
s_i  = sum_t a_it h_it                                       eq. 7
and the same over the sentences s_i, to a document v         eq. 8 to 10
p = softmax(W_c v + b_c)                                     eq. 11
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from viz_core.attention import attend
from viz_core.models.blocks import read_both_ways
from viz_core.text.document import PAD

LABELS = ("negative", "positive")


@dataclass(frozen=True, slots=True, kw_only=True)
class HANConfig:
    words: int
    width: int = 50  # of a word's vector
    units: int = 50  # of a GRU, each way
    dropout: float = 0.3
    labels: tuple[str, ...] = LABELS


class Documents(NamedTuple):
    """A batch: all its sentences in one list, and which of them make each document."""

    ids: Tensor  # (sentence, word)
    mask: Tensor  # (sentence, word): True for real words
    order: Tensor  # (document, sentence): places in that list
    present: Tensor  # (document, sentence): True for real sentences


def together(documents: Sequence[Sequence[Tensor]]) -> Documents:
    """Documents, each a list of sentences, each the numbers of its words; none is empty."""
    flat = [sentence for sentences in documents for sentence in sentences]
    ids = pad_sequence(flat, batch_first=True, padding_value=PAD)
    places = torch.arange(len(flat)).split([len(sentences) for sentences in documents])
    order = pad_sequence(list(places), batch_first=True)
    present = pad_sequence([torch.ones_like(one).bool() for one in places], batch_first=True)
    return Documents(ids, ids != PAD, order, present)


class Level(NamedTuple):
    """One level of the hierarchy: words of a sentence, or sentences of a document."""

    states: Tensor  # h (batch, key, 2 units)
    scores: Tensor  # u_it u_w (batch, key), before the softmax
    weights: Tensor  # a (batch, key)
    summary: Tensor  # s or v (batch, 2 units)


class Reading(NamedTuple):
    logits: Tensor  # (document, label)
    words: Level  # (sentence, word)
    sentences: Level  # (document, sentence)


class Attention(nn.Module):
    """Eq. 5 to 7: states are compared with one learned vector, "which word tells most?"."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(width, width)
        self.context = nn.Parameter(torch.randn(width) / width**0.5)  # u_w

    def forward(self, states: Tensor, mask: Tensor) -> Level:
        scores = self.hidden(states).tanh() @ self.context  # (batch, key)
        summary, weights = attend(scores[:, None], states, mask[:, None])
        return Level(states, scores, weights[:, 0], summary[:, 0])


class HAN(nn.Module):
    def __init__(self, config: HANConfig) -> None:
        super().__init__()
        self.config = config
        both = 2 * config.units
        self.embedding = nn.Embedding(config.words, config.width)
        self.word_reader = nn.GRU(config.width, config.units, batch_first=True, bidirectional=True)
        self.word_attention = Attention(both)
        self.sentence_reader = nn.GRU(both, config.units, batch_first=True, bidirectional=True)
        self.sentence_attention = Attention(both)
        self.answer = nn.Linear(both, len(config.labels))
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, batch: Documents) -> Reading:
        embedded = self.dropout(self.embedding(batch.ids))
        states, _ = read_both_ways(self.word_reader, embedded, batch.mask)
        words = self.word_attention(states, batch.mask)
        return self.judge(words, batch.order, batch.present)

    def judge(self, words: Level, order: Tensor, present: Tensor) -> Reading:
        """From sentences that were read to documents: any choice of them, in any order."""
        rows = self.dropout(words.summary)[order]  # (document, sentence, 2 units)
        states, _ = read_both_ways(self.sentence_reader, rows, present)
        sentences = self.sentence_attention(states, present)
        return Reading(self.answer(self.dropout(sentences.summary)), words, sentences)

"""RNNsearch that begins with a smaller translator reads the English as that one does."""

from __future__ import annotations

import torch

from tests.tiny import tokenizer
from viz_core.models.rnn import RNN, RNNConfig
from viz_core.models.rnn_search import RNNSearch, RNNSearchConfig
from viz_core.training import growth, growth_rnn
from viz_core.training.growth_rnn import twice

SOURCE = torch.tensor([[5, 6, 7, 8, 3], [9, 10, 3, 0, 0]])


@torch.no_grad()
def test_both_readers_and_the_keys_say_the_same_twice(monkeypatch):
    monkeypatch.setattr(growth, "NOISE", 0.0)
    spelling = tokenizer()
    shape = RNNConfig(vocabulary=spelling.size, attention="additive", embedding=6, width=8)
    small = RNN(shape).eval()
    large = RNNSearch(
        RNNSearchConfig(vocabulary=spelling.size, embedding=12, width=16, dropout=0.0)
    ).eval()
    growth_rnn.grow(small, spelling, large, spelling)
    read, wider = small.encode(SOURCE), large.encode(SOURCE)
    assert torch.allclose(wider.states, twice(read.states, 2), atol=1e-5)
    query = torch.randn(2, 3, 8)
    scores = large.score.compare(twice(query, 2), wider.keys)
    assert torch.allclose(scores, small.score(query, read.states), atol=1e-5)

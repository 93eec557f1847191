"""The table of word vectors against a search by hand."""

import numpy as np
import torch

from viz_core.models.word_vectors import WordVectors, WordVectorsConfig


def test_cosines_are_those_of_numpy_whatever_the_lengths():
    torch.manual_seed(1)
    model = WordVectors(WordVectorsConfig(words=30, width=5)).requires_grad_(False)
    table = model.table.weight.double().numpy()
    query = torch.randn(4, 5)
    cosines = model(7.5 * query).numpy()
    for row, one in zip(cosines, query.double().numpy(), strict=True):
        for word, cosine in zip(table, row, strict=True):
            wanted = one @ word / np.linalg.norm(one) / np.linalg.norm(word)
            assert abs(wanted - cosine) < 1e-5


def test_a_word_without_any_number_is_near_to_nothing():
    model = WordVectors(WordVectorsConfig(words=2, width=3)).requires_grad_(False)
    model.table.weight.data[0] = 0
    assert torch.equal(model(torch.ones(3))[0], torch.tensor(0.0))

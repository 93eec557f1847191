"""word2vec's skip-gram with negative sampling (Mikolov et al. 2013b, equation 4), by hand.

For a word w, a word c beside it and k words n drawn at random:

    loss = - log s(v_w u_c) - sum_n log s(- v_w u_n),      s(x) = 1 / (1 + exp(-x))

Each word has two vectors: v as a centre, u as a neighbour. Numpy alone: a visitor's text is learned
in a second, and each gradient is one line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


class Gradients(NamedTuple):
    loss: float  # mean over the pairs
    centres: Floats  # (word, width)
    neighbours: Floats  # (word, width)


def sigmoid(x: Floats) -> Floats:
    return 0.5 * (1 + np.tanh(x / 2))


def log_sigmoid(x: Floats) -> Floats:
    return -np.logaddexp(0, -x)


def gradients(
    centres: Floats, neighbours: Floats, words: Numbers, beside: Numbers, drawn: Numbers
) -> Gradients:
    """The loss of a batch and where it falls: words and beside (pair,), drawn (pair, k)."""
    others = np.concatenate((beside[:, None], drawn), axis=1)  # (pair, 1 + k)
    v, u = centres[words], neighbours[others]
    scores = np.einsum("pd,pkd->pk", v, u)
    signs = np.where(np.arange(scores.shape[1]) == 0, 1.0, -1.0)  # + beside it, - drawn
    loss = -log_sigmoid(signs * scores).sum() / len(words)
    pull = (sigmoid(scores) - (signs > 0)) / len(words)  # d loss / d score
    to_centres, to_neighbours = np.zeros_like(centres), np.zeros_like(neighbours)
    np.add.at(to_centres, words, np.einsum("pk,pkd->pd", pull, u))
    np.add.at(to_neighbours, others, pull[:, :, None] * v[:, None, :])
    return Gradients(float(loss), to_centres, to_neighbours)

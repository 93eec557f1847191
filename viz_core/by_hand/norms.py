"""Layer norm, batch norm and a gate, on numbers that fit on a slide."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from viz_core.by_hand.attention import Numbers


def layer_norm(values: Numbers, epsilon: float = 1e-5) -> Numbers:
    """Ba et al. 2016: each row by its own mean and variance."""
    return _standard(values, 1, epsilon)


def batch_norm(values: Numbers, epsilon: float = 1e-5) -> Numbers:
    """Ioffe and Szegedy 2015, while training: each column by its mean and variance in the batch."""
    return _standard(values, 0, epsilon)


def _standard(values: Numbers, axis: int, epsilon: float) -> Numbers:
    mean, variance = values.mean(axis, keepdims=True), values.var(axis, keepdims=True)
    found: Numbers = (values - mean) / np.sqrt(variance + epsilon)
    return found


def gate(opening: ArrayLike, new: ArrayLike, old: ArrayLike) -> Numbers:
    """g * x + (1 - g) * s: an open gate lets the new value in, a closed one keeps the old."""
    g, x, s = (np.asarray(part, dtype=float) for part in (opening, new, old))
    found: Numbers = g * x + (1 - g) * s
    return found

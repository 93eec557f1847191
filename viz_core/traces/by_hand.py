"""Examples small enough to do by hand, every step kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viz_core.traces.attention import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorTrace:
    """One head of self-attention with the vectors it is made of, every step from x to the outputs.

    allowed is True where a query may look. The key width need not be that of the values.
    """

    tokens: tuple[str, ...]
    inputs: Vectors  # (token, width)
    queries: Vectors  # (token, n)
    keys: Vectors  # (token, n)
    values: Vectors  # (token, value width)
    scores: Vectors  # (query, key): dot products
    allowed: NDArray[np.bool_]  # (query, key)
    weights: Vectors  # (query, key)
    divisor: float = 1.0  # sqrt(n) where the scores are scaled

    def __post_init__(self) -> None:
        for name in ("inputs", "queries", "keys", "values", "scores", "allowed", "weights"):
            rows = getattr(self, name)
            if len(rows) != len(self.tokens):
                raise ValueError(f"{len(self.tokens)} tokens but {len(rows)} rows of {name}")

    @property
    def scaled(self) -> Vectors:
        """(query, key): what the softmax gets; minus infinity where looking is not allowed."""
        found: Vectors = np.where(self.allowed, self.scores / self.divisor, -np.inf)
        return found

    @property
    def outputs(self) -> Vectors:
        """(token, value width): the values, weighted and added up."""
        found: Vectors = self.weights @ self.values
        return found

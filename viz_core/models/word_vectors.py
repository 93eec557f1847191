"""A vector for each word, compared by the angle between them.

    cos(x, y) = x y / (|x| |y|)                                            similarity
    a is to b as c is to d:  d = argmax_w cos(w, b - a + c)                Mikolov et al. 2013

with all vectors at length one, as GloVe's own evaluation has them (Pennington et al. 2014).
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn


@dataclass(frozen=True, slots=True, kw_only=True)
class WordVectorsConfig:
    words: int
    width: int = 50


class WordVectors(nn.Module):
    """A table of vectors; row i belongs to word i of the list."""

    def __init__(self, config: WordVectorsConfig) -> None:
        super().__init__()
        self.config = config
        self.table = nn.Embedding(config.words, config.width)

    def unit(self) -> Tensor:
        """All vectors at length one, (word, width)."""
        return nn.functional.normalize(self.table.weight, dim=-1)

    def forward(self, query: Tensor) -> Tensor:
        """The cosine of each query (..., width) with every word, (..., word)."""
        return nn.functional.normalize(query, dim=-1) @ self.unit().T

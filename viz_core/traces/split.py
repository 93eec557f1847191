"""Vectors split into heads and joined again, with the places of their numbers in memory."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.traces.attention import Vectors, Weights, same_size


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitTrace:
    """Vaswani et al. 2017, section 3.2.2, on one sentence: Q, its heads, what they find, W_O.

    Strides are the model's own: how many numbers lie between one and the next along an axis.
    """

    tokens: tuple[str, ...]
    queries: Vectors  # (token, width)
    heads: Vectors  # (head, token, n/h): the same numbers
    weights: Weights  # (head, query, key)
    contexts: Vectors  # (head, token, n/h)
    joined: Vectors  # (token, width)
    outputs: Vectors  # (token, width): joined times W_O
    strides: tuple[int, int]  # of the queries
    split_strides: tuple[int, int, int]  # of the heads
    shares_memory: bool  # whether the heads are the queries' own memory, nothing copied

    def __post_init__(self) -> None:
        for name in ("queries", "joined", "outputs"):
            same_size(name, self.tokens, len(getattr(self, name)))
        heads, tokens, size = self.heads.shape
        if (tokens, heads * size) != self.queries.shape:
            raise ValueError(f"heads are {self.heads.shape} but queries {self.queries.shape}")
        if self.contexts.shape != self.heads.shape:
            raise ValueError(f"contexts are {self.contexts.shape} but heads {self.heads.shape}")

    @property
    def size(self) -> int:
        """n/h: numbers of a head."""
        return int(self.heads.shape[2])

    def place(self, word: int, column: int) -> int:
        """Where Q[word, column] lies in memory, counted from its first number."""
        return word * self.strides[0] + column * self.strides[1]

    def split_place(self, head: int, word: int, number: int) -> int:
        """Where the head's number lies in the same memory."""
        first, second, third = self.split_strides
        return head * first + word * second + number * third

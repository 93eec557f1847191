"""The vectors that a reader has for each token, and what it expected in its place."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from viz_core.text import merge_words
from viz_core.traces.attention import AttentionTrace, Vectors, Weights, same_size


@dataclass(frozen=True, slots=True, kw_only=True)
class States:
    """values is (layer, token, width); layer 0 has not seen the other tokens."""

    tokens: tuple[str, ...]
    values: Vectors
    numbers: tuple[int, ...] = ()  # the word that each token belongs to

    def __post_init__(self) -> None:
        if self.values.ndim != 3:
            raise ValueError(f"states have {self.values.ndim} axes, not (layer, token, width)")
        same_size("state", self.tokens, self.values.shape[1])
        if not self.numbers:
            object.__setattr__(self, "numbers", tuple(range(len(self.tokens))))
        same_size("word-numbered", self.numbers, len(self.tokens))

    def words(self) -> States:
        """Sub-words merged: their mean."""
        starts = np.flatnonzero(np.diff(self.numbers, prepend=-1))
        sizes = np.diff([*starts, len(self.numbers)])
        summed = np.add.reduceat(self.values, starts, axis=1)
        return replace(
            self,
            tokens=merge_words(self.tokens, self.numbers),
            values=summed / sizes[:, None].astype(self.values.dtype),
            numbers=(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One word in one sentence, and which of its meanings it has there."""

    word: str
    sense: str  # "" where the word has none to tell apart
    sentence: tuple[str, ...]
    at: int  # its place in the sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """Words in sentences with their states, to look for neighbours in."""

    uses: tuple[Use, ...]
    values: Vectors  # (layer, use, width)

    def __post_init__(self) -> None:
        same_size("use", self.uses, self.values.shape[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Surprise:
    """-log p of each word, in nats: given those before it, and given those after it."""

    words: tuple[str, ...]
    forward: Weights
    backward: Weights

    def __post_init__(self) -> None:
        for found in (self.forward, self.backward):
            same_size("word", self.words, len(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class TapeTrace:
    """A reader that looked back at its own states before it took in each token."""

    attention: AttentionTrace  # masked: row t over the tokens before t; the first row is empty
    scores: Weights  # (token, token): before the softmax; -inf where there was nothing to look at
    states: Vectors  # (token, width): h
    nats: Weights  # (token,): -log p of each token, given those before it

    def __post_init__(self) -> None:
        for found in (self.scores, self.states, self.nats):
            same_size("read", self.attention.queries, len(found))

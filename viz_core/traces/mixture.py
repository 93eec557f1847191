"""The context vector of one step: encoder states, weights, their sum, and what is said next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from viz_core.traces.attention import Vectors, Weights, same_size


@dataclass(frozen=True, slots=True, kw_only=True)
class MixtureTrace:
    """c_t = sum_j a_tj h_j with the weights that the model found, or with one that was moved."""

    source: tuple[str, ...]
    target: tuple[str, ...]  # what the model writes with its own weights
    step: int  # the target token that this context is for
    forward: Vectors  # (key, half): the reader from left to right
    backward: Vectors  # (key, half): the reader from right to left
    own: Weights  # (key,): the weights that the model found
    weights: Weights  # (key,): those that were used
    tokens: tuple[str, ...]  # likely next tokens, of both
    before: tuple[float, ...]  # their probabilities with the model's own weights
    after: tuple[float, ...]
    text: str
    moved_text: str  # the translation when only this step is changed

    def __post_init__(self) -> None:
        for size in (len(self.forward), len(self.backward), len(self.own), len(self.weights)):
            same_size("source", self.source, size)

    @property
    def states(self) -> Vectors:
        """(key, width): both readers joined."""
        return np.concatenate((self.forward, self.backward), axis=1)

    @property
    def context(self) -> Vectors:
        """(width,): eq. 5."""
        found: Vectors = self.weights @ self.states
        return found

    @property
    def moved(self) -> bool:
        return not np.allclose(self.own, self.weights, atol=1e-6)

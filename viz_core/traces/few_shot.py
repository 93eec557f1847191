"""What a few-shot learner did: examples with labels, a question, where it looked, what it said."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from viz_core.traces.attention import Weights


@dataclass(frozen=True, slots=True, kw_only=True)
class FewShot:
    """Positions are the examples in the order in which they were read, then the question."""

    drawings: Weights  # (position, 28, 28) in 0..1, the question last
    labels: tuple[int, ...]  # of the examples
    probabilities: Weights  # (way,): that the question has this label
    attention: Weights  # (layer, head, query, key): a layer is an attention block, of one head

    def __post_init__(self) -> None:
        positions = len(self.labels) + 1
        if len(self.drawings) != positions:
            raise ValueError(f"{len(self.labels)} labels but {len(self.drawings) - 1} examples")
        if self.attention.shape[2:] != (positions, positions):
            raise ValueError(f"{positions} positions but attention is {self.attention.shape[2:]}")

    @property
    def answer(self) -> int:
        return int(np.argmax(self.probabilities))

    @property
    def layers(self) -> int:
        return len(self.attention)

    @property
    def shots(self) -> int:
        """The most examples of a label."""
        return max(self.labels.count(label) for label in set(self.labels))

    def looked(self, layer: int) -> Weights:
        """(position,): what the question looked at, the last being itself."""
        weights: Weights = self.attention[layer, 0, -1]
        return weights

    def by_label(self, layer: int) -> Weights:
        """(way,): the same, summed over the examples of a label."""
        summed = np.zeros_like(self.probabilities)
        np.add.at(summed, list(self.labels), self.looked(layer)[:-1])
        return summed

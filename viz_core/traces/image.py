"""What a model did with a picture: the words it wrote, and where on its grid it looked for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viz_core.traces.attention import AttentionTrace, Prediction, Weights

Pixels = NDArray[np.uint8]  # (height, width, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """A caption with one look at the picture for each of its words."""

    text: str
    tokens: tuple[str, ...]
    weights: Weights  # (token, row, column), summing to one for each token
    probabilities: tuple[float, ...] = ()  # of each token, given those before it
    predictions: tuple[Prediction, ...] = ()  # what else could have stood there
    places: tuple[tuple[int, int], ...] = ()  # hard attention: the one place that was read
    complete: bool = True  # False when it was cut at the length limit

    def __post_init__(self) -> None:
        if self.weights.ndim != 3:
            raise ValueError(f"weights have {self.weights.ndim} axes, not (token, row, column)")
        for what in ("tokens", "probabilities", "predictions", "places"):
            found = getattr(self, what)
            if len(found) != len(self.weights) and (found or what == "tokens"):
                raise ValueError(f"{len(self.weights)} looks but {len(found)} {what}")

    @property
    def grid(self) -> tuple[int, int]:
        rows, columns = self.weights.shape[1:]
        return int(rows), int(columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageTrace:
    """What a picture was taken for, and how its patches attended to each other."""

    labels: tuple[str, ...]
    probabilities: Weights  # (label,)
    attention: AttentionTrace  # queries and keys are [class] and the patches of its grid

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.probabilities):
            raise ValueError(
                f"{len(self.labels)} labels but {len(self.probabilities)} probabilities"
            )
        if self.attention.grid is None:
            raise ValueError("the attention of a picture needs the grid of its patches")

    @property
    def best(self) -> str:
        return self.labels[int(self.probabilities.argmax())]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A picture that a network drew, and how its places attended to each other meanwhile."""

    image: Pixels
    attention: AttentionTrace  # one layer, one head; queries and keys are the places of its grid
    kind: str  # what it was to be
    gamma: float  # how much of what was attended to enters: 0 is none

    def __post_init__(self) -> None:
        if self.image.ndim != 3 or self.image.shape[2] != 3:
            raise ValueError(f"a picture of shape {self.image.shape}, not (height, width, 3)")
        rows, columns = self.attention.grid or (0, 0)
        if rows * columns != len(self.attention.keys):
            raise ValueError(f"a grid of {rows} x {columns} but {len(self.attention.keys)} places")

    @property
    def grid(self) -> tuple[int, int]:
        assert self.attention.grid is not None
        return self.attention.grid

    def map(self, place: tuple[int, int]) -> Weights:
        """(row, column): where one place looks."""
        rows, columns = self.grid
        found: Weights = self.attention.matrix()[place[0] * columns + place[1]]
        return found.reshape(rows, columns)

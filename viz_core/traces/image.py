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

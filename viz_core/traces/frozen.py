"""A head on frozen states: how often it is right, by how much it was shown."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.traces.attention import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenTrace:
    sizes: tuple[int, ...]  # labelled examples
    accuracies: Vectors  # (draw, size)
    tried: int  # sentences or pairs that it was tried on
    width: int  # numbers that the head reads

    def __post_init__(self) -> None:
        if self.accuracies.shape[1] != len(self.sizes):
            raise ValueError(f"{len(self.sizes)} sizes but {self.accuracies.shape[1]} accuracies")

"""What a small recurrent net made of one input, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.traces.attention import Vectors, Weights, same_size


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeTrace:
    """A sign "." is nothing: no input at this step, or no output asked for."""

    given: str
    wanted: str
    said: str
    probabilities: tuple[float, ...]  # of what is said; 0 where nothing is asked
    losses: tuple[float, ...]  # of each step, in nats; 0 where nothing is asked
    states: Vectors  # (layer, step, unit)
    parts: Weights  # (step, 3): of unit 1, layer 1: from h_{t-1}, from x_t, the bias
    accuracy: float  # on fresh examples, the whole output right
    curve: tuple[float, ...]  # loss while it learned

    def __post_init__(self) -> None:
        for row in (self.wanted, self.said, self.probabilities, self.losses):
            same_size("step", self.given, len(row))

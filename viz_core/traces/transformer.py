"""What the Transformer did inside: its residual stream, and its feed-forward net."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.traces.attention import Weights, same_size


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamTrace:
    """A sentence's residual stream, stage by stage, and the words each state is nearest to."""

    stages: tuple[str, ...]
    tokens: tuple[str, ...]
    norms: Weights  # (stage, token)
    added: Weights  # (stage, token): the length of what this stage added
    nearest: tuple[tuple[tuple[str, ...], ...], ...]  # (stage, token, rank)
    probabilities: Weights  # (stage, token, rank)

    def __post_init__(self) -> None:
        same_size("stream", self.tokens, self.norms.shape[1])
        if len(self.stages) != len(self.norms):
            raise ValueError(f"{len(self.stages)} stages but norms for {len(self.norms)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionWise:
    """A feed-forward net treats every word by itself: how far it is from two ways to say so."""

    words: int
    width: int
    inner: int
    largest: float  # of its outputs
    reversed: float  # largest difference when the words come in reverse order
    convolved: float  # largest difference to two convolutions of width 1

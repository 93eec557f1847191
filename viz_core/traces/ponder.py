"""What a model did that thinks in steps: how often each sentence was gone over, looking where."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.traces.attention import Weights


@dataclass(frozen=True, slots=True, kw_only=True)
class PonderTrace:
    """Positions are the facts in the order of the story, then the question."""

    sentences: tuple[str, ...]  # (position,)
    probabilities: dict[str, float]  # answer -> probability, the likeliest first
    steps: tuple[int, ...]  # (position,): N, the steps that a position took
    halting: Weights  # (step, position): the weight of each step; sums to one over the steps
    attention: Weights  # (step, head, query, key); of a query that has halted, none is used
    left_out: int = 0  # facts at the beginning that were not read

    def __post_init__(self) -> None:
        positions = len(self.sentences)
        if len(self.steps) != positions or self.halting.shape[1] != positions:
            raise ValueError(
                f"{positions} sentences but steps for {len(self.steps)} and halting for "
                f"{self.halting.shape[1]}"
            )
        if self.attention.shape[2:] != (positions, positions):
            raise ValueError(f"{positions} sentences but attention is {self.attention.shape[2:]}")
        if len(self.attention) != len(self.halting):
            raise ValueError(
                f"{len(self.attention)} steps of attention but {len(self.halting)} of halting"
            )

    @property
    def answer(self) -> str:
        return next(iter(self.probabilities))

    @property
    def thought(self) -> int:
        """The steps of the position that took the most."""
        return len(self.attention)

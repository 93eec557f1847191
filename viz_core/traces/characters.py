"""What a character network did: its gates, and how it learned."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.traces.attention import Prediction, Vectors, Weights, same_size


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningTrace:
    """A plain recurrent network at one moment of learning a word, with all its numbers."""

    word: str
    letters: tuple[str, ...]
    losses: tuple[float, ...]  # nats a letter: before the first update, and after each one
    states: Vectors  # (time + 1, unit): the first one is empty
    probabilities: Vectors  # (time, letter): of the next letter
    hh: Vectors  # (unit, unit)
    xh: Vectors  # (unit, letter)
    hy: Vectors  # (letter, unit)
    written: str  # what it writes by itself after the first letter

    @property
    def updates(self) -> int:
        return len(self.losses) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class GateTrace:
    """What a gated network did at each character of a text."""

    tokens: tuple[str, ...]
    gates: tuple[str, ...]
    values: Weights  # (gate, unit, token), in [0, 1]
    candidates: Weights  # (unit, token): what would be written
    memory: Weights  # (unit, token + 1): the first column is before the text
    expected: Weights  # (token,): the probability that each character had beforehand
    predictions: tuple[Prediction, ...]  # after each character
    unknown: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.gates) != len(self.values):
            raise ValueError(f"{len(self.gates)} gates but values for {len(self.values)}")
        same_size("text", self.tokens, self.values.shape[2])
        same_size("text", self.tokens, self.memory.shape[1] - 1)

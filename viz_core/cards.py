"""What a checkpoint is, where it comes from, and how good it was measured to be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a checkpoint is, where it comes from, and how good it was measured to be."""

    name: str
    title: str
    paper: str
    architecture: str
    config: dict[str, Any]
    parameters: int
    data: list[dict[str, str]]  # name, licence, split
    command: str
    seed: int
    steps: int
    metrics: dict[str, dict[str, float]]  # split -> measure -> value
    examples: list[str]
    sha256: dict[str, str]  # file -> digest; base -> digest of the weights shared with it
    start: str = ""  # the checkpoint whose first steps it shares; "" if it began by itself
    notes: str = ""
    curve: list[dict[str, float]] = field(default_factory=list)
    measured: dict[str, Any] = field(default_factory=dict)  # tables that pages draw
    source: str = "en"  # what a translator reads and writes, as a code or a name
    target: str = "fr"
    own: bool = False  # trained by a visitor on pairs of their own: pages mark it as theirs

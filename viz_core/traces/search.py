"""What a search did: every hypothesis, kept or given up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from viz_core.traces.attention import Weights, same_size

Status = Literal["kept", "pruned", "finished"]


class Hypothesis(NamedTuple):
    """One node of a search tree. log_prob is the whole prefix's, score its normalised form.

    A tuple, which is made several times as fast as a frozen dataclass: a search makes thousands.
    """

    parent: int  # index of the parent node; -1 for the root
    step: int  # tokens written, 0 for the root
    token: str
    token_id: int
    log_prob: float
    score: float
    status: Status
    reason: str = ""  # why it was pruned
    probability: float = 1.0  # of this token, given its prefix


@dataclass(frozen=True, slots=True, kw_only=True)
class BeamTrace:
    """Every hypothesis that the search looked at, parents before children, the root first."""

    nodes: tuple[Hypothesis, ...]
    source: tuple[str, ...] = ()
    attention: Weights | None = None  # (node, key): where the decoder looked to write the token
    best: int = 0  # index of the winning node
    complete: bool = True  # False when the limit came before any hypothesis finished

    def __post_init__(self) -> None:
        for index, node in enumerate(self.nodes):
            if node.parent >= index:
                raise ValueError(f"node {index} comes before its parent {node.parent}")
        if self.attention is not None:
            same_size("tree", self.nodes, len(self.attention))

    def path(self, index: int) -> tuple[int, ...]:
        """Node indices from the root to the given node."""
        found: list[int] = []
        while index >= 0:
            found.append(index)
            index = self.nodes[index].parent
        return tuple(reversed(found))

    def token_ids(self, index: int) -> tuple[int, ...]:
        return tuple(self.nodes[i].token_id for i in self.path(index)[1:])

    @property
    def finished(self) -> tuple[int, ...]:
        """Finished nodes, best first."""
        done = [i for i, node in enumerate(self.nodes) if node.status == "finished"]
        return tuple(sorted(done, key=lambda i: -self.nodes[i].score))

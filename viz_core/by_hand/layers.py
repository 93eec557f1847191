"""How far a network sees: which inputs lead to one state, and over how many steps.

    recurrent       h_t^l reads h_{t-1}^l and h_t^{l-1}: all before it, one step a word
    convolution     h_t^l reads h_{t-k/2}^{l-1} .. h_{t+k/2}^{l-1}: k - 1 words more a layer
    self-attention  h_t^l reads every h^{l-1}: all words in one step

Vaswani et al. 2017, section 4 and table 1, call the number of steps the maximum path length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from viz_core.by_hand.attention import Numbers

Kind = Literal["recurrent", "convolution", "self-attention"]
KINDS: tuple[Kind, ...] = ("recurrent", "convolution", "self-attention")
Node = tuple[int, int]  # layer, word; layer 0 is the input


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    kind: Kind
    at: int  # the word whose state in the last layer is asked
    steps: Numbers  # (layer + 1, word): steps to each state; infinite where none leads there
    edges: tuple[tuple[Node, Node], ...]  # from a state to one that it reads

    @property
    def seen(self) -> int:
        """How many words of the input lead to the state."""
        return int(np.isfinite(self.steps[0]).sum())

    @property
    def farthest(self) -> tuple[int, int]:
        """The word that needs most steps, and how many."""
        steps = np.where(np.isfinite(self.steps[0]), self.steps[0], -1)
        return int(steps.argmax()), int(steps.max())


def reads(kind: Kind, node: Node, words: int, kernel: int) -> list[Node]:
    """Which states a state is computed from."""
    layer, word = node
    if layer == 0:
        return []
    if kind == "recurrent":
        return [(layer - 1, word), *([(layer, word - 1)] if word else [])]
    if kind == "self-attention":
        return [(layer - 1, other) for other in range(words)]
    near = range(max(word - kernel // 2, 0), min(word + kernel // 2, words - 1) + 1)
    return [(layer - 1, other) for other in near]


def reach(kind: Kind, words: int, layers: int, at: int, kernel: int = 3) -> Reach:
    """All that leads to one state of the last layer, breadth first: so steps are the fewest."""
    if not words:
        raise ValueError("There is nothing to look at yet: type a sentence.")
    steps = np.full((layers + 1, words), np.inf)
    start = (layers, min(max(at, 0), words - 1))
    steps[start] = 0
    edges, waiting = [], [start]
    for node in waiting:
        for other in reads(kind, node, words, kernel):
            edges.append((node, other))
            if np.isinf(steps[other]):
                steps[other] = steps[node] + 1
                waiting.append(other)
    return Reach(kind=kind, at=start[1], steps=steps, edges=tuple(edges))

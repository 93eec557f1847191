"""What a head does: where it looks on the average, and whether it finds the noun."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

from viz_core.analysis.alignment import SPECIAL
from viz_core.analysis.attention import entropy
from viz_core.traces.attention import AttentionTrace, Weights


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadProfile:
    """Mean weight that a head puts on the positions that have a name, and its mean entropy."""

    previous: float
    own: float
    next: float
    first: float
    separator: float
    entropy: float

    @property
    def label(self) -> str:
        """Thresholds of Clark et al. 2019: position > .5, special token > .6, entropy > 3.8."""
        for name in ("previous", "own", "next"):
            if getattr(self, name) > 0.5:
                return "self" if name == "own" else name
        if self.separator > 0.6:
            return "separator"
        if self.first > 0.6:
            return "first"
        return "broad" if self.entropy > 3.8 else ""


def profiles(
    traces: Sequence[AttentionTrace], special: Set[str] = SPECIAL
) -> list[list[HeadProfile]]:
    """One profile per layer and head, over self-attention traces of several sentences."""
    sums = np.zeros((traces[0].layers, traces[0].heads, 6))
    rows = 0
    for trace in traces:
        weights, size = trace.weights, len(trace.keys)
        ends = [i for i, key in enumerate(trace.keys) if key in special and i > 0]
        sums[..., 0] += np.trace(weights, offset=-1, axis1=2, axis2=3)
        sums[..., 1] += np.trace(weights, axis1=2, axis2=3)
        sums[..., 2] += np.trace(weights, offset=1, axis1=2, axis2=3)
        sums[..., 3] += weights[..., 0].sum(axis=-1)
        sums[..., 4] += weights[..., ends].sum(axis=(-1, -2))
        sums[..., 5] += entropy(weights).sum(axis=-1)
        rows += size
    names = ("previous", "own", "next", "first", "separator", "entropy")
    means = sums / max(rows, 1)
    return [
        [HeadProfile(**dict(zip(names, map(float, head), strict=True))) for head in layer]
        for layer in means
    ]


def resolved(weights: Weights, query: int, right: int, others: Sequence[int]) -> Weights:
    """(layer, head): how much more weight `query` puts on the right noun than on any other."""
    margin: Weights = weights[:, :, query, right] - weights[:, :, query][..., list(others)].max(
        axis=-1
    )
    return margin

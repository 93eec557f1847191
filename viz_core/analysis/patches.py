"""Numbers and sentences from a picture that was read in patches."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from viz_core.analysis.attention import rollout
from viz_core.analysis.image import places, where
from viz_core.traces.attention import Weights
from viz_core.traces.image import ImageTrace


def head_maps(trace: ImageTrace, query: int) -> Weights:
    """(layer, head, row, column): where one token looks; what goes to [class] is left out."""
    assert trace.attention.grid is not None
    weights = trace.attention.weights[:, :, query, 1:]
    maps: Weights = weights.reshape(*weights.shape[:2], *trace.attention.grid)
    return maps


def rolled(trace: ImageTrace, query: int) -> Weights:
    """(row, column): the same through all layers (Abnar and Zuidema 2020)."""
    assert trace.attention.grid is not None
    flow: Weights = rollout(trace.attention.weights)[query, 1:].reshape(trace.attention.grid)
    return flow


def finding(trace: ImageTrace, query: int) -> str:
    """Which head looks most narrowly, and where."""
    maps = head_maps(trace, query)
    layer, head = np.unravel_index(int(maps.max((2, 3)).argmax()), maps.shape[:2])
    sharpest = maps[layer, head]
    return (
        f"Layer {layer + 1} head {head + 1} looks most narrowly, at {where(sharpest)}: "
        f"{places(sharpest)} of {sharpest.size} patches hold half of its weight"
    )


def answer(trace: ImageTrace) -> str:
    """The two most probable labels."""
    first, second = np.argsort(-trace.probabilities)[:2]
    return (
        f"{trace.labels[first]}, {trace.probabilities[first]:.0%}; next {trace.labels[second]}, "
        f"{trace.probabilities[second]:.0%}"
    )


def after_shuffling(before: ImageTrace, after: ImageTrace) -> str:
    """Whether the order of the patches mattered."""
    kept = float(after.probabilities[int(before.probabilities.argmax())])
    first = float(before.probabilities.max())
    changed = "stays" if before.best == after.best else f"becomes {after.best}"
    return f"Shuffled, {before.best} {changed}: its probability goes from {first:.2f} to {kept:.2f}"


def nearness(cosines: NDArray[np.floating], grid: int) -> str:
    """Whether learned places are alike when they are near, in numbers."""
    rows, columns = np.divmod(np.arange(grid**2), grid)
    distance = abs(rows[:, None] - rows) + abs(columns[:, None] - columns)
    same = (distance > 0) & ((rows[:, None] == rows) | (columns[:, None] == columns))
    near, far = cosines[distance == 1].mean(), cosines[distance >= grid // 2].mean()
    line = cosines[same].mean()
    return (
        f"Neighbours have a cosine of {near:.2f} on average, patches at least {grid // 2} steps "
        f"apart {far:.2f}; those in the same row or column {line:.2f}"
    )


def quality(metrics: Mapping[str, Mapping[str, float]]) -> str:
    """How often it is right about pictures that it never saw, and what it knows best and worst."""
    share = metrics.get("test", {}).get("accuracy")
    labels = metrics.get("accuracy by label")
    if share is None or not labels:
        return ""
    best, worst = max(labels, key=labels.__getitem__), min(labels, key=labels.__getitem__)
    return (
        f"Of 10,000 test pictures it names {share:.0%} right: most often {best}, "
        f"{labels[best]:.0%}, and least often {worst}, {labels[worst]:.0%}."
    )

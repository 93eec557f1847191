"""Numbers and sentences from a picture that a network drew."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from viz_core.analysis.image import places, where
from viz_core.traces.attention import Weights
from viz_core.traces.image import Drawn

FAR = 4  # places, a quarter of the side
UNSEEN = "distance to test pictures"  # of a card's figures
MAPS = (
    "Every map is bright at its own largest weight, written below it; *far* is the share of weight "
    f"more than {FAR} places away."
)
Place = tuple[int, int]
Figures = Mapping[str, Mapping[str, float]]


def distances(grid: tuple[int, int]) -> Weights:
    """(query, key): how many places lie between two, in a straight line."""
    rows, columns = np.divmod(np.arange(grid[0] * grid[1]), grid[1])
    apart: Weights = np.hypot(rows[:, None] - rows, columns[:, None] - columns)
    return apart


def far(drawn: Drawn, beyond: float = FAR) -> Weights:
    """(query,): the share of its weight that lies more than so many places away."""
    shares: Weights = (drawn.attention.matrix() * (distances(drawn.grid) > beyond)).sum(-1)
    return shares


def even(grid: tuple[int, int], beyond: float = FAR) -> float:
    """What `far` would be on average if every place looked at all alike."""
    return float((distances(grid) > beyond).mean())


def finding(drawn: Drawn, place: Place) -> str:
    """Where one place looks, in numbers."""
    seen = drawn.map(place)
    row, column = place
    share = far(drawn)[row * drawn.grid[1] + column]
    return (
        f"Row {row + 1}, column {column + 1} looks mostly at {where(seen)}: {places(seen)} of "
        f"{seen.size} places hold half of its weight, and {share:.0%} of it lies more than {FAR} "
        "places away"
    )


def drawn_to_one(drawn: Drawn) -> float:
    """The share of all looks that goes to the most looked-at place."""
    return float(drawn.attention.matrix().mean(0).max())


def reach(drawn: Drawn) -> str:
    """Whether this picture looks further than its neighbours, beside an even look."""
    mean, level = float(far(drawn).mean()), even(drawn.grid)
    share = mean / level
    verdict = "near places are hardly preferred" if share > 0.9 else "near places are preferred"
    return (
        f"Over all places, {mean:.0%} of the weight lies more than {FAR} places away; if every "
        f"place looked everywhere alike it would be {level:.0%}: {verdict}. The most looked-at "
        f"place draws {drawn_to_one(drawn):.0%} of all looks"
    )


def change(drawn: Drawn, without: Drawn) -> str:
    """How much of a picture is its attention."""
    apart = np.abs(drawn.image.astype(float) - without.image.astype(float)) / 255
    row, column = np.unravel_index(int(apart.mean(-1).argmax()), apart.shape[:2])
    return (
        f"With γ = 0 in place of {drawn.gamma:.2f} its colours move by {apart.mean():.1%} of "
        f"their range on average, most in pixel row {row + 1}, column {column + 1}, by "
        f"{apart[row, column].mean():.0%}"
    )


def worth(metrics: Figures, twin: Figures) -> str:
    """Whether attention brought the pictures nearer to real ones that were never seen."""
    found, other = metrics.get(UNSEEN), twin.get(UNSEEN)
    if not found or not other:
        return ""
    trained, without = found["with attention"], other["trained without attention"]
    verdict = (
        "in one run of each, attention brings them nearer"
        if trained < without
        else "in one run of each, attention does **not** bring them nearer, though the network "
        "relies on it once it is there"
    )
    return (
        "Both begin with the same noise, which is another flower to each: compare how good they "
        f"are. How far are drawn flowers from real ones? **{trained:.1f}** with attention, "
        f"**{without:.1f}** for a twin trained without it, **{found['gamma = 0']:.1f}** with "
        f"attention taken out after the training; real flowers from other real ones "
        f"{found['real pictures']:.1f}. Smaller is better: {verdict}. This distance is like FID, "
        "but reads features of our own small Vision Transformer, so it can be compared with "
        "nothing outside this atlas."
    )

"""Numbers and sentences from a picture that a network drew."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from viz_core.analysis.image import places, where
from viz_core.traces.attention import Weights
from viz_core.traces.image import Drawn

FAR = 4  # places, a quarter of the side
Place = tuple[int, int]


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


def quality(metrics: Mapping[str, Mapping[str, float]]) -> str:
    """How far its pictures are from real ones that it never saw."""
    found = metrics.get("distance to test pictures")
    if not found:
        return ""
    return (
        "Its distance to test pictures, like FID but on features of our own small Vision "
        f"Transformer (comparable with nothing outside this atlas), is "
        f"{found['with attention']:.1f}, and {found['gamma = 0']:.1f} with γ set to 0, which it "
        f"was not trained for; the training pictures themselves are {found['real pictures']:.1f} "
        "away."
    )

"""A matrix as a panel, and where panels stand in a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

WIDE, HIGH = 58, 38  # pixels of a cell
NARROW, LOW = 46, 31  # the same in a picture with many rows
MANY = 5  # rows; more of them make the cells smaller
GAP = 44  # between panels
HEAD = 64  # room over a panel: its name, its formula and the words of its columns
WIDEST = 1100  # pixels of a page: a row of panels is broken there
BOX = ["x", "x2", "y", "y2"]


@dataclass(frozen=True, slots=True)
class Part:
    """A row, a column or one cell of a panel, to be framed."""

    panel: str
    row: int | None = None
    column: int | None = None
    side: Literal["query", "key"] = "query"


def nothing(row: int, column: int) -> Sequence[Part]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One matrix. `said` tells the arithmetic of a number, `made_from` what it was made from."""

    name: str
    formula: str
    values: NDArray[np.floating]
    said: Callable[[int, int], str]
    made_from: Callable[[int, int], Sequence[Part]] = nothing
    rows: tuple[str, ...] = ()  # words at the left
    columns: tuple[str, ...] = ()  # words above
    is_weight: bool = False  # numbers in [0, 1], coloured as in every attention chart
    breaks: bool = False  # begins a new row of panels
    bars: tuple[int, ...] = ()  # columns with a rule before them


@dataclass(frozen=True, slots=True)
class Placed:
    panel: Panel
    left: float
    top: float
    wide: float  # of a cell
    high: float
    room: float  # from its left edge, for the cells or the headings over them
    label: float  # for the words at its left; 0 where the panel before shows them

    def box(self, row: int | None, column: int | None) -> dict[str, float]:
        rows, columns = self.panel.values.shape
        first, last = (0, columns) if column is None else (column, column + 1)
        above, below = (0, rows) if row is None else (row, row + 1)
        x, y = (self.left + first * self.wide, self.top + above * self.high)
        x2, y2 = (self.left + last * self.wide, self.top + below * self.high)
        return dict(zip(BOX, (x, x2, y, y2), strict=True))


def is_small(panels: Sequence[Panel]) -> bool:
    return max(len(panel.values) for panel in panels) > MANY


def place(panels: Sequence[Panel], scale: float) -> list[Placed]:
    """Panels from left to right like words on a page, broken into rows."""
    placed: list[Placed] = []
    wide, high = (side * scale for side in ((NARROW, LOW) if is_small(panels) else (WIDE, HIGH)))
    longest = max((len(word) for panel in panels for word in panel.rows), default=0)
    label = (min(longest, 13) * 8.6 + 16) * scale  # the same everywhere: panels stand in line
    before: tuple[str, ...] = ()
    x, y, tallest = 0.0, HEAD * scale, 0.0
    for panel in panels:
        rows, columns = panel.values.shape
        room = max(columns * wide, 7.3 * scale * len(panel.formula), 9 * scale * len(panel.name))
        if placed and (panel.breaks or x + room > WIDEST * scale):
            x, y, tallest, before = 0.0, y + tallest + (HEAD + 12) * scale, 0.0, ()
        shown = label if panel.rows and panel.rows != before else 0.0
        placed.append(Placed(panel, x + shown, y, wide, high, room, shown))
        x, before = x + shown + room + GAP * scale, panel.rows
        tallest = max(tallest, rows * high)
    return placed

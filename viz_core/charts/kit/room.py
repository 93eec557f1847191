"""How much room a chart has, and how cells and words fit into it: the one place that knows.

A server does not know the browser's window. So a chart is made for the least that is promised: its
column on a page 1280 pixels wide, above the fold at 800, or on a stage of 1920 x 1080. A larger
window enlarges the drawing, a phone scrolls it in a box of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from viz_core.charts.kit import style

LABEL = 120  # pixels of the longest word beside a cell; the rest of it is seen on hover
SLANT = math.sqrt(0.5)  # of a word that is turned by 45 degrees: how high, and how wide, it is
LEGIBLE = 1.05  # times the smallest type: in narrower cells not every word can be written
TINY = 5  # pixels of a cell that can still be seen; its words are read on hover
MANY = 24  # words of a sentence from which a chart may end below the fold of a small window
STEPPER = 75  # pixels of the stepper under a picture
LEGEND = 58  # pixels at the right of a chart for the legend of its colours


@dataclass(frozen=True, slots=True)
class Room:
    """Pixels of a chart's column, and how much larger than on a desk it is drawn."""

    width: float
    height: float  # above the fold, with the stepper below the picture
    tall: float  # for very many words: only a higher window shows all of it at once
    scale: float = 1.0

    @property
    def least(self) -> float:
        """The smallest type that can be read: on a desk, or from the last row."""
        return style.least(self.scale)

    def heights(self, count: int) -> tuple[float, ...]:
        """Ever larger heights that a picture of so many words may have."""
        if self.height == self.tall:
            return (self.height,)
        fold = self.height + STEPPER
        return (self.height, fold, self.tall) if count > MANY else (self.height, fold)

    def less(self, width: float = 0.0, height: float = 0.0) -> Room:
        """What is left beside something as wide, or under something as high; unscaled pixels."""
        wide, high = width * self.scale, height * self.scale
        return replace(
            self, width=self.width - wide, height=self.height - high, tall=self.tall - high
        )

    def part(self, share: float) -> Room:
        """A share of the width."""
        return replace(self, width=self.width * share)

    def across(
        self, count: int, largest: float, most: int = style.LIMIT, focus: int | None = None
    ) -> tuple[float, slice]:
        """The width of each of `count` columns with a word, and which of them can be shown."""
        return _fit(count, [self.width], largest * self.scale, self.scale, focus, most)

    def rows(
        self, count: int, largest: float, focus: int | None = None, every: bool = False
    ) -> tuple[float, slice]:
        """The height of each of `count` lines of words, and which of them can be shown.

        With `every` word written, fewer lines are shown rather than some without their words.
        """
        pixels = self.heights(count)
        legible = LEGIBLE * self.least
        most = max(int(pixels[-1] / legible), 1) if every else style.LIMIT
        return _fit(count, pixels, largest * self.scale, self.scale, focus, most)


PAGE = Room(1100, 400, 560)


@dataclass(frozen=True, slots=True)
class Grid:
    """A matrix that fits: the size of its cells, its words, and the part of it that is shown."""

    wide: float
    high: float
    rows: slice
    columns: slice
    angle: float  # of the words above
    label: float  # unscaled pixels that a word may have before it is shortened
    heading: float  # pixels of the words above

    @property
    def size(self) -> tuple[float, float]:
        across, down = self.columns, self.rows
        return (self.wide * (across.stop - across.start), self.high * (down.stop - down.start))


def word_width(words: Sequence[str], type_size: float) -> float:
    """Pixels of the longest word; fonts differ, and this is a wide one."""
    return 0.62 * type_size * max(map(len, words), default=0)


def _fit(
    count: int,
    pixels: Sequence[float],
    largest: float,
    scale: float,
    focus: int | None = None,
    most: int = style.LIMIT,
) -> tuple[float, slice]:
    """The size of one of `count` cells, and which of them are shown.

    In the first of the pixels in which all words can be written; else in the last, with some of
    the words; and if even that is too small, the part around the focus.
    """
    total, count = count, max(min(count, most), 1)
    legible = LEGIBLE * style.least(scale)
    size = next((each / count for each in pixels if each / count >= legible), pixels[-1] / count)
    if size < TINY * scale:
        count = max(int(pixels[-1] / legible), 1)
        size = pixels[-1] / count
    return math.floor(10 * min(size, largest)) / 10, style.part(total, count, focus)


def fit_grid(
    room: Room,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    largest: float = style.CELL,
    focus: int | None = None,
    column: int | None = None,
    limit: int = style.LIMIT,
) -> Grid:
    """Cells, then words, then a part of them, around the row in focus and this column: until the
    matrix fits into its room.

    Words above lie at 45 degrees; where cells are narrow they stand upright.
    """
    scale = room.scale
    label = min(LABEL, 0.28 * room.width / scale)
    type_size = style.font(scale)
    left = min(word_width(queries, type_size), label * scale) + 10 * scale
    above = min(word_width(keys, type_size), label * scale)
    # At 45 degrees the last word hangs over at the right, if it is longer than its cell is wide.
    last = min(word_width(keys[-1:], type_size), label * scale)
    across = room.width - left - max(last * SLANT - 10 * scale, 0)
    angle, slant = -45, SLANT
    if across / max(min(len(keys), limit), 1) < 1.6 * room.least:
        angle, slant, across = -90, 1.0, room.width - left
    wide, columns = _fit(len(keys), [across], largest * scale, scale, column, limit)
    heading = above * slant + 12 * scale
    pixels = [height - heading for height in room.heights(min(len(queries), limit))]
    high, rows = _fit(len(queries), pixels, largest * scale, scale, focus, limit)
    # Cells need not be square, but nearly so: a diagonal should look like one.
    return Grid(min(wide, 1.7 * high), min(high, 1.25 * wide), rows, columns, angle, label, heading)

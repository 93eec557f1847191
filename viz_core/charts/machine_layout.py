"""Where the parts of a machine stand: two stacks of boxes over columns of tokens, in pixels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viz_core.analysis.machine import Lit, Moment
from viz_core.charts.kit import style
from viz_core.charts.kit.room import LEGIBLE, Room, word_width
from viz_core.traces.machine import MachineTrace, Stack

TITLE = 46  # pixels over the drawing, with the line of colours
EDGE = 12  # pixels around the drawing
BETWEEN = 92  # pixels from the reader to the writer
COLUMN, TALLEST, GAP = 58, 52, 30  # pixels of a token, a box and an arrow, at most
NAME = 118  # pixels beside a stack for the names of its boxes, in two lines
ONE_LINE = 172  # the same in one line
WORD = 70  # pixels of an upright word; what is longer is cut
SMALLEST_GAP = 9


class Placed:
    """A stack and where it stands: its left edge, its columns, the tokens that are drawn."""

    def __init__(self, stack: Stack, left: float, column: float, shown: slice, lit: Lit) -> None:
        self.stack, self.left, self.column, self.shown, self.lit = stack, left, column, shown, lit
        self.count = shown.stop - shown.start
        self.wide = column * self.count
        self.right = left + self.wide

    def x(self, token: int) -> float:
        """The middle of a token's column."""
        return self.left + (token - self.shown.start + 0.5) * self.column

    def tokens(self) -> range:
        return range(self.shown.start, self.shown.stop)

    def is_lit(self, row: int, token: int) -> bool:
        """Whether this box has its output for this token by now; row -1 are the words."""
        total, box = len(self.stack.tokens), self.stack.boxes[max(row, 0)]
        there = token < self.lit.tokens
        if row >= 0 and box.way == "backward":
            there = token >= total - self.lit.tokens
        return there and row < self.lit.boxes


class Layout:
    """Everything's place in pixels, for one moment."""

    def __init__(self, trace: MachineTrace, moment: Moment, room: Room, named: bool = True) -> None:
        scale = self.scale = room.scale
        pairs = [(trace.reader, moment.reader), (trace.writer, moment.writer)]
        stacks = [(stack, lit) for stack, lit in pairs if stack is not None]
        self.rows = max(len(stack.boxes) for stack, _ in stacks)
        self.double = len(stacks) == 2
        margin = (NAME if self.double else ONE_LINE) * scale if named else 6.0
        between = BETWEEN * scale if self.double else 0.0
        free = room.width - EDGE * scale - margin * len(stacks) - between
        counts = _fit([len(stack.tokens) for stack, _ in stacks], free, room)
        self.column = min(free / sum(counts), COLUMN * scale)
        self.placed: list[Placed] = []
        left = margin
        for (stack, lit), count in zip(stacks, counts, strict=True):
            focus = moment.writes if stack is trace.writer else None
            shown = style.part(len(stack.tokens), count, focus)
            self.placed.append(Placed(stack, left, self.column, shown, lit))
            left = self.placed[-1].right + between
        self.width = self.placed[-1].right + (margin if self.double else 0.0)
        self.between = (self.placed[0].right + between / 2) if self.double else 0.0
        words = [word for stack, _ in stacks for word in stack.tokens] + list(trace.said)
        size = style.font(scale, style.SMALL)
        self.upright = word_width(words, size) > self.column - 2 * scale
        longest = min(word_width(words, size), WORD * scale)
        self.words = (longest if self.upright else 14 * scale) + 8 * scale
        free = room.height - TITLE * scale * named - self.words
        # Over the last stack stands what it says; beside a higher one there is room for it.
        lower = self.rows - len(stacks[-1][0].boxes)
        pitch = above = 0.0
        for _ in range(9):
            above = max(self.words - lower * pitch, 10 * scale)
            pitch = (free - above) / (self.rows + 0.2)
        self.gap = min(max(0.34 * pitch, SMALLEST_GAP * scale), GAP * scale)
        self.high = min(pitch - self.gap, TALLEST * scale)
        self.pitch = self.high + self.gap
        above = max(self.words - lower * self.pitch, 10 * scale)  # boxes are not always as high
        self.bottom = above + self.rows * self.pitch + self.gap / 2
        self.height = self.bottom + self.words
        self.cells = int(np.clip(self.high / (6.5 * scale), 3, 8))

    def top(self, row: int) -> float:
        """Of the box in this row, counted from below."""
        return self.bottom - (row + 1) * self.pitch

    def middle(self, row: int) -> float:
        return self.top(row) + self.high / 2


def _fit(counts: Sequence[int], free: float, room: Room) -> list[int]:
    """How many tokens of each stack can be shown with their words."""
    most = int(free / (LEGIBLE * room.least))
    if sum(counts) <= most:
        return list(counts)
    if len(counts) == 1:
        return [most]
    second = min(counts[1], max(most // 2, most - counts[0]))
    return [min(counts[0], most - second), second]

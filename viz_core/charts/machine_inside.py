"""One box of a machine, opened: from left to right what is made of what, with its own numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from viz_core.analysis import machine as told
from viz_core.charts.kit import vegalite
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.diagram import Diagram, signed, strip
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.machine import COLOURS
from viz_core.charts.machine_layout import EDGE, TITLE
from viz_core.traces.machine import InsideTrace, Part, Row

ARROW = 26  # pixels from a part to the next
WIDEST, TALLEST = 230, 130  # pixels of a part
LINE = 15  # pixels of a line of type over a part
BELOW = 16  # pixels under a row, for the way around it
MOST = 40  # tokens of a part: more of them cannot be told apart


def tiles(weights: NDArray[np.floating]) -> NDArray[np.uint8]:
    """All heads (head, query, key) as one image, four in a row, a thin gap between them."""
    heads, queries, keys = weights.shape
    across = min(heads, 4)
    down = math.ceil(heads / across)
    gap = max(round(max(queries, keys) / 12), 1)
    sheet = np.zeros((down * (queries + gap) - gap, across * (keys + gap) - gap))
    for head, table in enumerate(weights):
        row, column = divmod(head, across)
        top, left = row * (queries + gap), column * (keys + gap)
        sheet[top : top + queries, left : left + keys] = 0.06 + 0.94 * table
    return signed(sheet)


def picked(part: Part, cells: int) -> NDArray[np.floating]:
    """The first numbers of each token; of vectors that are split, the first of every head."""
    values = part.values[:MOST]
    if part.heads == 1:
        return values[:, :cells]
    block = values.shape[1] // part.heads
    each = max(cells // part.heads, 1)
    return values.reshape(len(values), part.heads, block)[:, :, :each].reshape(len(values), -1)


@drawn
def inside(trace: InsideTrace, *, room: Room = PAGE) -> vegalite.Written:
    """The rows of an opened box. Clicking a part sets the selection "part" to its name."""
    scale = room.scale
    columns = max(len(row.columns) for row in trace.rows)
    high = room.height - TITLE * scale
    pitch = min(high / len(trace.rows), (TALLEST + 3 * LINE + BELOW) * 1.6 * scale)
    free = room.width - EDGE * scale - ARROW * scale * (columns - 1)
    wide = min(free / columns, WIDEST * scale)
    sheet = Diagram(columns * wide + (columns - 1) * ARROW * scale, pitch * len(trace.rows), scale)
    for number, row in enumerate(trace.rows):
        _row(sheet, row, number * pitch, pitch, wide)
    finding = told.told(trace)
    note = f"A strip is the first numbers of a word's vector, {COLOURS}."
    if max(len(trace.tokens), len(trace.keys)) > MOST:
        note += f" The first {MOST} tokens are drawn."
    return sheet.chart(finding, vegalite.title(finding, [note], scale))


def _row(sheet: Diagram, row: Row, top: float, pitch: float, wide: float) -> None:
    """Parts side by side, arrows between them, and under them the way around."""
    scale = sheet.scale
    line, arrow = LINE * scale, ARROW * scale
    sheet.text(0, top + line / 2, row.name, align="left", bold=True, red=True)
    top += line
    high = pitch - line - BELOW * scale
    middle = top + 2 * line + (high - 2 * line) / 2
    for number, column in enumerate(row.columns):
        left = number * (wide + arrow)
        if len(column) == 1:
            _part(sheet, column[0], left, top, wide, high)
        else:
            each = high / len(column)
            lines = 2 if each > 6 * line else 1
            for place, part in enumerate(column):
                _part(sheet, part, left, top + place * each, wide, each, lines)
        if number:
            ends = (left - arrow + 2 * scale, middle), (left - 3 * scale, middle)
            sheet.arrow(*ends, opacity=0.6, wide=1.6)
    if row.added is not None:
        start, end = 8 * scale, row.added * (wide + arrow) + 8 * scale
        floor = top + high + 0.6 * BELOW * scale
        low = top + high + 2 * scale
        sheet.arrow((start, low), (start, floor), (end, floor), (end, low), opacity=0.6, wide=1.6)


def _part(
    sheet: Diagram, part: Part, left: float, top: float, wide: float, high: float, lines: int = 2
) -> None:
    """Its name with its shape, its formula where there is room, and its numbers in a frame."""
    scale = sheet.scale
    line = LINE * scale
    name = f"{part.name}   {part.shape}"
    sheet.text(left, top + line / 2, name, align="left", bold=True, size=11, limit=wide)
    if lines == 2:
        sheet.text(left, top + 1.5 * line, part.formula, align="left", size=11, limit=wide)
    y, tall = top + lines * line, high - lines * line
    inset = 2 * scale
    if part.values.ndim == 3:
        pixels = tiles(part.values[:, :MOST, :MOST])
    else:
        cells = int(np.clip(tall / (6 * scale), 3, 24))
        values = picked(part, cells)
        every = np.ones(len(values), dtype=bool)
        pixels = strip(values, values.shape[1], slice(0, len(values)), every)
    sheet.image(left + inset, y + inset, wide - 2 * inset, tall - 2 * inset, pixels)
    sheet.frame(left, y, wide, tall)
    sheet.hit(left, y, wide, tall, part.name, shape=part.shape, how=part.formula)

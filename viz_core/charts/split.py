"""Split and merge: one matrix of queries cut into heads, attended, joined, times W_O.

A column is a word, as in the machine. Q is one block; cut apart, its rows are the heads. Hovering
follows one number from block to block, in the browser.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from viz_core.analysis import split as told
from viz_core.charts.kit import style, vegalite
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.diagram import Diagram, signed
from viz_core.charts.kit.room import LEGIBLE, PAGE, Room, word_width
from viz_core.charts.kit.vegalite import Written
from viz_core.traces.split import SplitTrace

ROOMY = 10  # words with which more numbers of a head are drawn
TITLE, EDGE = 46, 12  # pixels over the drawing and around it
HEAD = 34  # pixels over the blocks: what they are, and their shapes
GAP = 30  # pixels from a block to the next
BESIDE = 62  # pixels for the names of the heads
LINE = 19  # pixels of a line of words under the picture
CELL = 24  # pixels of a word's column, at most
NAMES = ("Q", "Q by head", "weights", "found", "joined", "output")


class Layout:
    """Six blocks from left to right, eight heads from top to bottom."""

    def __init__(self, trace: SplitTrace, room: Room) -> None:
        scale = self.scale = room.scale
        free = room.width - (EDGE + BESIDE + (len(NAMES) - 1) * GAP) * scale
        most = int(free / len(NAMES) / (LEGIBLE * room.least))
        self.words = min(len(trace.tokens), most)
        self.count, self.size = trace.heads.shape[0], trace.size
        self.each = min(3 if self.words <= ROOMY else 2, self.size)  # numbers of a head
        self.column = min(free / len(NAMES) / self.words, CELL * scale)
        self.wide = self.column * self.words
        longest = word_width(trace.tokens[: self.words], style.font(scale, style.SMALL))
        self.upright = longest > self.column
        self.label = min(longest, 64 * scale) + 6 * scale
        lines = len(told.STEPS) * LINE * scale
        high = room.height - (TITLE + HEAD) * scale - self.label - lines
        self.gap = 5 * scale  # between two heads, where they are apart
        self.row = max((high - self.gap * self.count) / (self.count * self.each), 4 * scale)
        self.row = min(self.row, 12 * scale)
        self.top = HEAD * scale
        self.lane = self.each * self.row + self.gap
        self.bottom = self.top + self.count * self.lane
        self.lines = self.bottom + self.label + 8 * scale
        self.height = self.lines + lines
        self.width = BESIDE * scale + len(NAMES) * self.wide + (len(NAMES) - 1) * GAP * scale

    def left(self, block: int) -> float:
        return (BESIDE + block * GAP) * self.scale + block * self.wide

    def x(self, block: int, word: int) -> float:
        return self.left(block) + word * self.column

    def y(self, block: int, head: int, number: int = 0) -> float:
        """Apart where the heads are, else one under the other, in the middle of the same height."""
        if NAMES[block] in ("Q by head", "weights", "found"):
            return self.top + head * self.lane + number * self.row
        inset = self.gap * (self.count - 1) / 2
        return self.top + inset + (head * self.each + number) * self.row

    def columns(self) -> list[int]:
        """The columns of Q that are drawn: the first numbers of every head."""
        return [head * self.size + i for head in range(self.count) for i in range(self.each)]


def _pixels(values: NDArray[np.floating]) -> NDArray[np.uint8]:
    """(number, word) in full colour at the largest."""
    unit = float(np.abs(values).max(initial=0)) or 1.0
    return signed(values / unit)


@drawn
def split(
    trace: SplitTrace, step: int, *, start: tuple[int, int] | None = None, room: Room = PAGE
) -> Written:
    """The blocks up to this step, and the way of one number: the hovered one, at first `start`,
    (word, column of Q)."""
    at = Layout(trace, room)
    shown = range({0: 1, 1: 2, 2: 4, 3: 5, 4: 6}[step])  # blocks
    sheet = Diagram(at.width, at.height, room.scale)
    for block in shown:
        _block(sheet, at, trace, block)
    for word in range(at.words):
        middle = at.x(0, word) + at.column / 2
        _label(sheet, at, middle, trace.tokens[word])
    notes = [f"The first {at.each} of {at.size} numbers of each head are drawn"]
    if at.words < len(trace.tokens):
        notes.append(f"of the first {at.words} of {len(trace.tokens)} tokens")
    finding = told.finding(trace)
    chart = sheet.chart(finding, vegalite.title(finding, [", ".join(notes)], room.scale))
    first = start or (min(1, at.words - 1), min(2, at.count - 1) * at.size)
    return _followed(chart, at, trace, shown, step, first)


def _label(sheet: Diagram, at: Layout, x: float, word: str) -> None:
    y, limit = at.bottom + 4 * at.scale, 64 * at.scale
    if at.upright:
        sheet.text(x, y, word, align="right", upright=True, limit=limit)
    else:
        sheet.text(x, y + 8 * at.scale, word)


def _block(sheet: Diagram, at: Layout, trace: SplitTrace, block: int) -> None:
    """One block with its name and shape, and the arrow that leads to it."""
    words, name = slice(0, at.words), NAMES[block]
    count, size = at.count, at.size
    whole, parted = f"{len(trace.tokens)} × {count * size}", f"{count} × {len(trace.tokens)} × "
    shapes = (whole, parted + str(size), parted + str(len(trace.tokens)), parted + str(size))
    left = at.left(block)
    sheet.text(left, 8 * at.scale, name, align="left", bold=True)
    sheet.text(left, 23 * at.scale, (*shapes, whole, whole)[block], align="left", size=11)
    high = at.each * at.row
    matrices = {"Q": trace.queries, "joined": trace.joined, "output": trace.outputs}
    if name in matrices:
        values = matrices[name][words][:, at.columns()].T
        sheet.image(left, at.y(block, 0), at.wide, high * count, _pixels(values))
        sheet.frame(left, at.y(block, 0), at.wide, high * count)
    else:
        heads = {"Q by head": trace.heads, "found": trace.contexts}
        for head in range(count):
            if name == "weights":
                pixels = signed(0.06 + 0.94 * trace.weights[head, words, words].T)
            else:
                most = np.abs(heads[name][:, words, : at.each]).max()
                pixels = signed(heads[name][head, words, : at.each].T / (most or 1.0))
            sheet.image(left, at.y(block, head), at.wide, high, pixels)
            sheet.frame(left, at.y(block, head), at.wide, high)
            if name == "Q by head":
                y = at.y(block, head) + high / 2
                sheet.text(BESIDE * at.scale - 8 * at.scale, y, f"head {head + 1}", align="right")
    if block:
        y = (at.top + at.bottom) / 2
        ends = (left - (GAP - 4) * at.scale, y), (left - 5 * at.scale, y)
        sheet.arrow(*ends, opacity=0.6, wide=1.8)


def _places(
    at: Layout, shown: Sequence[int], word: int, head: int, number: int
) -> Iterator[dict[str, float]]:
    """Where a number is met in each block: itself, the look of its head, all that is made of it."""
    high = at.each * at.row
    for block in shown:
        x, wide = at.x(block, word), at.column
        y, tall = at.y(block, head, number), at.row
        if NAMES[block] == "weights":
            y, tall = at.y(block, head), high
        elif NAMES[block] == "output":
            y, tall = at.y(block, 0), high * at.count
        yield {"x": x, "x2": x + wide, "y": y, "y2": y + tall}


def _followed(
    chart: Written,
    at: Layout,
    trace: SplitTrace,
    shown: Sequence[int],
    step: int,
    start: tuple[int, int],
) -> Written:
    """The chart with its hover: a number is framed wherever it is, and its way is told below."""
    hits: list[dict[str, Any]] = []
    said: list[dict[str, Any]] = []
    for word in range(at.words):
        for column in at.columns():
            head, place = divmod(column, at.size)
            name = {"word": word, "column": column}
            hits += [name | box for box in _places(at, shown, word, head, place)]
            for line, sentence in enumerate(told.told(trace, word, column)[: step + 1]):
                y = at.lines + (line + 0.5) * LINE * at.scale
                said.append(name | {"x": 0.0, "y": y, "said": style.readable(sentence)})
    tables = {**chart.tables, "numbers": pa.Table.from_pylist(hits)}
    tables["said"] = pa.Table.from_pylist(said)
    spec = chart.written
    first = next(layer for layer in spec["layer"] if "x2" in layer["encoding"])["encoding"]
    box = {name: first[name] for name in ("x", "y", "x2", "y2")}
    point = {"x": first["x"], "y": first["y"]}
    lit = {"transform": [{"filter": {"param": "number", "empty": False}}]}
    select = {"type": "point", "fields": ["word", "column"], "on": "pointerover", "clear": False}
    value = [{"word": start[0], "column": start[1]}]
    edge: dict[str, Any] = {
        "stroke": style.VERMILION,
        "strokeWidth": 2.4 * at.scale,
        "fillOpacity": 0,
    }
    size = style.font(at.scale, 13)
    layers: list[dict[str, Any]] = [
        {
            "data": {"name": "numbers"},
            "params": [{"name": "number", "select": select, "value": value}],
            "mark": {"type": "rect", "fill": style.BLUE, "fillOpacity": 0, "tooltip": None},
            "encoding": box,
        },
        {
            "data": {"name": "numbers"},
            **lit,
            "mark": {"type": "rect", **edge, "tooltip": None},
            "encoding": box,
        },
        {
            "data": {"name": "said"},
            **lit,
            "mark": {
                "type": "text",
                "align": "left",
                "baseline": "middle",
                "fontSize": size,
                "color": style.INK,
                "limit": at.width,
                "tooltip": None,
            },
            "encoding": {**point, "text": {"field": "said", "type": "nominal"}},
        },
    ]
    return Written(spec | {"layer": [*spec["layer"], *layers]}, tables)

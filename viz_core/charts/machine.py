"""A whole model as lectures draw it: words below, boxes over them, what comes out of each inside.

A column is a token. A box that reads all tokens at once is one frame over them; a recurrent cell is
a frame for each, with arrows to the next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viz_core.analysis import machine as told
from viz_core.analysis.machine import Moment
from viz_core.charts.kit import style, vegalite
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.diagram import Align, Diagram, signed, strip
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.machine_layout import WORD, Layout, Placed
from viz_core.traces.machine import Box, MachineTrace

COLOURS = "blue above zero, orange below; each box by its own largest number"


@drawn
def machine(
    trace: MachineTrace, step: int, *, room: Room = PAGE, named: bool = True
) -> vegalite.Written:
    """The machine at one step. Clicking a box sets the selection "part" to its name.

    A small picture has no names: its boxes and words only.
    """
    moment = told.moments(trace)[step]
    at = Layout(trace, moment, room, named)
    sheet = Diagram(at.width, at.height, room.scale)
    for placed in at.placed:
        _stack(sheet, at, placed, trace)
        _words(sheet, at, placed, trace)
        if named:
            _names(sheet, at, placed, trace)
    _said(sheet, at, at.placed[-1], trace)
    if trace.summary is not None:
        _summary(sheet, at, trace)
    elif at.double:
        _keys_and_values(sheet, at)
    if trace.weights is not None and moment.writes is not None:
        _look(sheet, at, trace, moment.writes)
    _now(sheet, at, moment)
    notes = [
        style.part_note(name, each.shown, len(each.stack.tokens))
        for name, each in zip(("Tokens read", "Tokens written"), at.placed, strict=False)
    ]
    finding = told.finding(trace, step)
    if not named:
        return sheet.chart(finding, {"text": ""})
    strips = f"A strip is the first {at.cells} numbers of a word's vector, {COLOURS}"
    subtitle = ". ".join(filter(None, [strips, *notes]))
    return sheet.chart(finding, vegalite.title(finding, [subtitle], room.scale))


def _stack(sheet: Diagram, at: Layout, placed: Placed, trace: MachineTrace) -> None:
    """The boxes with what came out of them, and the arrows from one to the next."""
    inset = 2 * at.scale
    for row, box in enumerate(placed.stack.boxes):
        top, every = at.top(row), range(len(placed.stack.tokens))
        lit = np.array([placed.is_lit(row, token) for token in every])
        cell = 0.16 * at.column if box.way else 0.0
        if lit.any():
            edge = 2 if box.way else 1
            pixels = strip(box.values, at.cells, placed.shown, lit, edge)
            sheet.image(placed.left, top + inset, placed.wide, at.high - 2 * inset, pixels)
        if box.way:
            for token in placed.tokens():
                x = placed.x(token) - at.column / 2 + cell
                sheet.frame(x, top, at.column - 2 * cell, at.high, lit=bool(lit[token]))
            _hand_on(sheet, at, placed, row, box)
        else:
            sheet.frame(placed.left, top, placed.wide, at.high, lit=bool(lit.any()))
        for token in placed.tokens():
            there = placed.is_lit(row, token) and (row == 0 or placed.is_lit(row - 1, token))
            x = placed.x(token)
            below = top + at.high + at.gap - 3 * at.scale
            line = [(x, below), (x, top + at.high + 3 * at.scale)]
            strength = 0.5 if there else 0.1
            if at.column >= 13 * at.scale:
                sheet.arrow(*line, opacity=strength, wide=1)
            else:
                sheet.line(*line, opacity=strength, wide=1)
        shape = _shape(placed, row, trace)
        sheet.hit(
            placed.left, top, placed.wide, at.high, box.name,
            shape=shape, how=box.formula, click="opens it",
        )  # fmt: skip


def _hand_on(sheet: Diagram, at: Layout, placed: Placed, row: int, box: Box) -> None:
    """From each cell to the next: the state is all that is handed on."""
    y, half, cell = at.middle(row), at.column / 2, 0.16 * at.column
    for token in list(placed.tokens())[:-1]:
        x, x2 = placed.x(token) + half - cell, placed.x(token + 1) - half + cell
        both = placed.is_lit(row, token) and placed.is_lit(row, token + 1)
        ends = [(x, y), (x2, y)] if box.way == "forward" else [(x2, y), (x, y)]
        strength = 0.6 if both else 0.15
        if at.column >= 30 * at.scale:
            sheet.arrow(*ends, opacity=strength)
        else:
            sheet.line(*ends, opacity=strength)


def _names(sheet: Diagram, at: Layout, placed: Placed, trace: MachineTrace) -> None:
    """Beside the boxes their names with the shapes of what comes out, and what the words are."""
    reads = placed is at.placed[0]
    x = placed.left - 10 * at.scale if reads else placed.right + 10 * at.scale
    side: Align = "right" if reads else "left"
    line = 0.56 * style.font(at.scale, style.SMALL)
    for row, box in enumerate(placed.stack.boxes):
        y, shape = at.middle(row), _shape(placed, row, trace)
        if at.double:
            sheet.text(x, y - line, box.name, align=side, bold=True)
            sheet.text(x, y + line, shape, align=side)
        else:
            sheet.text(x, y, f"{box.name}   {shape}", align=side, bold=True)
    own = "the right words" if trace.wanted else "written so far" if trace.reader else "text so far"
    below = "words" if placed.stack is trace.reader else own
    sheet.text(x, at.bottom + 12 * at.scale, below, align=side)
    if placed is at.placed[-1]:
        side = "left" if at.double else "right"
        over = at.top(len(placed.stack.boxes) - 1) - 13 * at.scale
        writes = "writes" if trace.reader else "next word"  # over the typed words it only guesses
        says = "would write" if trace.wanted else writes if trace.writer else "guesses"
        sheet.text(x, over, says, align=side, bold=True)


def _words(sheet: Diagram, at: Layout, placed: Placed, trace: MachineTrace) -> None:
    """What goes in, below; the writer's words as far as they are written."""
    for token in placed.tokens():
        if token < placed.lit.tokens or placed.stack is trace.reader:
            word = placed.stack.tokens[token]
            _word(sheet, at, placed.x(token), at.bottom + 4 * at.scale, word, above=False)


def _shape(placed: Placed, row: int, trace: MachineTrace) -> str:
    """Of what a box has put out by now; before it begins, of what it will: a "?" if unknown."""
    every = range(len(placed.stack.tokens))
    count = sum(placed.is_lit(row, token) for token in every) or told.known(trace, placed.stack)
    return f"{count or '?'} × {placed.stack.boxes[row].width:,}"


def _word(
    sheet: Diagram, at: Layout, x: float, y: float, word: str, *, above: bool, wrong: bool = False
) -> None:
    """A word under a column or above it, upright where columns are narrow."""
    if at.upright:
        limit = WORD * at.scale
        side: Align = "left" if above else "right"
        sheet.text(x, y, word, align=side, upright=True, limit=limit, red=wrong, bold=above)
    else:
        shift = -8 * at.scale if above else 8 * at.scale
        sheet.text(x, y + shift, word, red=wrong, bold=above)


def _said(sheet: Diagram, at: Layout, placed: Placed, trace: MachineTrace) -> None:
    """Over the softmax what it says, in vermilion where another word is right."""
    row = len(placed.stack.boxes) - 1
    y = at.top(row) - 5 * at.scale
    for token in placed.tokens():
        if placed.is_lit(row, token):
            wrong = bool(trace.wanted) and trace.wanted[token] != trace.said[token]
            _word(sheet, at, placed.x(token), y, trace.said[token], above=True, wrong=wrong)


# ---- from the reader to the writer ------------------------------------------------------------


def _summary(sheet: Diagram, at: Layout, trace: MachineTrace) -> None:
    """The last states of both readers: one vector, with which the writer begins."""
    reader, writer = at.placed
    assert trace.summary is not None
    ways = {box.way: row for row, box in enumerate(reader.stack.boxes) if box.way}
    there = reader.lit.tokens == len(reader.stack.tokens)
    strength = 0.6 if there else 0.12
    wide, middle = 16 * at.scale, at.middle(ways["forward"])
    x, y = at.between - wide / 2, middle - at.high / 2
    values = trace.summary.T[: at.cells]
    unit = float(np.abs(trace.summary).max()) or 1.0
    if there:
        sheet.image(x, y, wide, at.high, signed(values / unit))
    sheet.frame(x, y, wide, at.high, lit=there)
    sheet.text(at.between, y - 10 * at.scale, f"1 × {trace.summary.size}")
    sheet.arrow((reader.right, middle), (x - 3 * at.scale, middle), opacity=strength)
    below, left = y + at.high + at.gap / 2, reader.left - 5 * at.scale
    begins = (reader.left + 0.16 * at.column, at.middle(ways["backward"]))
    path = [begins, (left, begins[1]), (left, below), (at.between, below)]
    sheet.arrow(*path, (at.between, y + at.high + 3 * at.scale), opacity=strength)
    for row, box in enumerate(writer.stack.boxes):
        if box.way:
            turn, ends = at.between + wide / 2 + 8 * at.scale, at.middle(row)
            path = [(x + wide, middle), (turn, middle), (turn, ends), (writer.left, ends)]
            sheet.arrow(*path, opacity=strength)


def _keys_and_values(sheet: Diagram, at: Layout) -> None:
    """What the last encoder knows of each word goes to every decoder."""
    reader, writer = at.placed
    last = len(reader.stack.boxes) - 1
    there = reader.lit.boxes > last
    strength = 0.6 if there else 0.12
    y = at.middle(last)
    rows = [row for row, box in enumerate(writer.stack.boxes) if box.kind == "decoder"]
    lowest = at.middle(min(rows))
    sheet.line((reader.right, y), (at.between, y), (at.between, lowest), opacity=strength, wide=2)
    box = reader.stack.boxes[last]
    sheet.text(at.between, y - 10 * at.scale, f"{len(box.values)} × {box.width}")
    for row in rows:
        ends = (writer.left - 4 * at.scale, at.middle(row))
        sheet.arrow((at.between, at.middle(row)), ends, opacity=strength, wide=2)
        sheet.text((at.between + writer.left) / 2, at.middle(row) - 10 * at.scale, "K, V")


def _look(sheet: Diagram, at: Layout, trace: MachineTrace, token: int) -> None:
    """Bahdanau et al. 2015, figure 1: the states of the reader, each as strong as its weight."""
    reader, writer = at.placed
    assert trace.weights is not None
    row = next(i for i, box in enumerate(writer.stack.boxes) if box.kind == "context")
    top = at.top(len(reader.stack.boxes) - 1)
    joint = (at.between, top - at.pitch)
    for key in reader.tokens():
        weight = float(trace.weights[token, key])
        ends = [(reader.x(key), top - 3 * at.scale), joint]
        sheet.line(*ends, opacity=0.08 + 0.92 * weight, wide=0.6 + 3.4 * weight)
        if weight >= 0.05 and at.column >= 24 * at.scale:
            sheet.text(reader.x(key), top - 11 * at.scale, f"{weight:.2f}".lstrip("0"), red=True)
    sheet.text(joint[0], joint[1] - 12 * at.scale, "c = Σ a h", bold=True)
    over, x = at.top(row) - at.gap / 2, writer.x(token)
    path = [joint, (joint[0], over), (x, over), (x, at.top(row) - 2 * at.scale)]
    sheet.arrow(*path, opacity=0.8, wide=2)


def _now(sheet: Diagram, at: Layout, moment: Moment) -> None:
    """A frame around what is computed at this step."""
    placed = at.placed[-1] if moment.writer.tokens else at.placed[0]
    pad = 2 * at.scale

    def column(token: int, rows: Sequence[int]) -> None:
        if token in placed.tokens():
            x, top = placed.x(token) - at.column / 2, at.top(max(rows))
            low = at.top(min(rows)) + at.high
            sheet.frame(x, top - pad, at.column, low - top + 2 * pad, now=True)

    if moment.writes is not None:
        column(moment.writes, range(len(placed.stack.boxes)))
    elif told.unrolled(placed.stack):
        for row, box in enumerate(placed.stack.boxes):
            last = placed.lit.tokens - 1
            column(len(placed.stack.tokens) - 1 - last if box.way == "backward" else last, [row])
    elif placed.lit.boxes:
        top = at.top(placed.lit.boxes - 1)
        sheet.frame(
            placed.left - pad, top - pad, placed.wide + 2 * pad, at.high + 2 * pad, now=True
        )

"""A tune as notes on a staff, some bars a line."""

from __future__ import annotations

import altair as alt
import pandas as pd

from viz_core.analysis.sound import finding
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.recurrent import x_at, y_at
from viz_core.text.tunes import METRES, SHARPENED, Note, Tune, letter_at, signature

BARS = 4  # bars of a line
STEP, STAFF = 4.2, 88  # pixels of a step of the scale, and from one staff to the next
HEAD = 92  # pixels for clef, key and metre
LINES = (2, 4, 6, 8, 10)  # steps with a line: E G B d f
MIDDLE = 6
SIGNS = {"^": "♯", "_": "♭", "=": "♮", "^^": "♯♯", "__": "♭♭"}
RAISED = {"F": 10, "C": 7, "G": 11, "D": 8, "A": 5, "E": 9, "B": 6}  # where a key signature stands
NOT_ALL = 48  # bars drawn at most


class Staff:
    """Pixels of a tune: a line of bars under the other."""

    def __init__(self, tune: Tune, room: Room) -> None:
        self.scale, self.tune = room.scale, tune
        self.bars = min(len(tune.bars), NOT_ALL)
        self.lines = max(-(-self.bars // BARS), 1)
        self.wide = (room.width - HEAD * self.scale) / BARS
        high = min(STAFF * self.scale, room.tall / self.lines)
        self.step = min(STEP * self.scale, high / 21)
        self.line = high
        self.size = (room.width, self.lines * high + 4 * self.step)
        self.starts = [sum(tune.bars[:bar]) for bar in range(len(tune.bars))]

    def left(self, bar: int) -> float:
        return HEAD * self.scale + bar % BARS * self.wide

    def y(self, line: int, step: float) -> float:
        return line * self.line + self.line / 2 + (MIDDLE - step) * self.step

    def x(self, note: Note) -> float:
        longest = max(self.tune.bars[note.bar], METRES[self.tune.metre])
        share = (note.start - self.starts[note.bar] + 0.55) / (longest + 0.4)
        return self.left(note.bar) + share * self.wide


@drawn
def staff(tune: Tune, *, room: Room = PAGE) -> style.AnyChart:
    """Heads, stems and flags: an open head lasts four eighths or more, a dot adds a half. A letter
    G stands where a clef would curl round its line."""
    if not tune.notes:
        return style.blank("There are no notes yet.", room.scale)
    place = Staff(tune, room)
    wide, high = place.size
    notes = [note for note in tune.notes if note.bar < place.bars]
    rules = pd.DataFrame(_rules(place, notes), columns=["x", "y", "x2", "y2", "thick"])
    heads = pd.DataFrame(
        [
            {
                "x": place.x(note),
                "y": place.y(note.bar // BARS, note.step),
                "filled": 0.0 if note.length >= 4 else 1.0,
                "note": SIGNS.get(note.sign, "") + letter_at(note.step),
                "eighths": round(note.length, 2),
                "bar": note.bar + 1,
            }
            for note in notes
            if note.step is not None
        ]
    )
    lines = (
        alt.Chart(rules)
        .mark_rule(color=style.INK, tooltip=None)
        .encode(
            x=x_at("x", wide),
            y=y_at("y", high),
            x2="x2:Q",
            y2="y2:Q",
            strokeWidth=alt.StrokeWidth("thick:Q", scale=None),
            opacity=alt.condition("datum.thick < 1", alt.value(0.45), alt.value(1.0)),
        )
    )
    circles = (
        alt.Chart(heads)
        .mark_point(
            shape="circle",
            size=(place.step * 2.1) ** 2,
            stroke=style.INK,
            strokeWidth=1.6,
            opacity=1,
        )
        .encode(
            x=x_at("x", wide),
            y=y_at("y", high),
            fill=alt.condition("datum.filled > 0", alt.value(style.INK), alt.value("transparent")),
            tooltip=["note:N", "eighths:Q", "bar:Q"],
        )
    )
    words = pd.DataFrame(_words(place, notes), columns=["x", "y", "text", "size"])
    texts = (
        alt.Chart(words)
        .mark_text(color=style.INK, tooltip=None)
        .encode(
            x=x_at("x", wide),
            y=y_at("y", high),
            text="text:N",
            size=alt.Size("size:Q", scale=None, legend=None),
        )
    )
    return style.layered(lines, circles, texts).properties(
        width=wide,
        height=high,
        autosize=style.PAD,
        view=alt.ViewBackground(strokeOpacity=0),
        description=finding(tune),
    )


def _rules(place: Staff, notes: list[Note]) -> list[tuple[float, ...]]:
    """Staff lines, bar lines, ledger lines, stems and flags."""
    found: list[tuple[float, ...]] = []
    for line in range(place.lines):
        last = min(place.bars, (line + 1) * BARS) - 1
        right = place.left(last) + place.wide
        found += [(0, place.y(line, step), right, place.y(line, step), 0.8) for step in LINES]
        for bar in range(line * BARS, last + 1):
            x = place.left(bar) + place.wide
            found.append((x, place.y(line, 2), x, place.y(line, 10), 1.5))
    for note in notes:
        if note.step is None:
            continue
        line, x, y = note.bar // BARS, place.x(note), place.y(note.bar // BARS, note.step)
        ledgers = [*range(0, note.step - 1, -2), *range(12, note.step + 1, 2)]
        width = 1.9 * place.step
        found += [(x - width, place.y(line, s), x + width, place.y(line, s), 0.8) for s in ledgers]
        if note.length >= 8:
            continue
        up = note.step < MIDDLE
        stem = x + (0.95 if up else -0.95) * place.step
        tip = y - (7 if up else -7) * place.step
        found.append((stem, y, stem, tip, 1.5))
        flags = 0 if note.length >= 1.75 else 1 if note.length >= 0.6 else 2
        for flag in range(flags):
            top = tip + (1 if up else -1) * flag * 1.8 * place.step
            bend = top + (2.2 if up else -2.2) * place.step
            found.append((stem, top, stem + 1.9 * place.step, bend, 2.0))
    return found


def _words(place: Staff, notes: list[Note]) -> list[tuple[float, float, str, float]]:
    """Clef, key, metre, signs before notes, rests and dots."""
    found = []
    key = signature(place.tune.key)
    ordered = [letter for letter in SHARPENED if letter in key]
    for line in range(place.lines):
        found.append((13 * place.scale, place.y(line, 4), "G", 5.2 * place.step))
        for number, letter in enumerate(ordered):
            sign = "♯" if key[letter] > 0 else "♭"
            x = (32 + 8 * number) * place.scale
            found.append((x, place.y(line, RAISED[letter]), sign, 4.2 * place.step))
    top, under = place.tune.metre.split("/")
    for step, text in ((8, top), (4, under)):
        found.append((80 * place.scale, place.y(0, step), text, 4.6 * place.step))
    for note in notes:
        line = note.bar // BARS
        if note.step is None:
            found.append((place.x(note), place.y(line, 6), "–", 6 * place.step))
            continue
        y = place.y(line, note.step)
        if note.sign in SIGNS:
            found.append((place.x(note) - 2.6 * place.step, y, SIGNS[note.sign], 4 * place.step))
        if note.length in (1.5, 3, 6):
            found.append((place.x(note) + 2.2 * place.step, y, "·", 6 * place.step))
    return found

"""Folk tunes in ABC notation: letters in, notes out.

A note is a letter with its octave and its length in units of an eighth: C, is below C is below c
is below c'; G2 lasts two units, G/ half a one, (3GAB three in the time of two, G>A takes half of A
for G. ^ raises, _ lowers and = undoes the key signature, up to the next bar line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

SCALE = "CDEFGAB"
SEMITONES = (0, 2, 4, 5, 7, 9, 11)  # of the scale, above C
SHARPS = {"F": -1, "C": 0, "G": 1, "D": 2, "A": 3, "E": 4, "B": 5}  # of the major keys
MODES = {"Major": 0, "Mixolydian": -1, "Dorian": -2, "Minor": -3}
SHARPENED = "FCGDAEB"  # the order in which a key signature raises; lowered from its end
METRES = {"6/8": 6, "4/4": 8, "2/2": 8, "3/4": 6, "2/4": 4, "9/8": 9}  # eighths of a bar
MIDDLE = 60  # the number of middle C, written C
_TOKEN = re.compile(
    r"(?P<bar>:?\|+:?|\|\]|::)|(?P<ending>\[[12]?)|(?P<three>\(3)|(?P<longer>[<>])"
    r"|(?P<sign>[_^=]{0,2})(?P<letter>[A-Ga-gz])(?P<octave>[,']*)(?P<times>\d*)(?P<over>/*\d*)"
)


def place(letter: str) -> int:
    """Steps of the scale above C: C is 0, c is 7, C, is -7."""
    step = SCALE.index(letter[0].upper()) + (7 if letter[0].islower() else 0)
    return step + 7 * (letter.count("'") - letter.count(","))


def letter_at(step: int) -> str:
    octave, letter = divmod(step, 7)
    name = SCALE[letter] if octave <= 0 else SCALE[letter].lower()
    return name + "'" * (octave - 1) + "," * -octave


def raised(letter: str, steps: int) -> str:
    return letter_at(place(letter) + steps)


def transposed(notes: str, steps: int) -> str:
    """Every note so many steps of the scale higher; the key signature must go with them."""
    return re.sub(r"[A-Ga-g][,']*", lambda found: raised(found[0], steps), notes)


def signature(key: str) -> dict[str, int]:
    """What the key does to each letter: 1 raises it, -1 lowers it."""
    root, _, mode = key.partition(" ")
    if root not in SHARPS or mode not in MODES:
        raise ValueError(f"{key[:20]!r} is no key that is known here: say for example G Major.")
    count = SHARPS[root] + MODES[mode]
    changed = SHARPENED[:count] if count > 0 else SHARPENED[count:] if count else ""
    return dict.fromkeys(changed, 1 if count > 0 else -1)


@dataclass(frozen=True, slots=True)
class Note:
    """step is its place on the staff; a rest has none. Times are in eighths."""

    step: int | None
    pitch: int  # half tones, middle C is 60; 0 for a rest
    start: float
    length: float
    bar: int
    sign: str  # as written before it: ^, _ or =


@dataclass(frozen=True, slots=True)
class Tune:
    metre: str
    key: str
    notes: tuple[Note, ...]
    bars: tuple[float, ...]  # how long each bar is

    @property
    def full(self) -> float:
        """The share of bars that are as long as the metre says; the first may be a pick-up."""
        inner = self.bars[1:-1] or self.bars
        right = sum(abs(bar - METRES[self.metre]) < 1e-6 for bar in inner)
        return right / len(inner) if inner else 0.0


def is_known(line: str) -> bool:
    """Whether metre and key are among those that can be read."""
    found = re.match(r"\s*M:\s*(\S+)\s+K:\s*([A-G])\s+(\w+)", line)
    return bool(found and found[1] in METRES and found[3] in MODES)


def read(line: str) -> Tune:
    """A line "M:6/8 K:G Major GAB ...|" as notes. Signs that are no notes are passed over."""
    found = re.match(r"\s*M:\s*(\S+)\s+K:\s*([A-G])\s*(\w+)\s*(.*)", line, re.DOTALL)
    if not found or not is_known(line):
        raise ValueError("A tune begins with its metre and its key, such as M:6/8 K:G Major")
    metre, key, written = found[1], f"{found[2]} {found[3]}", found[4]
    notes: list[Note] = []
    bars: list[float] = []
    filled = 0.0
    for note, ends in _notes(written, signature(key)):
        if ends:
            if filled:
                bars.append(filled)
            filled = 0.0
            continue
        step, pitch, length, sign = note
        notes.append(Note(step, pitch, sum(bars) + filled, length, len(bars), sign))
        filled += length
    if filled:
        bars.append(filled)
    return Tune(metre, key, tuple(notes), tuple(bars))


def _notes(
    written: str, key: dict[str, int]
) -> Iterator[tuple[tuple[int | None, int, float, str], bool]]:
    """Notes as (step, pitch, length, sign), and bar lines as (nothing, True)."""
    changed: dict[int, int] = {}
    triplet, waiting = 0, 1.0
    tokens = list(_TOKEN.finditer(written))
    for number, token in enumerate(tokens):
        if token["bar"]:
            changed.clear()
            yield (None, 0, 0.0, ""), True
        elif token["three"]:
            triplet = 3
        elif token["letter"]:
            length = _length(token["times"], token["over"]) * waiting
            after = tokens[number + 1]["longer"] if number + 1 < len(tokens) else None
            length *= {">": 1.5, "<": 0.5}.get(after or "", 1.0)
            waiting = {">": 0.5, "<": 1.5}.get(after or "", 1.0)
            if triplet:
                length, triplet = length * 2 / 3, triplet - 1
            if token["letter"] == "z":
                yield (None, 0, length, ""), False
                continue
            step = place(token["letter"] + token["octave"])
            if token["sign"]:
                marks = token["sign"]
                changed[step] = marks.count("^") - marks.count("_")
            bent = changed.get(step, key.get(SCALE[step % 7], 0))
            pitch = MIDDLE + 12 * (step // 7) + SEMITONES[step % 7] + bent
            yield (step, pitch, length, token["sign"]), False


def _length(times: str, over: str) -> float:
    whole = min(int(times[:2] or 1), 16) or 1
    if not over:
        return float(whole)
    digits = over.strip("/")
    return whole / (min(int(digits[:2]), 16) or 1 if digits else 2 ** over.count("/"))

"""Folk tunes in ABC notation: letters in, notes out.

A note is a letter with its octave and its length in units of an eighth: C, is below C is below c
is below c'; G2 lasts two units, G/ half a one, (3GAB three in the time of two, G>A takes half of A
for G. ^ raises, _ lowers and = undoes the key signature, up to the next bar line.
"""

from __future__ import annotations

import re

SCALE = "CDEFGAB"


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

"""Typed bits: "10110010 01101100" is two inputs of eight bits each."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

WIDTH = 8
Bits = tuple[tuple[int, ...], ...]  # (length, bit)


def read(text: str, most: int) -> Bits:
    """Blanks, commas and semicolons are skipped, and every eight bits are one input."""
    signs = re.sub(r"[\s,;|\[\]()]", "", text)
    if not signs:
        raise ValueError("There is nothing to copy yet: type bits, such as 10110010 01101100.")
    other = re.search(r"[^01]", signs)
    if other:
        raise ValueError(f"{other.group()!r} is not a bit: type 0 and 1 only, eight for an input.")
    count = -(-len(signs) // WIDTH)
    if count > most:
        raise ValueError(
            f"These are {len(signs):,} bits, which make {count:,} inputs; at most {most} fit into "
            "the memory."
        )
    if len(signs) % WIDTH:
        missing = WIDTH * count - len(signs)
        raise ValueError(
            f"These are {len(signs)} bits: the last input lacks {missing} of its {WIDTH}."
        )
    return tuple(
        tuple(map(int, signs[start : start + WIDTH])) for start in range(0, len(signs), WIDTH)
    )


def write(bits: Sequence[Sequence[int]]) -> str:
    """The text that `read` reads back."""
    return " ".join("".join(map(str, row)) for row in bits)


def draw(length: int, seed: int = 1) -> str:
    """A random pattern; the same seed gives the same one."""
    source = random.Random(1000 * length + seed)
    return write([[source.randint(0, 1) for _ in range(WIDTH)] for _ in range(length)])


def flipped(bits: Bits, place: int, bit: int) -> Bits:
    """The same pattern with one bit turned."""
    rows = [list(row) for row in bits]
    rows[place][bit] = 1 - rows[place][bit]
    return tuple(map(tuple, rows))


def steps(length: int) -> tuple[str, ...]:
    """What each step of copying is about: an input, the end mark, or an output."""
    numbers = range(1, length + 1)
    return (*(f"input {n}" for n in numbers), "the end mark", *(f"output {n}" for n in numbers))

"""Numbers that a visitor types, read with patience; what cannot be used gets a sentence."""

from __future__ import annotations

import math
import re

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]

MOST = 8  # rows and columns of a matrix that a hall can still read
LARGEST = 1e6


def read_number(text: str, name: str, low: float = -LARGEST, high: float = LARGEST) -> float:
    """One typed number, checked against its bounds."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if math.isnan(found):
        typed = f"{text.strip()[:20]!r} is not a number" if text.strip() else "it is empty"
        raise ValueError(f"{name}: {typed}. Type a number such as 2 or -0.5.")
    if not low <= found <= high:
        raise ValueError(f"{name}: {text.strip()[:20]} is not between {low:g} and {high:g}.")
    return found


def read_matrix(text: str, name: str) -> Numbers:
    """ "1 0; 0 2" is [[1, 0], [0, 2]]; a matrix pasted with brackets and commas is read too."""
    rows = [row for row in re.split(r"[;\n]|\]\s*,?\s*\[", text) if row.strip(" \t,[]")]
    if not rows:
        raise ValueError(f"{name} is empty. Type rows of numbers, parted by semicolons: 1 0; 0 2")
    table = [
        [read_number(entry, name) for entry in row.strip(" \t,[]").replace(",", " ").split()]
        for row in rows
    ]
    widths = sorted({len(row) for row in table})
    if len(widths) > 1:
        raise ValueError(
            f"{name}: its rows have {widths[0]} and {widths[-1]} numbers; all must be equally long."
        )
    if max(len(table), widths[0]) > MOST:
        raise ValueError(f"{name} is {len(table)} x {widths[0]}; at most {MOST} x {MOST} fit.")
    return np.array(table)


def write_matrix(values: ArrayLike) -> str:
    """The text that read_matrix reads back."""
    table = np.atleast_2d(np.asarray(values, dtype=float))
    return "; ".join(" ".join(f"{value:.10g}" for value in row) for row in table)


def read_dimensions(text: str, width: int) -> list[int]:
    """ "4-7" or "4 5 6 7": dimensions of a vector, counted from 0."""
    spans = re.findall(r"(\d+)(?:\s*(?:-|–|to)\s*(\d+))?", text)
    leftover = re.sub(r"\d+(?:\s*(?:-|–|to)\s*\d+)?|[\s,;]", "", text)
    if not spans or leftover:
        raise ValueError("Which dimensions? Type them as 4-7 or as 4 5 6 7.")
    ends = [(int(first), int(last or first)) for first, last in spans]
    if max(map(max, ends)) >= width:
        raise ValueError(f"There are {width} dimensions, 0 to {width - 1}: stay among them.")
    found = sorted({dim for first, last in ends for dim in range(first, last + 1)})
    if not 1 <= len(found) <= 12:
        raise ValueError(f"{len(found)} curves cannot be told apart: choose 1 to 12 dimensions.")
    return found


def name_rows(typed: str, count: int, what: str = "x") -> tuple[str, ...]:
    """A word for each row; rows without one are called x3, x4."""
    words = typed.split()
    if len(words) > count:
        raise ValueError(
            f"There are {len(words)} words but {what} has {count} "
            f"{'row' if count == 1 else 'rows'}: take words away or add rows."
        )
    return (*words, *(f"x{i + 1}" for i in range(len(words), count)))


def read_gating(text: str) -> Numbers:
    """Three rows for the example of a gate: g, which lies in [0, 1], the new x and the old s."""
    rows = read_matrix(text, "g, x, s")
    if len(rows) != 3:
        raise ValueError(f"Three rows are needed, g; x; s, and there are {len(rows)}.")
    if rows[0].min() < 0 or rows[0].max() > 1:
        raise ValueError("A gate lies between 0 (closed) and 1 (open): change the first row, g.")
    return rows

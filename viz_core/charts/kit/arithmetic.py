"""Numbers and sums as on a blackboard."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

EXACT = 4  # decimals of the arithmetic, so that a student who checks it gets the same
TERMS = 6  # a sum of more of them is shortened


def number(value: float, digits: int = EXACT) -> str:
    """As on a blackboard: no needless zeros, a true minus sign, no minus zero.

    A number that is only rounded keeps its zeros: 1.99997 is 2.0000, not 2.
    """
    if np.isnan(value):
        return "none"
    if not np.isfinite(value):
        return "−∞" if value < 0 else "∞"
    exact = (places for places in range(digits) if abs(value - round(value, places)) < 1e-9)
    text = f"{value:.{next(exact, digits)}f}"
    return text.replace("-", "−") if float(text) else text.lstrip("-")


def vector(values: Iterable[float]) -> str:
    return "[" + ", ".join(map(number, values)) + "]"


def added(left: ArrayLike, right: ArrayLike) -> str:
    """Products and their sum, "1·4 + 0·4 + 2·0 = 4"; a long sum is shortened."""
    first, second = np.asarray(left, dtype=float), np.asarray(right, dtype=float)
    pairs = [(number(a), number(b)) for a, b in zip(first, second, strict=True)]
    terms = [f"{a}·({b})" if b.startswith("−") else f"{a}·{b}" for a, b in pairs]
    if len(pairs) > TERMS:
        terms = [*terms[: TERMS // 2], f"… ({len(pairs)} products)"]
    return f"{' + '.join(terms)} = {number(float(first @ second))}"

"""ROUGE of Lin 2004, our own: words in small letters, no stemming; F1 against one reference."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

KINDS = ("ROUGE-1", "ROUGE-2", "ROUGE-L")


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def f1(common: float, written: int, reference: int) -> float:
    return 2 * common / (written + reference) if written and reference else 0.0


def n_grams(tokens: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[i:] for i in range(size)), strict=False))


def common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest one, row by row."""
    row = [0] * (len(second) + 1)
    for one in first:
        before = row
        row = [0]
        for place, other in enumerate(second):
            row.append(before[place] + 1 if one == other else max(before[place + 1], row[-1]))
    return row[-1]


def rouge(written: str, reference: str) -> dict[str, float]:
    one, other = words(written), words(reference)
    scores = {}
    for size in (1, 2):
        ours, theirs = n_grams(one, size), n_grams(other, size)
        scores[f"ROUGE-{size}"] = f1((ours & theirs).total(), ours.total(), theirs.total())
    scores["ROUGE-L"] = f1(common_subsequence(one, other), len(one), len(other))
    return scores


def mean(pairs: Iterable[tuple[str, str]]) -> dict[str, float]:
    """Of (written, reference) each, in per cent."""
    found = [rouge(*pair) for pair in pairs]
    return {kind: 100 * sum(one[kind] for one in found) / max(len(found), 1) for kind in KINDS}

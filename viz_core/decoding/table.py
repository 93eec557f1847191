"""The blackboard's model: next-word probabilities looked up by what has been written.

The table is the one of Zhang et al., Dive into Deep Learning, figures 10.8.1 and 10.8.2: always
taking the likeliest word gives A B C <eos> with .5 * .4 * .4 * .6 = .048, while taking C at step 2
leads to A C B <eos> with .5 * .3 * .6 * .6 = .054.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from viz_core.analysis.hypotheses import Output
from viz_core.decoding import exhaustive
from viz_core.decoding.search import Beam, Next, State, Tree, beam as beam_search
from viz_core.text import END, SPECIAL

WORDS = ("A", "B", "C", "<eos>")
IDS = (len(SPECIAL), len(SPECIAL) + 1, len(SPECIAL) + 2, END)
ANY = "*"  # whatever word stands here
START = "(start)"  # shown where nothing has been written
LONGEST = 6  # words that a row may look back on
EXACT = 0.005  # how far from 1 a row may sum before it counts as mistyped


@dataclass(frozen=True, slots=True)
class Row:
    """After these words, the probability of each of WORDS."""

    after: tuple[str, ...]
    probabilities: tuple[float, ...]

    @property
    def name(self) -> str:
        return " ".join(self.after) or START

    def fits(self, written: Sequence[str]) -> bool:
        return len(self.after) == len(written) and all(
            wanted in (ANY, word) for wanted, word in zip(self.after, written, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Table:
    """The rows as a decoding.Steps: the row that fits with the fewest * decides."""

    rows: tuple[Row, ...]

    @property
    def length(self) -> int:
        """Words that an output may have, <eos> included."""
        return 1 + max(len(row.after) for row in self.rows)

    def row(self, written: Sequence[str]) -> Row:
        fitting = [row for row in self.rows if row.fits(written)]
        if not fitting:
            raise ValueError(
                f"The table has no row for what comes after {' '.join(written) or START}: add one, "
                f"or one with {ANY} for any word."
            )
        return min(fitting, key=lambda row: row.after.count(ANY))

    def first(self) -> State:
        return (torch.zeros(1, 0, dtype=torch.long),)

    def step(self, state: State, tokens: Tensor) -> Next:
        written = torch.cat((state[0], tokens.unsqueeze(1)), dim=1)  # <s>, then words
        log_probs = torch.full((len(written), len(SPECIAL) + 3), -math.inf, dtype=torch.float64)
        for place, ids in enumerate(written.tolist()):
            found = self.row([label(token) for token in ids[1:]]).probabilities
            log_probs[place, list(IDS)] = torch.tensor(found, dtype=torch.float64).log()
        return Next(log_probs, None, (written,))


LECTURE = Table(
    (
        Row((), (0.5, 0.2, 0.2, 0.1)),
        Row((ANY,), (0.1, 0.4, 0.3, 0.2)),
        Row((ANY, ANY), (0.2, 0.2, 0.4, 0.2)),
        Row((ANY, ANY, ANY), (0.0, 0.2, 0.2, 0.6)),
        Row(("A", "C"), (0.1, 0.6, 0.2, 0.1)),
        Row(("A", "C", ANY), (0.1, 0.2, 0.1, 0.6)),
    )
)


def label(token: int) -> str:
    return WORDS[IDS.index(token)] if token in IDS else SPECIAL[token]


def text(ids: Sequence[int]) -> str:
    return " ".join(map(label, ids))


def write(table: Table) -> str:
    """The table as a line of text that fits into a link, and that read() reads back."""
    return "; ".join(
        " ".join([*row.after, *(f"{value:.6g}" for value in row.probabilities)])
        for row in table.rows
    )


def read(typed: str) -> tuple[Table, tuple[str, ...]]:
    """A typed table, and a sentence for each row that had to be brought to a sum of 1."""
    rows: list[Row] = []
    notices: list[str] = []
    for line in filter(str.strip, typed.replace(START, "").split(";")):
        row = _row(line.split())
        if row.after in (other.after for other in rows):
            raise ValueError(f"The table has two rows {row.name}: keep one of them.")
        total = sum(row.probabilities)
        if total == 0:
            raise ValueError(f"The row {row.name} sums to 0: some word must come.")
        if abs(total - 1) > EXACT:
            notices.append(f"The row {row.name} sums to {total:.2f}: it was divided by that.")
        rows.append(Row(row.after, tuple(value / total for value in row.probabilities)))
    if () not in (row.after for row in rows):
        raise ValueError(f"The table has no row {START}: the search has nowhere to begin.")
    return Table(tuple(rows)), tuple(notices)


def _row(parts: list[str]) -> Row:
    after, typed = tuple(parts[: -len(WORDS)]), parts[-len(WORDS) :]
    strange = [word for word in after if word not in (*WORDS[:-1], ANY)]
    if strange or len(typed) < len(WORDS):
        raise ValueError(
            f"A row is written as words out of {', '.join(WORDS[:-1])} and {ANY} for any of them, "
            f"then {len(WORDS)} probabilities, not as {' '.join(parts)[:40]!r}."
        )
    if len(after) > LONGEST:
        raise ValueError(f"A row may look back on {LONGEST} words at most, not on {len(after)}.")
    row = Row(after, tuple(map(_number, typed)))
    for word, value in zip(WORDS, row.probabilities, strict=True):
        if not 0 <= value <= 1:  # false for NaN too
            raise ValueError(f"{word} in row {row.name} needs a probability between 0 and 1.")
    return row


def _number(typed: str) -> float:
    try:
        return float(typed)
    except ValueError:
        return math.nan


def search(table: Table, size: int, alpha: float) -> Tree:
    """Beam search over the table; all four words of each hypothesis are on record."""
    return beam_search(table, Beam(size=size, limit=table.length, alpha=alpha, shown=len(WORDS)))


def chances(table: Table, ids: Sequence[int]) -> list[float]:
    """The probability of each word of an output, given the words before it."""
    words = [label(token) for token in ids]
    return [
        table.row(words[:place]).probabilities[WORDS.index(word)]
        for place, word in enumerate(words)
    ]


def exhaust(table: Table, alpha: float) -> Output:
    """The best output of all, which a table this small always proves."""
    everything = len(WORDS) ** table.length
    beam = Beam(size=1, limit=table.length, alpha=alpha)
    return exhaustive.search(table, beam, budget=everything).output(text)

"""A table of texts asked two ways: rows that match, as in SQL, and all rows by how well they fit.

WHERE column = 'text'           the rows that are equal, all of them
WHERE column LIKE 'begin%'      the rows that fit a pattern: % is any text, _ any sign
sum_i softmax(s(q, k_i) / T) v_i    every row, with s the similarity of two texts
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from viz_core.by_hand.attention import Numbers
from viz_core.by_hand.lookup import tempered

Operator = Literal["=", "LIKE"]
MOST_ROWS, MOST_COLUMNS, LONGEST = 12, 5, 80

PERSONS = """ID, Name, Family
005123174812, Ali, Ahmadi
015843268901, Mohammad Reza, Ali Mohammadi
005123174823, Ashkan, Mohammadi"""  # the lecture's table

_CONDITION = re.compile(
    r"""\s*(?:where\s+)?(?P<column>\w+)\s*(?P<operator>=|like\b)\s*["'‘’“”]?(?P<wanted>.*?)
    ["'‘’“”]?\s*;?\s*""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> tuple[str, ...]:
        """The texts of a column, whose name may be typed in any case."""
        names = [each.lower() for each in self.columns]
        if name.lower() not in names:
            raise ValueError(
                f"The table has no column {name[:20]!r}: it has {', '.join(self.columns)}."
            )
        place = names.index(name.lower())
        return tuple(row[place] for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    column: str
    operator: Operator
    wanted: str

    @property
    def query(self) -> str:
        """What is asked for, without the signs that stand for any text."""
        return self.wanted.replace("%", "") if self.operator == "LIKE" else self.wanted

    def __str__(self) -> str:
        return f"{self.column} {self.operator} '{self.wanted}'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Both answers: the rows that match, and a weight for each row."""

    table: Table
    keys: tuple[str, ...]  # what the query was compared with
    query: str
    asked: str  # the condition as it would be written
    rows: tuple[int, ...]  # that match
    scores: Numbers  # (row,): similarities
    weights: Numbers  # (row,)
    temperature: float


def read_table(text: str) -> Table:
    """A line a row, commas between its cells; the first line names the columns."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        raise ValueError("Write a line with the names of the columns, then a line for each row.")
    columns, *rows = (tuple(cell.strip() for cell in line.split(",")) for line in lines)
    if len(rows) > MOST_ROWS or len(columns) > MOST_COLUMNS:
        raise ValueError(
            f"The table has {len(rows)} rows and {len(columns)} columns: up to {MOST_ROWS} and "
            f"{MOST_COLUMNS} can be drawn."
        )
    if len({name.lower() for name in columns}) < len(columns) or not all(columns):
        raise ValueError("Each column needs a name of its own, in the first line.")
    wrong = next((number for number, row in enumerate(rows) if len(row) != len(columns)), None)
    if wrong is not None:
        raise ValueError(
            f"Row {wrong + 1} has {len(rows[wrong])} cells and the first line {len(columns)} names."
        )
    longest = max(len(cell) for row in (columns, *rows) for cell in row)
    if longest > LONGEST:
        raise ValueError(f"A cell has {longest} signs: write {LONGEST} at most.")
    return Table(columns=columns, rows=tuple(rows))


def read_condition(text: str) -> Condition:
    """ "ID LIKE '0051%'" as its three parts."""
    found = _CONDITION.fullmatch(text)
    if not found or not found["wanted"].strip():
        raise ValueError("Write a condition such as ID = '015843268901' or ID LIKE '00512317%'.")
    if len(found["wanted"]) > LONGEST:
        raise ValueError(f"The text that is asked for is too long: write {LONGEST} signs at most.")
    operator: Operator = "=" if found["operator"] == "=" else "LIKE"
    return Condition(column=found["column"], operator=operator, wanted=found["wanted"])


def matching(keys: Sequence[str], condition: Condition) -> tuple[int, ...]:
    """Every row that is equal, or that fits the pattern; capitals count, as in most databases."""
    if condition.operator == "=":
        return tuple(place for place, key in enumerate(keys) if key == condition.wanted)
    signs = {"%": ".*", "_": "."}
    pattern = "".join(signs.get(sign, re.escape(sign)) for sign in condition.wanted)
    return tuple(place for place, key in enumerate(keys) if re.fullmatch(pattern, key, re.DOTALL))


def pairs(text: str) -> Counter[str]:
    """Neighbouring signs, counted; one sign alone is its own pair."""
    if len(text) < 2:
        return Counter([text] if text else [])
    return Counter(text[at : at + 2] for at in range(len(text) - 1))


def similarity(one: str, other: str) -> float:
    """Dice 1945: twice the pairs of signs that both have, over the pairs of either."""
    first, second = pairs(one), pairs(other)
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0


def select(table: Table, condition: Condition, temperature: float) -> Selection:
    """The rows that match, and softmax(similarity / T) over all."""
    keys = table.column(condition.column)
    scores = np.array([similarity(condition.query, key) for key in keys])
    return Selection(
        table=table,
        keys=keys,
        query=condition.query,
        asked=f"WHERE {condition}",
        rows=matching(keys, condition),
        scores=scores,
        weights=tempered(scores, temperature),
        temperature=temperature,
    )


def search(
    texts: Sequence[str],
    query: str,
    keys: NDArray[np.floating],
    asked: NDArray[np.floating],
    temperature: float,
) -> Selection:
    """Texts that hold the query letter by letter, and softmax(cosine / T) of vectors over all."""
    lengths = np.linalg.norm(keys, axis=1) * np.linalg.norm(asked)
    scores = (keys @ asked / np.maximum(lengths, 1e-9)).astype(float)
    literal = query.strip().lower()
    return Selection(
        table=Table(columns=("text",), rows=tuple((text,) for text in texts)),
        keys=tuple(texts),
        query=query.strip(),
        asked=f"WHERE text LIKE '%{query.strip()}%'",
        rows=tuple(place for place, text in enumerate(texts) if literal in text.lower()),
        scores=scores,
        weights=tempered(scores, temperature),
        temperature=temperature,
    )


def read_texts(text: str) -> tuple[str, ...]:
    """A line each."""
    lines = tuple(line.strip() for line in text.splitlines() if line.strip())
    if not 2 <= len(lines) <= MOST_ROWS:
        raise ValueError(f"Write 2 to {MOST_ROWS} texts, a line each: there are {len(lines)}.")
    longest = max(map(len, lines))
    if longest > 3 * LONGEST:
        raise ValueError(f"A text has {longest} signs: write {3 * LONGEST} at most.")
    return lines

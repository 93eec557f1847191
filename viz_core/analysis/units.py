"""What single units of a character model follow: found by measurement, told with its score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz_core.traces import Weights
from viz_core.traces.characters import GateTrace

Values = NDArray[np.float64]
MEMORY = "memory"
MEAN, BY_NUMBER = OTHERS = ("mean of all", "by number")
WEAK = 0.5  # |r| below which a page says that the unit follows only weakly


def inside_quotes(tokens: Sequence[str]) -> Values:
    """1 from an opening quotation mark up to its end; a paragraph ends it too."""
    found, opened = [], False
    for token in tokens:
        opened = False if token == "\n" else opened ^ (token == '"')
        found.append(float(opened))
    return np.array(found)


def after_space(tokens: Sequence[str]) -> Values:
    """1 where a word may begin."""
    return np.array([float(token.isspace()) for token in tokens])


def into_word(tokens: Sequence[str]) -> Values:
    """Letters read of the word so far."""
    return _since(tokens, str.isalpha)


def into_sentence(tokens: Sequence[str]) -> Values:
    """Characters since the last full stop, on a log scale."""
    return np.log1p(_since(tokens, lambda token: token not in ".!?\n"))


def _since(tokens: Sequence[str], goes_on: Callable[[str], bool]) -> Values:
    found, count = [], 0
    for token in tokens:
        count = count + 1 if goes_on(token) else 0
        found.append(float(count))
    return np.array(found)


FOLLOWED: dict[str, Callable[[Sequence[str]], Values]] = {
    "inside quotes": inside_quotes,
    "into the word": into_word,
    "into the sentence": into_sentence,
    "at a space": after_space,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Follower:
    """The unit that follows a property best: by which row, and how closely on other text."""

    follows: str
    row: str  # a gate, or the memory
    unit: int
    r: float  # Pearson's correlation

    @property
    def is_weak(self) -> bool:
        return abs(self.r) < WEAK


def rows(trace: GateTrace) -> Weights:
    """(row, unit, token): the gates, then the memory after each character."""
    return np.concatenate((trace.values, trace.memory[None, :, 1:]))


def table(trace: GateTrace, unit: int | None, follows: str = "") -> tuple[list[str], Weights]:
    """Names and values (row, token) to draw: the gates of one unit, or the mean over all units.

    One unit has its memory too, as a part of its largest size in this text. A property to compare
    with comes first, scaled to end at 1.
    """
    if unit is None:
        return [f"{name} gate, mean" for name in trace.gates], trace.values.mean(axis=1)
    names = [*(f"{name} gate" for name in trace.gates), f"{MEMORY} / largest"]
    values = rows(trace)[:, unit]
    values[-1] /= np.abs(values[-1]).max() or 1
    if follows not in FOLLOWED:
        return names, values
    wanted = FOLLOWED[follows](trace.tokens)
    wanted = wanted / max(wanted.max(), 1.0)
    return [follows, *names], np.concatenate((wanted[None], values)).astype(np.float32)


def correlation(values: NDArray[np.floating], wanted: Values) -> Values:
    """Pearson's r along the last axis; 0 where one of the two does not vary."""
    x = values - values.mean(axis=-1, keepdims=True, dtype=np.float64)
    y = wanted - wanted.mean()
    size = np.sqrt((x**2).sum(axis=-1) * (y**2).sum())
    return np.divide(x @ y, size, out=np.zeros_like(size), where=size > 1e-9)


def followers(traces: Sequence[GateTrace]) -> list[Follower]:
    """Chosen on the first half of the texts, scored on the second: luck does not count."""
    half = len(traces) // 2
    chosen, scored = (
        np.concatenate([rows(trace) for trace in part], axis=-1)
        for part in (traces[:half], traces[half:])
    )
    found = []
    for name, measure in FOLLOWED.items():
        first, second = (
            np.concatenate([measure(trace.tokens) for trace in part])
            for part in (traces[:half], traces[half:])
        )
        r = correlation(chosen, first)
        row, unit = np.unravel_index(int(np.abs(r).argmax()), r.shape)
        names = (*traces[0].gates, MEMORY)
        score = float(correlation(scored[row, unit], second))
        found.append(Follower(follows=name, row=names[row], unit=int(unit), r=round(score, 3)))
    return found


def read(measured: Mapping[str, Any]) -> dict[str, Follower]:
    """What a card's measurements say of its units, by the property that they follow."""
    found = (Follower(**each) for each in measured.get("followers", ()))
    return {follower.follows: follower for follower in found if follower.follows in FOLLOWED}


def choose(known: Mapping[str, Follower], shown: str, number: int) -> int | None:
    """The unit to look at: the one that follows what is shown, one by number, none for the mean."""
    if shown in known:
        return known[shown].unit
    return number - 1 if shown == BY_NUMBER else None


def verdict(trace: GateTrace, follower: Follower | None) -> str:
    """How closely a unit follows its property, measured on unread books and on this text."""
    if follower is None:
        return "**Look for** gates that change where a word or a quotation begins or ends."
    row = (*trace.gates, MEMORY).index(follower.row)
    wanted = FOLLOWED[follower.follows](trace.tokens)
    here = float(correlation(rows(trace)[row, follower.unit], wanted))
    varies = (
        f"on this text r = {_signed(here)}"
        if np.ptp(wanted)
        else "in this text that never changes, so there is nothing to follow"
    )
    weak = " (**weak**: no single unit follows it well)" if follower.is_weak else ""
    named = follower.row if follower.row == MEMORY else f"{follower.row} gate"
    return (
        f"**Look at** the {named} of unit {follower.unit + 1}: of all units it follows "
        f"“{follower.follows}” best, r = {_signed(follower.r)} on books it has not read{weak}; "
        f"{varies}."
    )


def _signed(r: float) -> str:
    return f"{r:.2f}".replace("-", "−")

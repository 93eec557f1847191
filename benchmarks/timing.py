"""Two things timed in turns, so that a busy machine favours neither."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Run = Callable[[], object]


def medians(runs: Sequence[Run], repeats: int) -> list[float]:
    """Processor milliseconds of each, one after the other, round by round; the first is thrown."""
    found: list[list[float]] = [[] for _ in runs]
    for _ in range(repeats + 1):
        for times, run in zip(found, runs, strict=True):
            start = time.process_time()
            run()
            times.append((time.process_time() - start) * 1000)
    return [statistics.median(times[1:]) for times in found]


@dataclass(frozen=True)
class Row:
    what: str
    ours: float
    theirs: float
    unit: str
    goal: float  # ours over theirs, at most

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs

    def __str__(self) -> str:
        verdict = "kept" if self.ratio <= self.goal else "MISSED"
        numbers = f"{self.ours:10.1f} {self.theirs:10.1f} {self.unit:3}"
        return f"{self.ratio:8.3f}  {self.goal:6.3g}  {verdict:6} {numbers}  {self.what}"


HEADER = f"{'ratio':>8}  {'goal':>6}  {'':6} {'ours':>10} {'theirs':>10}"


def show(title: str, rows: Sequence[Row]) -> None:
    print(f"\n{title}\n{HEADER}")
    for row in rows:
        print(row, flush=True)

"""What a hall did and met, counted while it happens and told as a table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from benchmarks.visitor import Answer

ACTIONS = ("opened", "typed", "stepped")
HEADER = (
    f"{'sessions':>8} {'actions':>8} {'p50 ms':>8} {'p95 ms':>8} {'p95/alone':>9} "
    f"{'errors':>7} {'lost':>5} {'MB start':>9} {'MB end':>7}"
)


@dataclass
class Tally:
    times: list[tuple[str, float]] = field(default_factory=list)  # of each action, in seconds
    errors: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    # By the name of a process, as the proxy tells it:
    served: Counter[str] = field(default_factory=Counter)  # sessions that began there
    lost: Counter[str] = field(default_factory=Counter)  # connections that broke by themselves
    dropped: Counter[str] = field(default_factory=Counter)  # connections that we broke
    returned: Counter[str] = field(default_factory=Counter)  # reconnected where they had been
    resumed: Counter[str] = field(default_factory=Counter)  # and to the very session
    arrived: Counter[str] = field(default_factory=Counter)  # reconnected, coming from another

    def add(self, action: str, answer: Answer) -> None:
        self.times.append((action, answer.seconds))
        self.actions[action] += 1
        for sentence in answer.sentences:
            self.errors[sentence[:100]] += 1

    @property
    def seconds(self) -> list[float]:
        return [seconds for _, seconds in self.times]

    def of(self, *actions: str) -> Tally:
        """These actions alone."""
        return Tally(times=[each for each in self.times if each[0] in actions])

    def connected(self, before: str | None, now: str) -> None:
        if before is None:
            self.served[now] += 1
        else:
            (self.returned if before == now else self.arrived)[now] += 1

    def quantile(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0

    def faults(self, killed: bool) -> list[str]:
        """What must not happen. A killed process may cost its own sessions, and only those."""
        found = [f"{times} x {error}" for error, times in self.errors.most_common(5)]
        # a figure of steps without a step would be none
        found += [f"nobody {kind} anything" for kind in ACTIONS if not self.actions[kind]]
        if len(self.lost) > killed:
            found.append(f"connections lost by {', '.join(sorted(self.lost))}")
        broken = self.lost.total() + self.dropped.total()
        back = self.returned.total() + self.arrived.total()
        if back < broken:
            found.append(f"{broken - back} connections did not come back")
        if not killed and self.arrived:
            found.append(f"{self.arrived.total()} came to a process that had not served them")
        return found

    def processes(self) -> list[str]:
        names = sorted({*self.served, *self.lost, *self.dropped, *self.returned, *self.arrived})
        return [
            f"process {name}: {self.served[name]} sessions began, {self.lost[name]} lost, "
            f"{self.dropped[name]} dropped by us; {self.returned[name]} came back to it "
            f"({self.resumed[name]} to their session), {self.arrived[name]} came from another"
            for name in names
        ]

    def told(self, what: str) -> str:
        p50, p95 = self.quantile(0.5) * 1000, self.quantile(0.95) * 1000
        return f"{what}: {len(self.seconds)} actions, p50 {p50:.0f} ms, p95 {p95:.0f} ms"

    def against(self, other: Tally) -> float:
        """How many times the median of the other p95 is."""
        return self.quantile(0.95) / max(other.quantile(0.5), 0.001)

    def row(self, count: int, alone: Tally, before: float, after: float) -> str:
        p50, p95 = self.quantile(0.5), self.quantile(0.95)
        return (
            f"{count:8d} {len(self.seconds):8d} {p50 * 1000:8.0f} {p95 * 1000:8.0f} "
            f"{self.against(alone):9.1f} {self.errors.total():7d} {self.lost.total():5d} "
            f"{before:9.0f} {after:7.0f}"
        )

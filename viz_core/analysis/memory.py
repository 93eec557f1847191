"""What the heads of a memory did, in numbers and in words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from viz_core.traces.memory import AddressTrace, MemoryTrace

SEEN = 0.05  # a place that no head ever gives as much to is left out of a picture
ERROR = "bit error, percent"  # on a card
FEWEST = 8  # places of a picture


def places(trace: MemoryTrace) -> NDArray[np.intp]:
    """The places that matter, in their order on the ring: all but the longest stretch unused."""
    largest = np.maximum(trace.writes.max(axis=0), trace.reads.max(axis=0))
    total = len(largest)
    used = np.flatnonzero(largest > SEEN)
    if not used.size:
        return np.arange(total)
    gaps = np.diff(used, append=used[0] + total)  # from each used place to the next one
    start = int(used[(int(gaps.argmax()) + 1) % len(used)])
    count = min(total, max(total - int(gaps.max()) + 1 + 2, FEWEST))  # and one more on both sides
    return (start - 1 + np.arange(count)) % total if count < total else np.arange(total)


def faithful(trace: MemoryTrace, ahead: int = 0) -> int:
    """Inputs that are read most where they were written most, so many steps ahead of the answer."""
    written = trace.writes[: trace.length].argmax(axis=1)
    began = trace.length + 1 - ahead
    read = trace.reads[began : began + trace.length].argmax(axis=1)
    return int((written == read).sum())


def verdict(trace: MemoryTrace) -> str:
    """Whether the copy is right, in words."""
    total = trace.bits.size
    many = "input" if trace.length == 1 else "inputs"
    count = f"{trace.wrong} of {total} bits wrong" if trace.wrong else f"all {total} bits right"
    beyond = f", {trace.longest} was the longest in training" if beyond_training(trace) else ""
    return f"{trace.length} {many} copied, {count}{beyond}"


def beyond_training(trace: MemoryTrace) -> bool:
    return trace.length > trace.longest


def finding(trace: MemoryTrace) -> str:
    """How it is done: the places of writing, found again at the answer or a step before it."""
    first, last = (int(trace.writes[at].argmax()) + 1 for at in (0, trace.length - 1))
    ahead = max((0, 1), key=lambda steps: faithful(trace, steps))
    when = ", a step before it says them" if ahead else ""
    others = f", input {trace.length} to place {last}" if trace.length > 1 else ""
    count = f"{faithful(trace, ahead)} of {trace.length}"
    return f"It writes input 1 to place {first}{others}; it reads {count} where it wrote them{when}"


def turn(trace: MemoryTrace) -> str:
    """What the read head does at the end mark, where the answer has to begin."""
    place, gate = strongest(trace.read, trace.length), float(trace.read.gate[trace.length])
    way = "by content" if gate > 0.5 else "by place"
    return f"At the end mark it comes to place {place + 1}, mostly {way} (g = {gate:.2f})"


def strongest(head: AddressTrace, step: int) -> int:
    """The place with the largest weight at a step."""
    return int(head.weights[step].argmax())


def errors(metrics: Mapping[str, Mapping[str, float]]) -> str:
    """The measured share of wrong bits by length, from a card."""
    return "; ".join(f"{split}: {found[ERROR]:.2f}%" for split, found in metrics.items())

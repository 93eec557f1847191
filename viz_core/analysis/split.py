"""One number on its way through the heads, in sentences with its own places."""

from __future__ import annotations

from viz_core.analysis.machine import spoken
from viz_core.traces.split import SplitTrace

STEPS = ("Q", "split into heads", "attend", "join", "times W_O")


def told(trace: SplitTrace, word: int, column: int) -> tuple[str, str, str, str, str]:
    """What becomes of Q[word, column], a sentence for each step; counted from one as in print."""
    head, number = divmod(column, trace.size)
    width, step = trace.strides
    first, second, third = trace.split_strides
    place, same = trace.place(word, column), trace.split_place(head, word, number)
    token = f"“{spoken(trace.tokens[word])}”"
    key = int(trace.weights[head, word].argmax())
    kept = "the same place: nothing was moved" if place == same else "another place"
    return (
        f"Q: number {column + 1} of {token} is {_written(trace.queries[word, column])}. It lies at "
        f"place {word}·{width} + {column}·{step} = {place} of the memory.",
        f"Split: number {number + 1} of {token} in head {head + 1} lies at place {head}·{first} + "
        f"{word}·{second} + {number}·{third} = {same}, {kept}.",
        f"Attend: head {head + 1} compares it with the keys, looks most at "
        f"“{spoken(trace.tokens[key])}” "
        f"({trace.weights[head, word, key]:.2f}) and finds "
        f"{_written(trace.contexts[head, word, number])} here.",
        f"Join: swapped back and written side by side, it is number {head}·{trace.size} + "
        f"{number + 1} = {column + 1} of {token} again, {_written(trace.joined[word, column])}.",
        f"W_O: every output of {token} takes its share of it; the first is "
        f"{_written(trace.outputs[word, 0])}.",
    )


def formula(trace: SplitTrace) -> str:
    """Both ways of counting the same memory, in LaTeX with this model's strides."""
    width, (first, second, third) = trace.strides[0], trace.split_strides
    return (
        rf"Q[i, c] \text{{ at }} {width} i + c \quad=\quad Q[h, i, j] \text{{ at }} "
        rf"{first} h + {second} i + {third} j, \qquad c = {first} h + j"
    )


def _written(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def finding(trace: SplitTrace) -> str:
    """The shapes, and whether anything was copied."""
    heads, tokens, size = trace.heads.shape
    how = "without a copy" if trace.shares_memory else "with a copy"
    return (
        f"{tokens} × {heads * size} numbers become {heads} heads of {tokens} × {size} {how}: a "
        "logical split only"
    )

"""What of a trace is looked at: a summary, words or sub-words, a block of a pair, and the way back.

The order matters. Rollout needs the whole trace, token by token; only then are sub-words merged,
and only then is a block cut out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby

from viz_core.analysis import attention
from viz_core.traces import AttentionTrace

HEADS, MEAN, ROLLOUT = "heads", "mean of heads", "rollout"
SUMMARIES = (HEADS, MEAN, ROLLOUT)
WORDS, PIECES = "words", "sub-words"
WHOLE = "all"
LINES, MATRIX = "lines", "matrix"
BLOCKS = {  # of a pair: (sentence of the queries, sentence of the keys)
    "A → B": (0, 1),
    "B → A": (1, 0),
    "within A": (0, 0),
    "within B": (1, 1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a visitor asked to see; layers and heads are counted from zero."""

    layer: int = 0
    heads: tuple[int, ...] = (0,)
    summary: str = HEADS
    level: str = WORDS
    block: str = WHOLE
    view: str = LINES
    threshold: float = 0.0  # lines below it are not drawn
    hide: frozenset[str] = frozenset()  # tokens without lines

    @property
    def at(self) -> tuple[int, tuple[int, ...]]:
        """Layer and heads inside the shown trace: a summary has one head, rollout one layer."""
        if self.summary == ROLLOUT:
            return 0, (0,)
        return self.layer, (0,) if self.summary == MEAN else self.heads


def title(look: Look) -> str:
    """What a summary is called; a head names itself."""
    named = {MEAN: f"Layer {look.layer + 1}, mean of heads", ROLLOUT: "Rollout of all layers"}
    return named.get(look.summary, "")


def shown(trace: AttentionTrace, look: Look) -> AttentionTrace:
    """The part of the trace that is looked at, summed up as asked."""
    if look.summary == ROLLOUT:
        trace = attention.rolled_out(trace)
    elif look.summary == MEAN:
        trace = attention.averaged(trace)
    if look.level == WORDS:
        trace = trace.words()
    return trace.between(*BLOCKS[look.block]) if look.block in BLOCKS else trace


def window(trace: AttentionTrace, rows: slice, columns: slice) -> AttentionTrace:
    """Some neighbouring queries and keys of a long text: their rows need not sum to one."""
    return replace(
        trace,
        queries=trace.queries[rows],
        keys=trace.keys[columns],
        weights=trace.weights[:, :, rows, columns],
        query_words=trace.query_words[rows],
        key_words=trace.key_words[columns],
        segments=trace.segments[rows],
    )


def pieces(trace: AttentionTrace, look: Look, side: int = 0) -> list[list[int]]:
    """For each shown query (side 0) or key (side 1) the tokens of the whole trace it is made of."""
    words = (trace.query_words, trace.key_words)[side]
    tokens: list[list[int]] = [[i] for i in range(len(words))]
    if look.level == WORDS:
        tokens = [list(group) for _, group in groupby(range(len(words)), words.__getitem__)]
    if look.block in BLOCKS:
        wanted = BLOCKS[look.block][side]
        tokens = [group for group in tokens if trace.segments[group[0]] == wanted]
    return tokens


def origin(trace: AttentionTrace, look: Look, query: int, key: int) -> tuple[int, int]:
    """Of the cells of the whole trace behind a shown cell, the one with the largest weight."""
    layer, head = look.layer, (look.heads or (0,))[0]
    rows, columns = pieces(trace, look, 0)[query], pieces(trace, look, 1)[key]
    cells = [(i, j) for i in rows for j in columns]
    return max(cells, key=lambda cell: float(trace.weights[layer, head, *cell]))

"""What a trace says, in numbers: sharpness, agreement, alignment errors, what a head does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from viz_core.traces import AttentionTrace, Weights

Links = set[tuple[int, int]]  # (source word, target word), counted from 0
SPECIAL = frozenset({"<s>", "</s>", "[CLS]", "[SEP]", "<pad>", "[PAD]"})


def entropy(weights: Weights) -> Weights:
    """Nats per row: 0 looks at one key only, log(keys) at all alike. Rows need not sum to one."""
    total = weights.sum(axis=-1, keepdims=True)
    share = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    logs = np.log(share, out=np.zeros_like(share), where=share > 0)
    return -(share * logs).sum(axis=-1)


def rollout(weights: Weights) -> Weights:
    """Abnar and Zuidema 2020: attention through the layers, half of each step the residual.

    weights is (layer, head, token, token) of a self-attention; the result is (token, token).
    """
    size = weights.shape[-1]
    flow = np.eye(size, dtype=weights.dtype)
    for layer in weights.mean(axis=1):
        flow = (0.5 * layer + 0.5 * np.eye(size, dtype=weights.dtype)) @ flow
    return flow


def averaged(trace: AttentionTrace) -> AttentionTrace:
    """The mean over the heads of every layer, as a trace with one head."""
    return replace(trace, weights=trace.weights.mean(axis=1, keepdims=True))


def one(trace: AttentionTrace, layer: int, head: int | None) -> AttentionTrace:
    """One head as a trace of its own; None is the mean. Past the end is the last one there is."""
    place = layer if layer < trace.layers else trace.layers - 1
    which = None if head is None else min(head, trace.heads - 1)
    return replace(trace, weights=trace.matrix(place, which)[None, None])


def mean_entropy(trace: AttentionTrace) -> float:
    """Bits a row, over all rows of the trace."""
    return round(float(entropy(trace.weights).mean()) / float(np.log(2)), 2)


def rolled_out(trace: AttentionTrace) -> AttentionTrace:
    """Attention rollout as a trace of one layer and one head; for self-attention only."""
    if trace.queries != trace.keys:
        raise ValueError("Rollout follows self-attention through its layers: choose encoder self.")
    return replace(trace, weights=rollout(trace.weights)[None, None])


def rank_correlation(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """Spearman's rho: do two models order the same cells alike? 0 where one of them is flat."""
    ranks = [_ranks(np.asarray(side, dtype=np.float64).ravel()) for side in (first, second)]
    if min(rank.std() for rank in ranks) == 0:
        return 0.0
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def agreement(tables: Sequence[NDArray[np.floating]]) -> NDArray[np.float64]:
    """(model, model): the rank correlation of each two models' weights."""
    return np.array([[rank_correlation(a, b) for b in tables] for a in tables])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks with ties shared equally."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def surest(trace: AttentionTrace) -> tuple[int, int]:
    """The heaviest cell (layer 0, head 0) between two words; </s> to </s> says nothing."""
    words = trace.matrix()[:-1, :-1] if min(trace.matrix().shape) > 1 else trace.matrix()
    query, key = np.unravel_index(int(words.argmax()), words.shape)
    return int(query), int(key)


def sharpest(trace: AttentionTrace) -> tuple[int, int]:
    """The head (layer, head) whose queries are surest: the largest mean of their largest weight."""
    return best_head(np.nan_to_num(trace.weights).max(axis=3).mean(axis=2))


def best_head(shares: NDArray[np.floating]) -> tuple[int, int]:
    """Of a number for each (layer, head) the place of the largest."""
    layer, head = np.unravel_index(int(shares.argmax()), shares.shape)
    return int(layer), int(head)


def strongest(trace: AttentionTrace, query_word: int, key_word: int) -> tuple[int, int]:
    """Of the sub-word cells (layer 0, head 0) that make up a word's cell, the heaviest one."""
    rows = [i for i, word in enumerate(trace.query_words) if word == query_word]
    columns = [i for i, word in enumerate(trace.key_words) if word == key_word]
    return max(((i, j) for i in rows for j in columns), key=lambda cell: trace.weights[0, 0, *cell])


# ---- word alignment ---------------------------------------------------------------------------


def links(matrix: Weights, keys: Sequence[str] = ()) -> Links:
    """Each target word's strongest source word; none when it looks most at a special token."""
    found = {(int(key), query) for query, key in enumerate(matrix.argmax(axis=-1))}
    return {(s, t) for s, t in found if not keys or keys[s] not in SPECIAL}


def alignment_error_rate(items: Iterable[tuple[Links, Links, Links]]) -> float:
    """Och and Ney 2003: 1 - (|A & S| + |A & P|) / (|A| + |S|) over (found, sure, possible)."""
    hits = sizes = 0
    for found, sure, possible in items:
        hits += len(found & sure) + len(found & (possible | sure))
        sizes += len(found) + len(sure)
    return 1 - hits / sizes if sizes else 1.0


def merge_spans(matrix: Weights, rows: Sequence[int], columns: Sequence[int]) -> Weights:
    """Tokens to given words: rows averaged, columns summed. rows[i] is the word of row i."""
    row_sum = np.zeros((max(rows) + 1, matrix.shape[1]), dtype=matrix.dtype)
    np.add.at(row_sum, np.asarray(rows), matrix)
    row_sum /= np.bincount(rows, minlength=len(row_sum))[:, None].clip(min=1)
    merged = np.zeros((len(row_sum), max(columns) + 1), dtype=matrix.dtype)
    np.add.at(merged.T, np.asarray(columns), row_sum.T)
    return merged


# ---- what a head does -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadProfile:
    """Mean weight that a head puts on the positions that have a name, and its mean entropy."""

    previous: float
    own: float
    next: float
    first: float
    separator: float
    entropy: float

    @property
    def label(self) -> str:
        """Thresholds of Clark et al. 2019: position > .5, special token > .6, entropy > 3.8."""
        for name in ("previous", "own", "next"):
            if getattr(self, name) > 0.5:
                return "self" if name == "own" else name
        if self.separator > 0.6:
            return "separator"
        if self.first > 0.6:
            return "first"
        return "broad" if self.entropy > 3.8 else ""


def profiles(
    traces: Sequence[AttentionTrace], special: Set[str] = SPECIAL
) -> list[list[HeadProfile]]:
    """One profile per layer and head, over self-attention traces of several sentences."""
    sums = np.zeros((traces[0].layers, traces[0].heads, 6))
    rows = 0
    for trace in traces:
        weights, size = trace.weights, len(trace.keys)
        ends = [i for i, key in enumerate(trace.keys) if key in special and i > 0]
        sums[..., 0] += np.trace(weights, offset=-1, axis1=2, axis2=3)
        sums[..., 1] += np.trace(weights, axis1=2, axis2=3)
        sums[..., 2] += np.trace(weights, offset=1, axis1=2, axis2=3)
        sums[..., 3] += weights[..., 0].sum(axis=-1)
        sums[..., 4] += weights[..., ends].sum(axis=(-1, -2))
        sums[..., 5] += entropy(weights).sum(axis=-1)
        rows += size
    names = ("previous", "own", "next", "first", "separator", "entropy")
    means = sums / max(rows, 1)
    return [
        [HeadProfile(**dict(zip(names, map(float, head), strict=True))) for head in layer]
        for layer in means
    ]


def position(words: Sequence[str], wanted: str) -> int:
    """Where a word stands, whatever its case; a sentence for the visitor when it does not."""
    places = [i for i, word in enumerate(words) if word.casefold() == wanted.casefold()]
    if not places:
        raise ValueError(f'There is no "{wanted}" in this sentence: write one that has it.')
    return places[-1]


def resolved(weights: Weights, query: int, right: int, others: Sequence[int]) -> Weights:
    """(layer, head): how much more weight `query` puts on the right noun than on any other."""
    margin: Weights = weights[:, :, query, right] - weights[:, :, query][..., list(others)].max(
        axis=-1
    )
    return margin

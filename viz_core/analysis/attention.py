"""What a trace says, in numbers: sharpness, agreement, alignment errors, what a head does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.text import SPECIAL
from viz_core.traces import AttentionTrace, Translation, Weights


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


def aligned(found: Translation) -> Translation:
    """A translation with one matrix of alignment: of several heads the mean of the last layer."""
    return replace(found, cross=one(found.cross, -1, None))


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
    ranks = [pd.Series(np.ravel(side)).rank().to_numpy() for side in (first, second)]
    if min(rank.std() for rank in ranks) == 0:
        return 0.0
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def agreement(tables: Sequence[NDArray[np.floating]]) -> NDArray[np.float64]:
    """(model, model): the rank correlation of each two models' weights."""
    return np.array([[rank_correlation(a, b) for b in tables] for a in tables])


def surest(trace: AttentionTrace) -> tuple[int, int]:
    """The heaviest cell (layer 0, head 0) between two words; </s> to </s> says nothing."""
    words = trace.matrix()[:-1, :-1] if min(trace.matrix().shape) > 1 else trace.matrix()
    query, key = np.unravel_index(int(words.argmax()), words.shape)
    return int(query), int(key)


def sharpest(trace: AttentionTrace) -> tuple[int, int]:
    """The head (layer, head) whose queries are surest: the largest mean of their largest weight."""
    return best_head(np.nan_to_num(trace.weights).max(axis=3).mean(axis=2))


def strongest(trace: AttentionTrace, query_word: int, key_word: int) -> tuple[int, int]:
    """Of the sub-word cells (layer 0, head 0) that make up a word's cell, the heaviest one."""
    rows = [i for i, word in enumerate(trace.query_words) if word == query_word]
    columns = [i for i, word in enumerate(trace.key_words) if word == key_word]
    return max(((i, j) for i in rows for j in columns), key=lambda cell: trace.weights[0, 0, *cell])


# ---- word alignment ---------------------------------------------------------------------------


# ---- what a head does -------------------------------------------------------------------------


def position(words: Sequence[str], wanted: str) -> int:
    """Where a word stands, whatever its case; a sentence for the visitor when it does not."""
    places = [i for i, word in enumerate(words) if word.casefold() == wanted.casefold()]
    if not places:
        raise ValueError(f'There is no "{wanted}" in this sentence: write one that has it.')
    return places[-1]


def looked_at(words: Sequence[str], row: Sequence[float], own: str = "it") -> list[int]:
    """The places of the words that a row looks at, the largest weight first: not the word itself,
    no full stop and no special token."""
    places = [
        place
        for place, word in enumerate(words)
        if word.casefold() != own and any(sign.isalpha() for sign in word) and word not in SPECIAL
    ]
    return sorted(places, key=lambda place: -row[place])


def two_minds(words: Sequence[Sequence[str]], rows: Sequence[Sequence[float]]) -> str:
    """What "it" looks at most in each of two sentences, and whether that is the same."""
    said, found = [], []
    for read, row in zip(words, rows, strict=True):
        at = looked_at(read, row)
        if not at:
            return "there is no word to look at"
        found.append(read[at[0]])
        said.append(f"“{found[-1]}” ({row[at[0]]:.2f})")
    if found[0] != found[1]:
        return f"at {said[0]} in the first sentence, at {said[1]} in the second"
    return f"at {said[0]} and at {said[1]}, the same word: this head does not tell the two apart"


def best_head(shares: NDArray[np.floating]) -> tuple[int, int]:
    """Of a number for each (layer, head) the place of the largest."""
    layer, head = np.unravel_index(int(shares.argmax()), shares.shape)
    return int(layer), int(head)

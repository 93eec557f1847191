"""Word links read off an attention matrix, and how wrong they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from viz_core.traces.attention import Weights

Links = set[tuple[int, int]]  # (source word, target word), counted from 0


SPECIAL = frozenset({"<s>", "</s>", "[CLS]", "[SEP]", "<pad>", "[PAD]"})


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

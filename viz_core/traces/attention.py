"""What a model did, as frozen numpy records. Charts and analysis see these and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from viz_core.text import merge_words

Weights = NDArray[np.float32]
Vectors = NDArray[np.floating]
Kind = Literal["alignment", "self", "masked", "cross"]  # who looks at whom, in any model


def same_size(what: str, tokens: Sequence[object], size: int) -> None:
    if len(tokens) != size:
        raise ValueError(f"{len(tokens)} {what} tokens but the weights have {size}")


def _starts(words: Sequence[int]) -> NDArray[np.int_]:
    """The first token of each word."""
    found = [i for i, word in enumerate(words) if i == 0 or word != words[i - 1]]
    return np.array(found, dtype=int)


def _merge_queries(weights: Weights, words: Sequence[int]) -> Weights:
    """The rows (layer, head, query, key) of one word become one: their mean."""
    starts = _starts(words)
    sizes = np.diff([*starts, len(words)])
    merged: Weights = weights[:, :, starts]
    for piece in range(1, sizes.max(initial=1)):  # most words have one piece: faster than reduceat
        longer = np.flatnonzero(sizes > piece)
        merged[:, :, longer] += weights[:, :, starts[longer] + piece]
    merged /= sizes[:, None].astype(weights.dtype)
    return merged


def _merge_keys(weights: Weights, words: Sequence[int]) -> Weights:
    """The columns of one word become one: their sum."""
    starts = _starts(words)
    return weights if len(starts) == len(words) else np.add.reduceat(weights, starts, axis=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionTrace:
    """weights is (layer, head, query, key); an RNN alignment is 1 x 1.

    query_words and key_words number the word that each token belongs to.
    """

    kind: Kind
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    weights: Weights
    query_words: tuple[int, ...] = ()
    key_words: tuple[int, ...] = ()
    segments: tuple[int, ...] = ()  # BERT: the sentence, 0 or 1, in which each token stands
    grid: tuple[int, int] | None = None  # rows and columns, where the last keys are image patches

    def __post_init__(self) -> None:
        if self.weights.ndim != 4:
            raise ValueError(
                f"weights have {self.weights.ndim} axes, not (layer, head, query, key)"
            )
        same_size("query", self.queries, self.weights.shape[2])
        same_size("key", self.keys, self.weights.shape[3])
        for what in ("query", "key"):
            words = getattr(self, f"{what}_words")
            tokens = self.queries if what == "query" else self.keys
            if not words:
                object.__setattr__(self, f"{what}_words", tuple(range(len(tokens))))
            else:
                same_size(f"{what} word-numbered", words, len(tokens))
        if self.grid and self.grid[0] * self.grid[1] > len(self.keys):
            raise ValueError(f"a grid of {self.grid} patches but {len(self.keys)} keys")
        if self.segments:
            same_size("segment-numbered", self.segments, len(self.queries))

    @property
    def layers(self) -> int:
        return int(self.weights.shape[0])

    @property
    def heads(self) -> int:
        return int(self.weights.shape[1])

    def matrix(self, layer: int = 0, head: int | None = 0) -> Weights:
        """(query, key) of one head; head None is the mean over the heads of the layer."""
        found: Weights = (
            self.weights[layer].mean(axis=0) if head is None else self.weights[layer, head]
        )
        return found

    def until(self, step: int) -> AttentionTrace:
        """What had been looked at after `step` queries; masked, there are no more keys."""
        keys = step if self.kind == "masked" else len(self.keys)
        return replace(
            self,
            queries=self.queries[:step],
            keys=self.keys[:keys],
            weights=self.weights[:, :, :step, :keys],
            query_words=self.query_words[:step],
            key_words=self.key_words[:keys],
        )

    def words(self) -> AttentionTrace:
        """Sub-words merged: rows averaged, columns summed, so rows keep their sums."""
        weights = _merge_queries(self.weights, self.query_words)
        return AttentionTrace(
            kind=self.kind,
            queries=merge_words(self.queries, self.query_words),
            keys=merge_words(self.keys, self.key_words),
            weights=_merge_keys(weights, self.key_words),
            segments=tuple(
                segment
                for i, segment in enumerate(self.segments)
                if i == 0 or self.query_words[i] != self.query_words[i - 1]
            ),
        )

    def between(self, query_segment: int, key_segment: int) -> AttentionTrace:
        """One of a pair's four blocks: how one sentence looks at the other, or at itself."""
        rows = [i for i, segment in enumerate(self.segments) if segment == query_segment]
        columns = [i for i, segment in enumerate(self.segments) if segment == key_segment]
        return AttentionTrace(
            kind=self.kind,
            queries=tuple(self.queries[i] for i in rows),
            keys=tuple(self.keys[i] for i in columns),
            weights=self.weights[:, :, rows][..., columns],
            query_words=tuple(self.query_words[i] for i in rows),
            key_words=tuple(self.key_words[i] for i in columns),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """The decoder's next-token guesses at one step, most probable first."""

    tokens: tuple[str, ...]
    probabilities: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copying:
    """Of a decoder that may also take a token over from its source (See et al. 2017)."""

    chances: Weights  # (query,): p_copy, how likely it is to copy at all
    weights: Weights  # (query, key): where it would copy from; a row sums to one
    shares: Weights  # (query,): of the chance of the token that was written, what copying gave

    def __post_init__(self) -> None:
        for what in ("chances", "shares"):
            if len(getattr(self, what)) != len(self.weights):
                raise ValueError(
                    f"{len(getattr(self, what))} {what} but the weights have {len(self.weights)}"
                )

    def words(self, query_words: Sequence[int], key_words: Sequence[int]) -> Copying:
        """Sub-words merged as in an attention: rows averaged, columns summed."""

        def mean(values: Weights) -> Weights:
            return _merge_queries(values[None, None, :, None], query_words)[0, 0, :, 0]

        weights = _merge_queries(self.weights[None, None], query_words)
        return Copying(
            chances=mean(self.chances),
            weights=_merge_keys(weights, key_words)[0, 0],
            shares=mean(self.shares),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """A translated sentence with every attention that made it."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    text: str
    log_prob: float
    cross: AttentionTrace
    encoder: AttentionTrace | None = None
    decoder: AttentionTrace | None = None
    scores: Weights | None = None  # (query, key) before the softmax; where there is one attention
    probabilities: tuple[float, ...] = ()  # of each target token, given those before it
    predictions: tuple[Prediction, ...] = ()
    unknown: tuple[str, ...] = ()  # source characters that the model has never seen
    complete: bool = True  # False when it was cut at the length limit
    copying: Copying | None = None

    def words(self) -> Translation:
        """The same with sub-words merged in every attention."""
        cross = self.cross.words()
        return replace(
            self,
            source=cross.keys,
            target=cross.queries,
            cross=cross,
            encoder=self.encoder and self.encoder.words(),
            decoder=self.decoder and self.decoder.words(),
            copying=self.copying
            and self.copying.words(self.cross.query_words, self.cross.key_words),
        )

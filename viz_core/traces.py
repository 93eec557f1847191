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
Kind = Literal["alignment", "encoder", "decoder", "cross", "bert"]
Status = Literal["kept", "pruned", "finished"]


def _same(what: str, tokens: Sequence[object], size: int) -> None:
    if len(tokens) != size:
        raise ValueError(f"{len(tokens)} {what} tokens but the weights have {size}")


def _merge_axis(weights: Weights, words: Sequence[int], axis: int, mean: bool) -> Weights:
    """Sub-word rows or columns of one word become one: averaged (queries) or summed (keys)."""
    starts = [i for i, word in enumerate(words) if i == 0 or word != words[i - 1]]
    merged = np.add.reduceat(weights, starts, axis=axis)
    if mean:
        sizes = np.diff([*starts, len(words)]).astype(weights.dtype)
        merged = merged / np.expand_dims(sizes, tuple(range(1, weights.ndim - axis)))
    return merged


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

    def __post_init__(self) -> None:
        if self.weights.ndim != 4:
            raise ValueError(
                f"weights have {self.weights.ndim} axes, not (layer, head, query, key)"
            )
        _same("query", self.queries, self.weights.shape[2])
        _same("key", self.keys, self.weights.shape[3])
        for what in ("query", "key"):
            words = getattr(self, f"{what}_words")
            tokens = self.queries if what == "query" else self.keys
            if not words:
                object.__setattr__(self, f"{what}_words", tuple(range(len(tokens))))
            else:
                _same(f"{what} word-numbered", words, len(tokens))

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

    def words(self) -> AttentionTrace:
        """Sub-words merged: rows averaged, columns summed, so rows keep their sums."""
        weights = _merge_axis(self.weights, self.query_words, 2, mean=True)
        return AttentionTrace(
            kind=self.kind,
            queries=merge_words(self.queries, self.query_words),
            keys=merge_words(self.keys, self.key_words),
            weights=_merge_axis(weights, self.key_words, 3, mean=False),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalTrace:
    """Luong's local attention taken apart: weights = content * gaussian inside p - D .. p + D."""

    attention: AttentionTrace
    content: Weights  # (query, key): the softmax inside the window
    centres: Weights  # (query,): p on the source axis
    sigma: float
    reach: float

    def __post_init__(self) -> None:
        if self.content.shape != self.attention.weights.shape[2:]:
            raise ValueError(
                f"content is {self.content.shape}, weights are {self.attention.weights.shape[2:]}"
            )
        _same("query", self.attention.queries, len(self.centres))

    @property
    def gaussian(self) -> Weights:
        """(query, key): exp(-(s - p)^2 / (2 sigma^2))."""
        distance = np.arange(len(self.attention.keys)) - self.centres[:, None]
        bell: Weights = np.exp(-(distance**2) / (2 * self.sigma**2)).astype(np.float32)
        return bell


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorTrace:
    """One head of self-attention with the vectors it is made of, every step from x to the outputs.

    allowed is True where a query may look. The key width need not be that of the values.
    """

    tokens: tuple[str, ...]
    inputs: Vectors  # (token, width)
    queries: Vectors  # (token, n)
    keys: Vectors  # (token, n)
    values: Vectors  # (token, value width)
    scores: Vectors  # (query, key): dot products
    allowed: NDArray[np.bool_]  # (query, key)
    weights: Vectors  # (query, key)
    divisor: float = 1.0  # sqrt(n) where the scores are scaled

    def __post_init__(self) -> None:
        for name in ("inputs", "queries", "keys", "values", "scores", "allowed", "weights"):
            rows = getattr(self, name)
            if len(rows) != len(self.tokens):
                raise ValueError(f"{len(self.tokens)} tokens but {len(rows)} rows of {name}")

    @property
    def scaled(self) -> Vectors:
        """(query, key): what the softmax gets; minus infinity where looking is not allowed."""
        found: Vectors = np.where(self.allowed, self.scores / self.divisor, -np.inf)
        return found

    @property
    def outputs(self) -> Vectors:
        """(token, value width): the values, weighted and added up."""
        found: Vectors = self.weights @ self.values
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothesis:
    """One node of a search tree. log_prob is the whole prefix's, score its normalised form."""

    parent: int  # index of the parent node; -1 for the root
    step: int  # tokens written, 0 for the root
    token: str
    token_id: int
    log_prob: float
    score: float
    status: Status
    reason: str = ""  # why it was pruned
    probability: float = 1.0  # of this token, given its prefix


@dataclass(frozen=True, slots=True, kw_only=True)
class BeamTrace:
    """Every hypothesis that the search looked at, parents before children, the root first."""

    nodes: tuple[Hypothesis, ...]
    source: tuple[str, ...] = ()
    attention: Weights | None = None  # (node, key): where the decoder looked to write the token
    best: int = 0  # index of the winning node
    complete: bool = True  # False when the limit came before any hypothesis finished

    def __post_init__(self) -> None:
        for index, node in enumerate(self.nodes):
            if node.parent >= index:
                raise ValueError(f"node {index} comes before its parent {node.parent}")
        if self.attention is not None:
            _same("tree", self.nodes, len(self.attention))

    def path(self, index: int) -> tuple[int, ...]:
        """Node indices from the root to the given node."""
        found: list[int] = []
        while index >= 0:
            found.append(index)
            index = self.nodes[index].parent
        return tuple(reversed(found))

    def token_ids(self, index: int) -> tuple[int, ...]:
        return tuple(self.nodes[i].token_id for i in self.path(index)[1:])

    @property
    def finished(self) -> tuple[int, ...]:
        """Finished nodes, best first."""
        done = [i for i, node in enumerate(self.nodes) if node.status == "finished"]
        return tuple(sorted(done, key=lambda i: -self.nodes[i].score))


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """The decoder's next-token guesses at one step, most probable first."""

    tokens: tuple[str, ...]
    probabilities: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningTrace:
    """A plain recurrent network at one moment of learning a word, with all its numbers."""

    word: str
    letters: tuple[str, ...]
    losses: tuple[float, ...]  # nats a letter: before the first update, and after each one
    states: Vectors  # (time + 1, unit): the first one is empty
    probabilities: Vectors  # (time, letter): of the next letter
    hh: Vectors  # (unit, unit)
    xh: Vectors  # (unit, letter)
    hy: Vectors  # (letter, unit)
    written: str  # what it writes by itself after the first letter

    @property
    def is_learned(self) -> bool:
        return self.written == self.word[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateTrace:
    """What a gated network did at each character of a text."""

    tokens: tuple[str, ...]
    gates: tuple[str, ...]
    values: Weights  # (gate, unit, token), in [0, 1]
    candidates: Weights  # (unit, token): what would be written
    memory: Weights  # (unit, token + 1): the first column is before the text
    expected: Weights  # (token,): the probability that each character had beforehand
    predictions: tuple[Prediction, ...]  # after each character
    unknown: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.gates) != len(self.values):
            raise ValueError(f"{len(self.gates)} gates but values for {len(self.values)}")
        _same("text", self.tokens, self.values.shape[2])
        _same("text", self.tokens, self.memory.shape[1] - 1)


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
    predictions: tuple[Prediction, ...] = ()
    unknown: tuple[str, ...] = ()  # source characters that the model has never seen
    complete: bool = True  # False when it was cut at the length limit

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
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A span of the context, by character."""

    text: str
    start: int
    end: int
    probability: float

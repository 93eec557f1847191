"""What a BERT did besides attending, as frozen numpy records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from viz_core.traces.attention import AttentionTrace, Prediction, Weights


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryKey:
    """One head taken apart: weights = softmax(query . key), the query already divided."""

    tokens: tuple[str, ...]
    query: Weights  # (token, dimension)
    key: Weights  # (token, dimension)
    divisor: float | None = None  # of the query; None is the root of its dimensions
    causal: bool = False  # a token sees itself and what is before it

    def __post_init__(self) -> None:
        if self.query.shape != self.key.shape or len(self.query) != len(self.tokens):
            raise ValueError(
                f"queries {self.query.shape} and keys {self.key.shape} for "
                f"{len(self.tokens)} tokens"
            )

    def product(self, query: int, key: int) -> Weights:
        """Dimension by dimension; the sum of it is the score."""
        found: Weights = self.query[query] * self.key[key]
        return found

    @property
    def scores(self) -> Weights:
        found: Weights = self.query @ self.key.T  # (query, key)
        if self.causal:
            found[np.triu_indices(len(self.tokens), 1)] = -np.inf
        return found

    @property
    def weights(self) -> Weights:
        scores = self.scores
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        found: Weights = powers / powers.sum(axis=-1, keepdims=True)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingTrace:
    """What is summed for each token: its word, its sentence, its place."""

    tokens: tuple[str, ...]
    segments: tuple[int, ...]
    token: Weights  # (token, width)
    segment: Weights
    position: Weights
    total: Weights  # after the layer norm: what the first layer reads


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A text with holes: for each [MASK] the guesses, and what stood there."""

    places: tuple[int, ...]  # tokens of the trace
    guesses: tuple[Prediction, ...]
    ids: tuple[tuple[int, ...], ...]  # of the guesses
    wanted: tuple[str, ...]  # the hidden word; "" where [MASK] was typed
    wanted_ids: tuple[int, ...]  # -1 where it is no single token
    probabilities: Weights  # (mask, vocabulary)
    trace: AttentionTrace

    def rank(self, mask: int) -> int:
        """The place of the hidden word among all guesses, from 1; 0 if it is no single token."""
        wanted = self.wanted_ids[mask]
        row = self.probabilities[mask]
        return 0 if wanted < 0 else int((row > row[wanted]).sum()) + 1


def side_by_side(first: Filled, second: Filled, mask: int, most: int = 6) -> dict[int, str]:
    """The best guesses of both for one mask, by id, the first one's in front."""
    found: dict[int, str] = {}
    for side in (first, second):
        names = side.guesses[mask].tokens
        found |= dict(zip(side.ids[mask][:most], names[:most], strict=True))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskingSample:
    """One draw of the 80/10/10 rule: before, after, and what became of each token."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    fates: tuple[str, ...]  # "" where it was not chosen, else masked, random or kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Importance:
    """Three answers to "which word decided it?". They need not agree, and often do not."""

    words: tuple[str, ...]
    label: str
    probability: float
    attention: Weights  # (word,): the last layer's [CLS] row, mean over heads
    gradient: Weights  # (word,): gradient times input of the label's log-odds
    left_out: Weights  # (word,): how much the label's log-odds fall without the word

    def __post_init__(self) -> None:
        for name in ("attention", "gradient", "left_out"):
            if getattr(self, name).shape != (len(self.words),):
                raise ValueError(f"{name} is not one number for each of {len(self.words)} words")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTrace:
    """The answer, and for every token of the context the chance to start and to end it."""

    answer: Answer
    tokens: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]  # characters of the context
    start: Weights  # (token,)
    end: Weights  # (token,)
    scores: Weights  # (start and end, token): s . v_i and e . v_i; softmax makes them chances


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagged:
    """Words with their BIO tags, and how sure the model is of each."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    probabilities: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A span of the context, by character."""

    text: str
    start: int
    end: int
    probability: float

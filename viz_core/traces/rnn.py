"""What a recurrent translator did besides attending, as frozen numpy records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from viz_core.traces.attention import AttentionTrace, Vectors, Weights, same_size

Reader = Literal["forward", "backward"]
SCORES = (
    "content",
    "additive",
    "location",
    "general",
    "dot",
    "scaled-dot",
)  # as lectures list them


@dataclass(frozen=True, slots=True, kw_only=True)
class FadingTrace:
    """How far each word moved the encoder's states: distances to a reading without that word.

    Row t is the state after reading word t, column j the word that was blanked out. What has not
    been read yet moves nothing: forward is zero above the diagonal, backward below it.
    """

    words: tuple[str, ...]
    forward: Weights  # (state, word)
    backward: Weights  # (state, word)

    def __post_init__(self) -> None:
        for name in ("forward", "backward"):
            found = getattr(self, name).shape
            if found != (len(self.words),) * 2:
                raise ValueError(f"{len(self.words)} words but {name} is {found}")

    def faded(self, reader: Reader) -> Weights:
        """(state, word): what is left of the mark that a word made when it was read, 1 there."""
        marks: Weights = getattr(self, reader)
        return _share(marks, np.diagonal(marks))

    @property
    def left(self) -> Weights:
        """(word,): the same in the last states of both readers, which is all the decoder gets."""
        kept = np.hypot(self.forward[-1], self.backward[0])
        return _share(kept, np.hypot(np.diagonal(self.forward), np.diagonal(self.backward)))


def _share(part: Weights, whole: Weights) -> Weights:
    found: Weights = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedTrace:
    """One step of a translation whose window was moved: what is expected next, before and after."""

    row: int
    predicted: float  # the centre p that the model chose
    local: LocalTrace  # with the moved centre
    tokens: tuple[str, ...]  # the likeliest next ones of both, most probable before first
    before: tuple[float, ...]  # their probabilities
    after: tuple[float, ...]
    text: str  # the translation with the window where the model put it
    moved_text: str  # the same beginning, then what the model writes from the moved step on

    def __post_init__(self) -> None:
        for name in ("before", "after"):
            if len(getattr(self, name)) != len(self.tokens):
                raise ValueError(f"{len(self.tokens)} tokens but not as many numbers {name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresTrace:
    """One query and a few keys through all score functions of a lecture, with their parameters."""

    query: Vectors  # (n,)
    keys: Vectors  # (key, n)
    w_general: Vectors  # (n, n)
    w_query: Vectors  # (n, m), of the additive score
    w_key: Vectors  # (n, m)
    vector: Vectors  # (m,)
    w_location: Vectors  # (n, key)
    scores: NDArray[np.float64]  # (function, key), in the order of SCORES
    weights: NDArray[np.float64]  # (function, key)

    def __post_init__(self) -> None:
        for name in ("scores", "weights"):
            found, wanted = getattr(self, name).shape, (len(SCORES), len(self.keys))
            if found != wanted:
                raise ValueError(f"{name} are {found}, not {wanted} for functions and keys")


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
        same_size("query", self.attention.queries, len(self.centres))

    @property
    def gaussian(self) -> Weights:
        """(query, key): exp(-(s - p)^2 / (2 sigma^2))."""
        distance = np.arange(len(self.attention.keys)) - self.centres[:, None]
        bell: Weights = np.exp(-(distance**2) / (2 * self.sigma**2)).astype(np.float32)
        return bell

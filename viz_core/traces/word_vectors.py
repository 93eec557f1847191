"""What word vectors told: neighbours, an analogy in its plane, families of arrows, a lesson."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.traces.attention import Vectors, same_size


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """The words nearest to one, and where two of its meanings stand among all words."""

    word: str
    words: tuple[str, ...]
    similarities: tuple[float, ...]
    readings: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()  # of each reading among all words, 1 the nearest
    sides: tuple[int, ...] = ()  # of each neighbour: the reading that it is nearer to

    def __post_init__(self) -> None:
        same_size("neighbours", self.words, len(self.similarities))
        same_size("readings", self.readings, len(self.ranks))


@dataclass(frozen=True, slots=True, kw_only=True)
class Analogy:
    """a is to b as c is to ...: in the plane of the three, and the nearest words to b - a + c."""

    words: tuple[str, str, str]
    answers: tuple[str, ...]
    similarities: tuple[float, ...]
    corners: Vectors  # (a b c and b - a + c, 2): these lie in the plane
    points: Vectors  # (answer, 2): the nearest point of the plane
    heights: tuple[float, ...]  # how far each answer is from the plane
    vectors: Vectors  # (a b c, b - a + c and the first answer, width)

    def __post_init__(self) -> None:
        same_size("answers", self.answers, len(self.points))
        same_size("answers", self.answers, len(self.similarities))


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrows:
    """Pairs of words with the same relation, in one plane."""

    pairs: tuple[tuple[str, str], ...]
    points: Vectors  # (pair, from and to, 2): up is the mean arrow
    along: tuple[float, ...]  # cosine of each arrow with the mean of the others
    agreement: float  # mean cosine of two arrows
    shuffled: float  # the same when each word gets another word's partner

    def __post_init__(self) -> None:
        same_size("pairs", tuple(a for a, _ in self.pairs), len(self.points))


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipGramTrace:
    """Vectors at one moment of learning from a text, with the last pair that was drawn."""

    words: tuple[str, ...]  # the commonest first
    counts: tuple[int, ...]
    losses: tuple[float, ...]  # of each batch so far
    vectors: Vectors  # (word, width): of the words as centres
    places: Vectors  # (word, 2): the map
    pair: tuple[str, str]  # a word, and one beside it
    drawn: tuple[str, ...]  # words drawn at random
    scores: tuple[float, ...]  # v u of the pair, and of the word with each that was drawn

    def __post_init__(self) -> None:
        same_size("text", self.words, len(self.vectors))
        same_size("text", self.words, len(self.places))
        same_size("drawn", self.drawn, len(self.scores) - 1)

    @property
    def updates(self) -> int:
        return len(self.losses)

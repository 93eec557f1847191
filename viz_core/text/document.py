"""A document as sentences of words: how a review is cut before a model reads it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from tokenizers import Tokenizer as Engine, models

from viz_core.text.bpe import Tokenizer, normalise

PAD, UNKNOWN = 0, 1
SPECIAL = ("<pad>", "<unk>")
LONGEST = 40  # words of a sentence: a longer one goes on in the next row
# A word with the signs that cling to it, or a run of ! and ?, which is a word by itself.
WORD = re.compile(r"[^\w\s!?]*[^\W_]+(?:'[^\W_]+)*[^\w\s!?]*|[!?]+")
_BARE = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[!?]")

_BREAKS = re.compile(r"<br\s*/?>|\n+")
_END = re.compile(r"""(?:[.!?]+|…)["')\]]*\s+|\.(?=[A-Z][a-z])""")
_NO_END = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|Capt|Col|Gen|Lt|Rev|Jr|Sr|vs|etc|e\.g|i\.e|[A-Z])\.\s*$"
)

Sentences = tuple[tuple[str, ...], ...]


def sentences(text: str) -> Sentences:
    """The words of each sentence as they were typed; one that runs on and on is cut."""
    cut: list[tuple[str, ...]] = []
    for paragraph in _BREAKS.split(text):
        for piece in _pieces(normalise(paragraph)):
            words = WORD.findall(piece)
            if any(map(str.isalnum, piece)):
                cut += [tuple(words[at : at + LONGEST]) for at in range(0, len(words), LONGEST)]
            elif cut and words and len(cut[-1]) + len(words) <= LONGEST:
                cut[-1] += tuple(words)  # "! !" belongs to the sentence before
    return tuple(cut)


def _pieces(paragraph: str) -> Iterable[str]:
    """Up to . ! or ?, but not after a title or an initial, nor after dots that go on small."""
    start = 0
    for end in _END.finditer(paragraph):
        goes_on = end[0].startswith("..") and paragraph[end.end() : end.end() + 1].islower()
        if not goes_on and not _NO_END.search(paragraph[start : end.end()]):
            yield paragraph[start : end.end()]
            start = end.end()
    yield paragraph[start:]


class Words(Tokenizer):
    """Whole words in small letters; a word outside of the list is read as <unk>."""

    @classmethod
    def of(cls, words: Iterable[str]) -> Words:
        numbers = {word: number for number, word in enumerate((*SPECIAL, *words))}
        return cls(Engine(models.WordLevel(numbers, unk_token=SPECIAL[UNKNOWN])))

    def numbers(self, words: Sequence[str]) -> list[int]:
        return [self.number(word) for word in words]

    def number(self, word: str) -> int:
        """Without its signs; "Welles's" is read as "welles" where it is not known otherwise."""
        small = bare(word)
        return self.places.get(small, self.places.get(small.removesuffix("'s"), UNKNOWN))

    @cached_property
    def places(self) -> dict[str, int]:
        places: dict[str, int] = self.engine.get_vocab()
        return places


def bare(word: str) -> str:
    """A typed word as it is looked up: "(Awful," -> "awful", "!!!" -> "!"."""
    letters = _BARE.search(word)
    return letters[0].lower() if letters else word

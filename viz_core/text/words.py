"""The word list of the word vectors, and how sums and pairs of words are typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from tokenizers import Tokenizer as Engine, models

from viz_core.text.bpe import Encoded, Tokenizer, normalise

LONGEST = 40  # letters of a word that is looked for
FEWEST_PAIRS, MOST_PAIRS = 3, 12  # two arrows can be parallel by chance
UNKNOWN = "<unknown>"  # a name that the engine asks for; it has no number and is never written


class WordList(Tokenizer):
    """Whole words in small letters, the commonest first: a word is one token, or not known."""

    @classmethod
    def of(cls, words: Iterable[str]) -> WordList:
        numbers = {word: number for number, word in enumerate(words)}
        return cls(Engine(models.WordLevel(numbers, unk_token=UNKNOWN)))

    @staticmethod
    def mark(text: str) -> str:
        """Spaces around a word and capital letters are forgiven."""
        return normalise(text).lower()

    def number(self, word: str) -> int:
        """The word's place in the list; for any other word a sentence with near spellings."""
        marked = self.mark(word)
        if not marked:
            raise ValueError("A word is missing: type one word into each box.")
        if " " in marked:
            raise ValueError(f"“{marked[:LONGEST]}” is more than one word: type a single one.")
        found: int | None = self.engine.token_to_id(marked)
        if found is None:
            near = self.near(marked)
            hint = f"Near spellings: {', '.join(near)}." if near else "Try a commoner word."
            raise ValueError(
                f"“{marked[:LONGEST]}” has no vector: it is not among the {self.size:,} "
                f"commonest words. {hint}"
            )
        return found

    def near(self, word: str, count: int = 3) -> list[str]:
        """Words that are spelled nearly so."""
        word = self.mark(word)
        if len(word) > LONGEST:
            return []
        alike = [each for each in self.vocabulary if abs(len(each) - len(word)) <= 2]
        return get_close_matches(word, alike, count, cutoff=0.7)

    def encode(self, text: str) -> Encoded:
        words = tuple(self.mark(text).split())
        ids = tuple(self.number(word) for word in words)
        return Encoded(ids=ids, tokens=words, words=tuple(range(len(words))))

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        return [list(self.encode(text).ids) for text in texts]

    def decode(self, ids: Iterable[int]) -> str:
        return " ".join(self.vocabulary[i] for i in ids)

    def label(self, token: int) -> str:
        return self.vocabulary[token]


def read_sum(text: str) -> tuple[str, str, str]:
    """ "king − man + woman" as (man, king, woman): a is to b as c is to the answer."""
    signed = re.sub(r"[−–—]", "-", normalise(text))
    # A hyphen inside a word is no minus, unless nothing else can be one.
    split = r"(\+|(?<=\s)-(?=\s))" if " - " in signed else r"([+-])"
    words, signs = re.split(split, signed)[::2], ["+", *re.split(split, signed)[1::2]]
    plus = [word.strip() for word, sign in zip(words, signs, strict=True) if sign == "+"]
    minus = [word.strip() for word, sign in zip(words, signs, strict=True) if sign == "-"]
    if len(plus) != 2 or len(minus) != 1 or not all((*plus, *minus)):
        raise ValueError("Write three words as a sum: “king − man + woman”.")
    return minus[0], plus[0], plus[1]


def read_meanings(text: str) -> tuple[str, str, str]:
    """ "bank: money, river" as its three words."""
    words = re.findall(r"[^\s,;:]+", normalise(text))
    if len(words) != 3:
        raise ValueError("Write a word and two of its meanings: “bank: money, river”.")
    if len(set(map(str.lower, words))) < len(words):
        raise ValueError("Write two different meanings, such as “bank: money, river”.")
    return words[0], words[1], words[2]


def read_pairs(text: str) -> list[tuple[str, str]]:
    """ "man woman, king queen" as pairs."""
    named = [part.split() for part in re.split(r"[,;\n]", text) if part.strip()]
    wrong = next((part for part in named if len(part) != 2), None)
    if wrong:
        raise ValueError(
            f"“{' '.join(wrong)[:LONGEST]}” is no pair: write two words, then a comma, as in "
            "“man woman, king queen, uncle aunt”."
        )
    if not FEWEST_PAIRS <= len(named) <= MOST_PAIRS:
        raise ValueError(
            f"Write {FEWEST_PAIRS} to {MOST_PAIRS} pairs, with commas between them: there are "
            f"{len(named)}."
        )
    return [(one, other) for one, other in named]

"""The word list of the word vectors: a word is one token, or it is not known at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from tokenizers import Tokenizer as Engine, models

from viz_core.text.bpe import Encoded, Tokenizer, normalise

LONGEST = 40  # letters of a word that is looked for
UNKNOWN = "<unknown>"  # a name that the engine asks for; it has no number and is never written


class WordList(Tokenizer):
    """Whole words in small letters, the commonest first."""

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

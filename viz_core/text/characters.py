"""The tokeniser of the character models: every character is a token."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from tokenizers import Regex, Tokenizer as Engine, models, pre_tokenizers

from viz_core.text.bpe import Encoded, Tokenizer

RARE = "\ufffd"  # stands for every character that is not in the alphabet; id 0
BREAK = "\n"  # opens each paragraph, and so each text
_SAME = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "\t": " ", "\xa0": " ", "\r": " "}
)


class Alphabet(Tokenizer):
    """The same interface as the translators' tokeniser, one character a token."""

    @classmethod
    def of(cls, characters: Iterable[str]) -> Alphabet:
        listed = [RARE, BREAK, *sorted(set(characters) - {RARE, BREAK})]
        numbers = {character: number for number, character in enumerate(listed)}
        engine = Engine(models.WordLevel(numbers, unk_token=RARE))
        engine.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), behavior="isolated")
        return cls(engine)

    @staticmethod
    def mark(text: str) -> str:
        """One form for what looks the same; line breaks and spaces stay, they are characters."""
        text = unicodedata.normalize("NFC", text)
        hidden = (c for c in set(text) if c != BREAK and unicodedata.category(c)[0] == "C")
        return text.translate({**{ord(c): None for c in hidden}, **_SAME})

    def encode(self, text: str) -> Encoded:
        characters = tuple(self.mark(text))
        ids = tuple(self.engine.encode("".join(characters)).ids)
        return Encoded(
            ids=ids,
            tokens=characters,
            words=tuple(range(len(ids))),
            unknown=tuple(c for c, i in zip(characters, ids, strict=True) if not i),
        )

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        return [list(self.encode(text).ids) for text in texts]

    def spans(self, text: str) -> list[tuple[int, int]]:
        return [(i, i + 1) for i in range(len(self.mark(text)))]

    def show(self, ids: Sequence[int]) -> Encoded:
        return self.encode(self.decode(ids))

    def decode(self, ids: Iterable[int]) -> str:
        return "".join(self.vocabulary[i] for i in ids)

    def label(self, token: int) -> str:
        return self.vocabulary[token]

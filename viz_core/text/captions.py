"""The words that captions are written with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from viz_core.text.bpe import END, SPECIAL, UNKNOWN, Encoded
from viz_core.text.words import LONGEST, WordList

COMMON = 5  # a word that was written less often is not learnt


class CaptionWords(WordList):
    """Whole words in small letters, no punctuation; four signs stand before them."""

    @classmethod
    def learnt(cls, captions: Iterable[str]) -> CaptionWords:
        counts = Counter(word for caption in captions for word in caption.split())
        common = sorted(
            (w for w, n in counts.items() if n >= COMMON), key=lambda w: (-counts[w], w)
        )
        words = cls.of([*SPECIAL, *common])
        assert isinstance(words, cls)
        return words

    def encode(self, text: str) -> Encoded:
        """With the closing </s>; a word that is not in the list is <unk>."""
        words = self.mark(text).split()
        numbers = [self.engine.token_to_id(word) for word in words]
        unknown = tuple(w for w, n in zip(words, numbers, strict=True) if n is None)
        ids = tuple(UNKNOWN if number is None else number for number in numbers)
        return Encoded(
            ids=(*ids, END),
            tokens=(*words, SPECIAL[END]),
            words=tuple(range(len(words) + 1)),
            unknown=unknown,
        )

    def decode(self, ids: Iterable[int]) -> str:
        return " ".join(self.vocabulary[i] for i in ids if i >= len(SPECIAL))

    def forced(self, words: Sequence[str]) -> tuple[int, ...]:
        """The beginning of a caption that a visitor asks for."""
        numbers = []
        for word in words:
            number = self.engine.token_to_id(self.mark(word))
            if number is None or number < len(SPECIAL):
                near = self.near(word)
                hint = f"Near spellings: {', '.join(near)}." if near else "Try a commoner word."
                raise ValueError(
                    f"No caption has the word “{word[:LONGEST]}”: {self.size - len(SPECIAL):,} "
                    f"words were learnt. {hint}"
                )
            numbers.append(number)
        return tuple(numbers)

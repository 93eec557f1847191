"""Small stories as facts and a question: whole words of a small language, nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from viz_core.text.bpe import normalise
from viz_core.text.words import WordList

LONGEST_FACT = 16  # words of a fact or a question
LONGEST_STORY = 70  # facts that are read, the last ones
SHOWN = 4  # unknown words that a sentence names


class StoryWords(WordList):
    """The first of the words are the answers; some of these are two words with a comma."""

    @classmethod
    def of(cls, words: Iterable[str]) -> StoryWords:
        made = super().of(words)
        assert isinstance(made, StoryWords)
        return made

    def numbers(self, words: Sequence[str]) -> list[int]:
        """Of words as `split` gives them; a sentence for those that were never read."""
        known = self.known
        unknown = list(dict.fromkeys(word for word in words if word not in known))
        if unknown:
            listed = ", ".join(f"“{word[:20]}”" for word in unknown[:SHOWN])
            more = f" and {len(unknown) - SHOWN} more" if len(unknown) > SHOWN else ""
            hints = [near for word in unknown[:SHOWN] for near in self.near(word, 1)]
            hint = f" Near spellings: {', '.join(hints)}." if hints else ""
            raise ValueError(
                f"It knows only the {self.size:,} words of its stories, not {listed}{more}.{hint}"
            )
        return [known[word] for word in words]

    @property
    def known(self) -> dict[str, int]:
        known: dict[str, int] = self.engine.get_vocab()
        return known


def split(sentence: str) -> list[str]:
    """Words in small letters, without full stop or question mark."""
    return re.findall(r"[^\W_]+(?:['’][^\W_]+)?", normalise(sentence).lower())


def read_story(text: str) -> tuple[str, ...]:
    """Typed text as facts: one a line, or ended by a full stop."""
    parts = re.split(r"[\n\r]+|(?<=[.!?])\s+", text)
    return tuple(normalise(part) for part in parts if split(part))

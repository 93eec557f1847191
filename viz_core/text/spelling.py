"""Small letters back to the spelling of a text: "bert" as the text has it, BERT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

ENDS = frozenset(".!?:")


def spellings(words: Sequence[str]) -> dict[str, str]:
    """How a text writes each of its words; what is large only where a sentence begins is small."""
    written: dict[str, Counter[str]] = {}
    for place, word in enumerate(words):
        opens = place == 0 or words[place - 1] in ENDS
        if not (opens and word.istitle()):
            written.setdefault(word.lower(), Counter())[word] += 1
    return {small: forms.most_common(1)[0][0] for small, forms in written.items()}


def spelt(title: Sequence[str], known: Mapping[str, str]) -> tuple[str, ...]:
    """The words of a title as its text spells them; a first word is large, after a colon too."""
    found: list[str] = []
    for word in title:
        form = known.get(word, word)
        opens = not found or found[-1] in ENDS
        found.append(form[:1].upper() + form[1:] if opens and form.islower() else form)
    return tuple(found)

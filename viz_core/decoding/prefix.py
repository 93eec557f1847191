"""A forced beginning as text that fits into a link: what a visitor types, and a clicked path."""

from __future__ import annotations

import re
from collections.abc import Sequence

from viz_core.text import END, SPACE, SPECIAL, Tokenizer

ENDS, BY_NUMBER = " </s>", "#"  # a forced beginning that is a whole output; one that is not text


def read(tokenizer: Tokenizer, typed: str) -> tuple[int, ...]:
    """A forced beginning as token ids: words, or token numbers such as #52.7."""
    if re.fullmatch(r"#\d{1,9}(\.\d{1,9}){0,200}", typed):
        return tuple(map(int, typed[1:].split(".")))
    ends = f" {typed}".endswith(ENDS)
    bare = typed.removesuffix(ENDS.strip()) if ends else typed
    words = tokenizer.as_written(bare).split()
    vocabulary = tokenizer.engine.get_vocab()
    found: list[int] = []
    for word in words:
        whole = vocabulary.get(SPACE + word)
        # An elision such as l' is a token, though as a word of its own it would be spelled l + '.
        ids = tokenizer.encode(word).ids[:-1] if whole is None else (whole,)
        if any(token < len(SPECIAL) for token in ids):
            raise ValueError(
                f"The model cannot write {word[:30]!r}: it is outside its vocabulary. "
                "Force a word of the language that it writes."
            )
        found += ids
    return (*found, END) if ends else tuple(found)


def write(tokenizer: Tokenizer, ids: Sequence[int]) -> str:
    """The beginning as text that read() reads back; where spelling is not enough, numbers."""
    ends = bool(ids) and ids[-1] == END
    text = (tokenizer.decode(ids) + (ENDS if ends else "")).strip()
    try:
        if read(tokenizer, text) == tuple(ids):
            return text
    except ValueError:
        pass  # a token that cannot be spelled, such as <unk>
    return BY_NUMBER + ".".join(map(str, ids))

"""Words in context: a library of sentences to find a word's neighbours in, and both losses."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import torch

from viz_core.checkpoints import Bundle
from viz_core.models.elmo import ELMo
from viz_core.probe.language import AT_ONCE, states, text_ids
from viz_core.text.sentence import ENGLISH
from viz_core.traces.states import Library, Surprise, Use

SENTENCES = Path(__file__).with_name("uses.tsv")  # word, meaning, sentence: written for this page
SHORTEST = 3  # letters of a word that is a neighbour; the small words are none


@cache
def sentences() -> tuple[tuple[str, str, str], ...]:
    """(word, meaning, sentence) of the library."""
    lines = SENTENCES.read_text(encoding="utf-8").splitlines()
    return tuple((word, sense, text) for word, sense, text in (line.split("\t") for line in lines))


def library(bundle: Bundle) -> Library:
    """Every longer word of the library's sentences, with its states in this model."""
    uses: list[Use] = []
    values = []
    for word, sense, text in sentences():
        found = states(bundle, text).words()
        words = found.tokens[1:-1]  # without the marks
        for at, each in enumerate(words):
            if len(each) >= SHORTEST and each not in ENGLISH:
                meaning = sense if each == word else ""
                uses.append(Use(word=each, sense=meaning, sentence=words, at=at))
                values.append(found.values[:, at + 1])
    return Library(uses=tuple(uses), values=np.stack(values, 1).astype(np.float32))


@torch.inference_mode()
def surprise(bundle: Bundle, text: str) -> Surprise:
    """-log p of each word from the left and from the right; the pieces of a word are summed."""
    model = bundle.model
    if not isinstance(model, ELMo):
        raise ValueError(f"{bundle.card.name} does not read from both ends: choose elmo.")
    ids = text_ids(bundle, text)
    if len(ids) > AT_ONCE:
        raise ValueError(
            f"This text has {len(ids):,} tokens; {AT_ONCE} are read at most. Shorten it."
        )
    merged = states(bundle, text)
    numbers = merged.numbers[1:-1]
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    forward, backward = (
        np.add.reduceat(part[0].numpy(), starts) for part in model.both_nats(torch.tensor([ids]))
    )
    return Surprise(words=merged.words().tokens[1:-1], forward=forward, backward=backward)

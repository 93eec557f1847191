"""A text and the title that a model writes for it: each word, where it looked, what it copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from viz_core import decoding
from viz_core.checkpoints import Bundle
from viz_core.decoding import Next, State
from viz_core.models.summary import Summariser
from viz_core.probe.search import check_size
from viz_core.probe.translation import as_trace
from viz_core.text import END, PAD, SPACE, SPECIAL, START, UNKNOWN, Encoded, merge_words
from viz_core.text.spelling import spellings, spelt
from viz_core.traces import Copying, Translation

LONGEST_TEXT = 800  # sub-words: some 600 words
LONGEST_TITLE = 40
NEVER = (PAD, UNKNOWN, START)
# Words of one or two letters.
SMALL = "a am an as at be by do eu go he i if in is it me my no of on or so to uk un up us we"


class Summarising:
    """A summariser bound to its texts (text, key), as decoding.Steps.

    Its state ends with what was written, as a small model stammers: no three sub-words come twice
    in a title (Paulus et al. 2018, section 2.5), no word follows itself, a piece inside a word is
    copied only from where the text has it behind the piece written last, and what is but the
    beginning of a word of the text is no word.
    """

    def __init__(self, bundle: Bundle, source: Tensor, local: int | None = None) -> None:
        self.model, self.source = _model(bundle), source
        vocabulary = bundle.tokenizer.vocabulary
        self.opens = [piece in SPECIAL or piece.startswith(SPACE) for piece in vocabulary]
        self.inside = ~torch.tensor(self.opens)  # (vocabulary,)
        self.ending = [
            number
            for number, piece in enumerate(vocabulary)
            if self.opens[number] or not piece[0].isalpha()
        ]
        self.halves = [halves([vocabulary[i] for i in row]) for row in source.tolist()]
        self.vocabulary = vocabulary
        self.memory = self.model.encode(source, local=local)

    def first(self) -> State:
        return ()

    def step(self, state: State, tokens: Tensor) -> Next:
        memory, source = self.memory, self.source
        if len(source) != len(tokens):  # hypotheses of one text
            memory, source = memory.repeat(len(tokens)), source.expand(len(tokens), -1)
        step = self.model.decode(memory, state[:-1], tokens.unsqueeze(1))
        written = torch.cat((state[-1], tokens[:, None]), 1) if state else tokens[:, None]
        astray = self.inside[source] & (source.roll(1, 1) != tokens[:, None])  # (hypothesis, key)
        chances = self.model.probabilities(step, source, astray[:, None])[:, -1]
        for row, past in enumerate(written.tolist()):  # chances: (hypothesis, vocabulary)
            if self.unfinished(past, row if len(self.halves) > 1 else 0):
                chances[row, self.ending] = 0.0
            chances[row, [*NEVER, *([] if state else [END]), *self.repeats(past)]] = 0.0
        pointed = self.model.point(step).weights[:, -1]
        return Next(chances.log(), pointed, (*step.state, written))

    def unfinished(self, past: list[int], row: int) -> bool:
        """Whether the word that is being written is but the beginning of one of its text."""
        opened = next((i for i in reversed(range(len(past))) if self.opens[past[i]]), 0)
        return tuple(self.vocabulary[token] for token in past[opened:]) in self.halves[row]

    def repeats(self, past: list[int]) -> list[int]:
        """What would say again what was said. A digit may follow itself: 200 is 2, 0 and 0."""
        return [*third(past), *[token for token in past if self.opens[token]][-1:]]


def halves(pieces: Sequence[str]) -> set[tuple[str, ...]]:
    """What the words of a text begin with and what is no word of it. A single piece may well be a
    word of its own: only one or two letters are taken for a beginning, or what has no vowel."""
    words: list[list[str]] = [[]]
    for piece in pieces:
        if piece.startswith(SPACE):
            words.append([piece])
        elif words[-1] and piece[0].isalpha():
            words[-1].append(piece)
        else:  # a sign ends the word, and what follows without a space is none
            words.append([])
    begun = {tuple(word[:size]) for word in words for size in range(1, len(word))}
    sure = {each for each in begun if len(each) > 1 or is_no_word(each[0].removeprefix(SPACE))}
    return sure - set(map(tuple, words))


def is_no_word(letters: str) -> bool:
    short = len(letters) < 3 and letters not in SMALL.split()
    return short or not set(letters) & set("aeiouy")


def third(past: list[int]) -> list[int]:
    """What followed the last two of these before."""
    return [last for *two, last in zip(past, past[1:], past[2:], strict=False) if two == past[-2:]]


@torch.inference_mode()
def summarise(bundle: Bundle, text: str, beam: int = 1, local: int | None = None) -> Translation:
    """The title of a text. `local` is the length of the blocks that its encoder sees at a time."""
    check_size(beam)
    _model(bundle)
    source = read(bundle, text)
    steps = Summarising(bundle, torch.tensor([source.ids]), local)
    if beam == 1:
        written = decoding.greedy(steps, 1, LONGEST_TITLE)[0].ids
    else:
        search = decoding.Beam(size=beam, limit=LONGEST_TITLE, alpha=1.0, record=False)
        tree = decoding.beam(steps, search)
        written = tree.tokens(tree.best)
    return _along(bundle, steps, source, written)


def _along(bundle: Bundle, steps: Summarising, source: Encoded, written: list[int]) -> Translation:
    """Run the decoder along a title and keep what it looked at."""
    model, wanted = steps.model, torch.tensor([written])
    step = model.decode(steps.memory, (), torch.tensor([[START, *written[:-1]]]))
    chances = model.probability_of(step, steps.source, wanted)[0]  # (query,)
    pointed = model.point(step)
    copied = (pointed.weights * (steps.source[:, None] == wanted[..., None])).sum(-1)
    shares = (copied * pointed.copies)[0] / chances
    target = bundle.tokenizer.show(written)
    return Translation(
        source=source.tokens,
        target=target.tokens,
        text=_spelt(bundle, source, written),
        log_prob=float(chances.log().sum()),
        cross=as_trace("cross", target, source, step.weights[0]),
        probabilities=tuple(chances.tolist()),
        unknown=source.unknown,
        complete=written[-1] == END,
        copying=Copying(
            chances=pointed.copies[0].numpy().astype(np.float32),
            weights=pointed.weights[0].numpy().astype(np.float32),
            shares=shares.numpy().astype(np.float32),
        ),
    )


def _spelt(bundle: Bundle, source: Encoded, written: list[int]) -> str:
    """The title as one string; its words get the capitals that they have in the text."""
    known = spellings(merge_words(source.tokens, source.words))
    title = bundle.tokenizer.show([i for i in written if i >= len(SPECIAL)])
    words = merge_words(title.tokens, title.words)
    text, place = bundle.tokenizer.decode(written), 0
    for small, word in zip(words, spelt(words, known), strict=True):
        at = text.find(small, place)
        if at >= 0:
            text, place = text[:at] + word + text[at + len(small) :], at + len(word)
    return text


class InBlocks(NamedTuple):
    """A title with full attention, and with an encoder that sees a block at a time."""

    full: Translation
    local: Translation
    outside: float  # of the full attention's weight, what lies outside of the blocks


@torch.inference_mode()
def in_blocks(bundle: Bundle, text: str, block: int) -> InBlocks:
    model, source = _model(bundle), read(bundle, text)
    number = torch.arange(len(source.ids)) // block
    apart = number[:, None] != number  # (query, key)
    encoded = model.encode(torch.tensor([source.ids])).encoder
    outside = torch.stack([layer.weights[..., apart].sum() for layer in encoded]).sum()
    rows = len(encoded) * model.config.heads * len(source.ids)
    return InBlocks(
        full=summarise(bundle, text),
        local=summarise(bundle, text, local=block),
        outside=float(outside) / rows,
    )


def read(bundle: Bundle, text: str) -> Encoded:
    """The text as the model reads it; a sentence that a person can act on if it cannot."""
    encoded: Encoded = bundle.tokenizer.encode(text)
    if len(encoded.ids) <= 1:
        raise ValueError("There is nothing to sum up yet: paste an abstract or a piece of news.")
    if len(encoded.ids) > LONGEST_TEXT:
        raise ValueError(
            f"This text has {len(encoded.ids):,} sub-words; the model reads {LONGEST_TEXT} at "
            "most. Paste a part of it."
        )
    if len("".join(encoded.unknown)) > len("".join(text.split())) / 2:
        raise ValueError(
            "Most of these letters are not known to the model: it learned from papers and news "
            "in English."
        )
    return encoded


def _model(bundle: Bundle) -> Summariser:
    if not isinstance(bundle.model, Summariser):
        raise ValueError(f"{bundle.card.name} writes no titles: choose summary.")
    return bundle.model

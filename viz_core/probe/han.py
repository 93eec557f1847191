"""Hierarchical attention, run for a view: what each sentence and each word of a review weighs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import torch
from torch import Tensor

from viz_core.checkpoints import Bundle
from viz_core.models.han import HAN, Level, together
from viz_core.text.document import UNKNOWN, Sentences, bare, sentences
from viz_core.traces import Weights
from viz_core.traces.document import DocumentTrace

MOST_WORDS = 4_000  # of a document: more than the longest review of IMDB has
LONGEST_WORD = 40  # letters of one that is named


@torch.inference_mode()
def document(bundle: Bundle, text: str, without: Sequence[int] = ()) -> DocumentTrace:
    """Weights of words and sentences, and the verdict; some sentences may be left out."""
    model = bundle.model
    if not isinstance(model, HAN):
        raise ValueError(f"{bundle.card.name} has no two levels of attention: choose han.")
    read = split(bundle, text)
    kept = keeping(read, without)
    numbers = [torch.tensor(bundle.tokenizer.numbers(each)) for each in read]
    words = model(together([numbers])).words
    order = torch.tensor([kept])
    whole = model.judge(words, order, torch.ones_like(order).bool())
    weights, scores = np.zeros(len(read), np.float32), np.zeros(len(read), np.float32)
    weights[kept], scores[kept] = whole.sentences.weights[0], whole.sentences.scores[0]
    chances = whole.logits[0].softmax(-1).tolist()
    return DocumentTrace(
        sentences=read,
        word_weights=_rows(words.weights, read),
        sentence_weights=weights,
        probabilities=dict(zip(model.config.labels, chances, strict=True)),
        word_scores=_rows(words.scores, read),
        sentence_scores=scores,
        without=_without(model, words, kept, len(read)),
        left_out=tuple(sorted(set(range(len(read))) - set(kept))),
        unknown=unknown(bundle, read),
    )


def split(bundle: Bundle, text: str) -> Sentences:
    """The document in sentences, or a sentence about what cannot be read."""
    read = sentences(text)
    count = sum(map(len, read))
    if not count:
        raise ValueError("There is nothing to read yet: type or paste a review in English.")
    if count > MOST_WORDS:
        raise ValueError(
            f"This document has {count:,} words; up to {MOST_WORDS:,} are read. Paste a part of it."
        )
    if all(number == UNKNOWN for each in read for number in bundle.tokenizer.numbers(each)):
        raise ValueError(
            "None of these words is known to the model: it learned from film reviews in English."
        )
    return read


def keeping(read: Sentences, without: Collection[int]) -> list[int]:
    kept = [place for place in range(len(read)) if place not in without]
    if not kept:
        raise ValueError("Every sentence is left out: keep at least one.")
    return kept


def unknown(bundle: Bundle, read: Sentences) -> tuple[str, ...]:
    words = (word for each in read for word in each)
    found = (
        bare(word)[:LONGEST_WORD] for word in words if bundle.tokenizer.number(word) == UNKNOWN
    )
    return tuple(found)


def _rows(padded: Tensor, read: Sentences) -> tuple[Weights, ...]:
    return tuple(row[: len(words)].numpy() for row, words in zip(padded, read, strict=True))


def _without(model: HAN, words: Level, kept: Sequence[int], total: int) -> Weights:
    """P(positive) without each of the sentences that are there, (sentence,)."""
    found = np.full(total, np.nan, np.float32)
    if len(kept) > 1:
        others = torch.tensor([[k for k in kept if k != out] for out in kept])
        rest = model.judge(words, others, torch.ones_like(others).bool())
        found[list(kept)] = rest.logits.softmax(-1)[:, model.config.labels.index("positive")]
    return found

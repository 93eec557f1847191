"""What a reader with a tape looked back at, in numbers and in words."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from viz_core.traces.attention import AttentionTrace
from viz_core.traces.states import TapeTrace

Figures = Mapping[str, Mapping[str, float]]  # split -> measure -> value

PLAIN = "lstm-plain"  # the plain LSTM: a recipe, and its figures on the card
PERPLEXITY = "perplexity of a word"


def strongest(words: AttentionTrace, at: int) -> int | None:
    """The earlier word that a word looked at most; None for the first."""
    row = words.matrix()[at, :at]
    return int(row.argmax()) if row.size and row.max() > 0 else None


def finding(words: AttentionTrace, at: int) -> str:
    """Where one word looked, in words."""
    word, most = words.queries[at], strongest(words, at)
    if most is None:
        return f"“{word}” is the first word: there is nothing to look back at yet"
    weight = words.matrix()[at, most]
    where = "the word before it" if most == at - 1 else f"{at - most} words back"
    return f"“{word}” looks back most at “{words.keys[most]}”, {where}: {weight:.2f}"


def habit(words: AttentionTrace) -> str:
    """How far back the words of a sentence look."""
    places = [(at, strongest(words, at)) for at in range(2, len(words.queries))]
    found = [(at, most) for at, most in places if most is not None]
    if not found:
        return "This text is too short to choose: type three words or more"
    before = sum(at - most == 1 for at, most in found)
    rows = words.matrix()
    reach = [float((rows[at, :at] * (at - np.arange(at))).sum()) for at, _ in found]
    return (
        f"Of {len(found)} words that had a choice, {before} look most at the word just before "
        f"them; on average the weight lies {np.mean(reach):.1f} words back"
    )


def first_token(trace: TapeTrace, word: int) -> int:
    """The first token of a word."""
    numbers = trace.attention.query_words
    return numbers.index(sorted(set(numbers))[word])


def perplexity(trace: TapeTrace) -> float:
    """Of this text, by its words: e to the mean surprise."""
    count = len(set(trace.attention.query_words))
    return math.exp(float(trace.nats.sum()) / max(count, 1))


def compared(metrics: Figures, plain: Figures) -> str:
    """Measured perplexities beside those of a plain LSTM, from a card."""
    told = []
    for split, found in metrics.items():
        other = plain.get(split, {}).get(PERPLEXITY)
        beside = f" (plain LSTM {other:.0f})" if other else ""
        told.append(f"{split.removesuffix(' test')} {found[PERPLEXITY]:.0f}{beside}")
    return ", ".join(told)


def verdict(metrics: Figures, plain: Figures) -> str:
    """Whether the tape made the reader better, in words."""
    splits = [split for split in metrics if split in plain]
    if not splits:
        return "The plain LSTM was not measured"
    won = sum(metrics[split][PERPLEXITY] < plain[split][PERPLEXITY] for split in splits)
    if won == len(splits):
        return "Lower is better: the tape helped"
    if won:
        return "Lower is better: the tape helped on some of the texts only"
    return (
        "Lower is better: the tape did not help here, the plain LSTM is no worse after a training "
        "as short as this"
    )

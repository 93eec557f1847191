"""What a title rests on, in numbers and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from viz_core.text.spelling import spellings, spelt
from viz_core.traces.attention import Translation, Weights

Look = Literal["copying", "all heads"]
LOOKS: tuple[Look, ...] = ("copying", "all heads")
WHOLE = "the whole title"  # the last step: all words together
CLOSING = "</s>"
FEW = 12  # words: less is no text that has a title
MEASURED = (
    "ROUGE is our own, after Lin 2004: F1 of shared words, pairs of words, and the longest common "
    "subsequence, in small letters, without stemming. Titles are written greedily."
)


def title_words(trace: Translation) -> tuple[str, ...]:
    """Of a trace by words: as the text spells them, with the closing mark."""
    return spelt(trace.target, spellings(trace.source))


def looked(trace: Translation, step: int, look: Look = "copying") -> Weights:
    """(key,): where word number `step` of the title looked; past the last, the mean of all."""
    assert trace.copying is not None
    rows: Weights = (
        trace.copying.weights if look == "copying" else trace.cross.weights.mean(axis=(0, 1))
    )
    if step < len(rows):
        return rows[step]
    written = [place for place, word in enumerate(trace.target) if word != CLOSING]
    whole: Weights = rows[written or [0]].mean(axis=0)
    return whole


def steps(trace: Translation) -> tuple[str, ...]:
    return (*title_words(trace), WHOLE)


def finding(trace: Translation, step: int, look: Look = "copying") -> str:
    """Where a word looked most, and whether it was copied from there."""
    assert trace.copying is not None
    weights = looked(trace, step, look)
    top = int(weights.argmax())
    where = f"“{trace.source[top]}”, word {top + 1} of the text ({weights[top]:.2f})"
    if step >= len(trace.target):
        copied = [word for word, share in _shares(trace) if share > 0.5]
        named = ", ".join(f"“{word}”" for word in copied) or "none"
        return f"The title looked most at {where}. More copied than written: {named}"
    word = title_words(trace)[step]
    told = "The end of the title" if word == CLOSING else f"“{word}”"
    chance, share = float(trace.copying.chances[step]), float(trace.copying.shares[step])
    return (
        f"{told} looked most at {where}; p_copy is {chance:.2f}, and {share:.0%} of its chance "
        "came from copying"
    )


def _shares(trace: Translation) -> list[tuple[str, float]]:
    assert trace.copying is not None
    found = zip(title_words(trace), trace.copying.shares.tolist(), strict=True)
    return [(word, share) for word, share in found if word != CLOSING]


def formula(trace: Translation, step: int) -> str:
    """See et al. 2017, eq. 9, with the numbers of this sub-word; of a trace by sub-words."""
    assert trace.copying is not None
    chance, share = float(trace.copying.chances[step]), float(trace.copying.shares[step])
    total = trace.probabilities[step]
    copied, wrote = total * share, total * (1 - share)
    kept = max(1 - chance, 1e-9)
    return (
        r"P(w) = (1 - p_{copy})\,P_{vocab}(w) + p_{copy} \sum_{j:\,x_j = w} a_j = "
        rf"{1 - chance:.2f} \cdot {min(wrote / kept, 1.0):.3f} + "
        rf"{chance:.2f} \cdot {min(copied / max(chance, 1e-9), 1.0):.3f} = {total:.3f}"
    )


def counted(trace: Translation, step: int) -> str:
    """Which sub-word the formula is about."""
    token = trace.target[step].removeprefix("##")
    return "The end of the title" if token == CLOSING else f"The sub-word “{token}”"


def notice(text: str) -> str:
    """What is too short for a title of its own."""
    words = len(text.split())
    few = f"This text has {words} word{'s' if words > 1 else ''}. The model learned from abstracts "
    return f"{few}and news of at least a few sentences: expect no title." if 0 < words < FEW else ""


def quality(metrics: Mapping[str, Mapping[str, float]]) -> str:
    """ROUGE-1 of both kinds beside the first words, from a card."""
    told = []
    for kind in ("papers", "news"):
        own = metrics.get(f"{kind} test")
        first = next((v for k, v in metrics.items() if k.startswith(f"{kind} test, first")), None)
        if own and first:
            told.append(
                f"on {own['texts']:.0f} {kind} {own['ROUGE-1']:.1f} against {first['ROUGE-1']:.1f}"
            )
    said = "; ".join(told)
    return f"ROUGE-1 of unread texts, against taking the first words: {said}." if told else ""


def scores(metrics: Mapping[str, Mapping[str, float]]) -> list[dict[str, Any]]:
    """A card's figures as rows of a table."""
    kinds = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
    return [
        {"test part": name, **{kind: f"{found[kind]:.1f}" for kind in kinds}}
        for name, found in metrics.items()
        if "ROUGE-1" in found
    ]


def samples(measured: Mapping[str, Any]) -> list[dict[str, str]]:
    """Titles of the test part from a card, not chosen by anybody."""
    return [
        {"kind": kind, "it wrote": written, "its own title": own}
        for kind, pairs in measured.get("titles", {}).items()
        for written, own in pairs
    ]


def opening(trace: Translation, step: int) -> int:
    """The first sub-word of a word of the title; of the whole, the one that was copied most."""
    assert trace.copying is not None
    numbers = trace.cross.query_words
    if step not in numbers:
        return int(trace.copying.shares.argmax())
    return numbers.index(step)


def _typical(trace: Translation) -> float:
    """The geometric mean of the chances of a title's tokens."""
    return float(np.exp(trace.log_prob / max(len(trace.target), 1)))


def in_blocks(full: Translation, local: Translation, outside: float, block: int) -> str:
    """What blocks do to a title."""
    lost = f"Blocks of {block} take away {outside:.0%} of the weight that the encoder gave"
    same = "stays the same" if full.text == local.text else "changes"
    return (
        f"{lost}; the title {same}. The chance of its tokens, their geometric mean, goes from "
        f"{_typical(full):.2f} to {_typical(local):.2f}"
    )


def largest(weights: Weights) -> float:
    return float(np.max(weights, initial=1e-9))

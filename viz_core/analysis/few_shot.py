"""Five kinds of characters and a question: which are drawn, and what a learner made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz_core.cards import Card
from viz_core.traces.few_shot import FewShot

ACCURACY, WITHIN = "accuracy", "accuracy, one alphabet"  # on the card
ALONE = "alone"  # of the card's measured part: convolutions alone, attention alone
FINDS = "finds"  # the same: by block, how often the question looks most at its own kind
DRAWINGS = "drawings.json"  # beside the weights: alphabet -> character -> drawing as text
MIXED = "all of them"
LETTERS = "ABCDE"
WAYS = len(LETTERS)
PUBLISHED = {"5-way 1-shot": 0.9907, "5-way 5-shot": 0.9978}  # Mishra et al. 2018, table 1
CHANCE = " With 2,000 questions each, a difference below two points may be chance."
EVEN = 0.35  # of the weight: what a kind must have to be looked at, where 0.2 is even

Kept = Mapping[str, Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """Drawings as text; the examples in the order in which they are read."""

    examples: tuple[str, ...]
    labels: tuple[int, ...]
    questions: tuple[str, ...]  # one more of each kind, drawn by somebody else


def episode(kept: Kept, alphabet: str, number: int, shots: int) -> Episode:
    """Five kinds by chance, with so many examples each; the same number is the same episode."""
    rng = np.random.default_rng(number)
    own = [kind for name in kept if alphabet in (name, MIXED) for kind in kept[name]]
    chosen = [own[kind] for kind in rng.permutation(len(own))[:WAYS]]
    people = [rng.permutation(len(kind)) for kind in chosen]
    labels = np.repeat(np.arange(WAYS), shots)
    nth = np.tile(np.arange(shots), WAYS)
    order = rng.permutation(len(labels))
    return Episode(
        examples=tuple(chosen[labels[i]][people[labels[i]][nth[i]]] for i in order),
        labels=tuple(int(labels[i]) for i in order),
        questions=tuple(kind[own[-1]] for kind, own in zip(chosen, people, strict=True)),
    )


def name_of(alphabet: str) -> str:
    return alphabet.replace("_", " ")


def verdict(trace: FewShot, right: int | None = None) -> str:
    """What it says; where the answer is known, whether it is right."""
    said, chance = LETTERS[trace.answer], float(trace.probabilities[trace.answer])
    verdict = f"It says {said} ({chance:.0%})"
    if right is None:
        return verdict
    return (
        f"{verdict}: right"
        if right == trace.answer
        else f"{verdict}: wrong, it is {LETTERS[right]}"
    )


def finding(trace: FewShot, layer: int) -> str:
    """Whom the question looks at in one attention block."""
    shares, itself = trace.by_label(layer), float(trace.looked(layer)[-1])
    most = int(shares.argmax())
    where = f"In attention block {layer + 1} of {trace.layers} the question gives"
    if itself > shares[most]:
        return (
            f"{where} most weight to itself ({itself:.2f}), and of the examples most to "
            f"{LETTERS[most]} ({shares[most]:.2f})"
        )
    if shares[most] < EVEN:
        return f"{where} no kind much more than another (at most {shares[most]:.2f})"
    same = "which it then says" if most == trace.answer else f"but says {LETTERS[trace.answer]}"
    return f"{where} {shares[most]:.2f} of its weight to the examples of {LETTERS[most]}, {same}"


def accuracies(card: Card) -> str:
    """Ours beside the published ones, from a card."""
    return "; ".join(
        f"{split} {found[ACCURACY]:.2%} (Mishra et al. 2018: {PUBLISHED[split]:.2%}), "
        f"{found[WITHIN]:.2%} with all five out of one alphabet"
        for split, found in card.metrics.items()
        if split in PUBLISHED
    )


def found(card: Card) -> str:
    """How often the question looks most at the examples of its own kind, block by block."""
    shares = card.measured.get(FINDS, ())
    told = ", ".join(f"{share:.0%} in block {n}" for n, share in enumerate(shares, start=1))
    return f"Over all test questions with one example it looks most at its own kind: {told}."


def compared(card: Card) -> list[dict[str, Any]]:
    """What attention and convolutions add: a row for each model that was trained shortly."""
    names = {
        "snail-short": "both",
        "snail-attention": "attention alone",
        "snail-convolutions": "convolutions alone",
    }
    alone = card.measured.get(ALONE, {})
    return [
        {
            "blocks": names[name],
            "steps": int(alone[name]["steps"]),
            **{split: float(alone[name][split][ACCURACY]) for split in PUBLISHED},
        }
        for name in names
        if name in alone
    ]


def comparison(card: Card) -> str:
    """The same in a sentence."""
    rows = compared(card)
    if not rows:
        return ""
    told = ", ".join(
        f"{row['blocks']} {row['5-way 1-shot']:.1%} and {row['5-way 5-shot']:.1%}" for row in rows
    )
    steps = {row["steps"] for row in rows}
    shortly = f"{min(steps)}" if len(steps) == 1 else f"{min(steps)} to {max(steps)}"
    guessing = [row["blocks"] for row in rows if row["5-way 5-shot"] < 1.1 / WAYS]
    only = f"{' and '.join(guessing).capitalize()} had learned nothing by then, which does not say "
    return (
        f"Each trained shortly, for {shortly} steps of the same episodes, right with one example "
        f"and with five: {told}. Guessing gives {1 / WAYS:.0%}; the model above was trained for "
        f"{card.steps:,} steps." + (f" {only}that they never would." if guessing else "") + CHANCE
    )

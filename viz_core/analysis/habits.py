"""What the heads of a BERT were measured to do, read from its card, in labels and sentences.

A habit has a threshold (Clark et al. 2019, see analysis). Finding what "it" means has none in the
literature: a head gets that label if it beats luck on riddles that it was not chosen on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from viz_core.analysis import attention
from viz_core.analysis.attention import best_head
from viz_core.analysis.heads import HeadProfile
from viz_core.cards import Card
from viz_core.traces import AttentionTrace

Labels = list[list[str]]
SHARES = {
    "previous": "the token before",
    "own": "the token itself",
    "next": "the token after",
    "first": "[CLS]",
    "separator": "[SEP]",
}
FOLLOWED = {  # relation: how it is said, and BERT-base's score (Clark et al. 2019, table 1)
    "determiner": ("from a determiner to its noun", "94%"),
    "object": ("from an object to its verb", "87%"),
    "preposition": ("from a noun to its preposition", "76%"),
}
MARGIN = 0.1  # a head follows the grammar if it beats the best fixed distance by this much


@dataclass(frozen=True, slots=True, kw_only=True)
class Riddles:
    """How well "it" is resolved: a head chosen on half of the sentences, scored on the others."""

    layer: int
    head: int
    score: float
    chance: float
    sentences: int

    @property
    def luck(self) -> float:
        """What chance may reach: two standard errors above it, on the scored half."""
        return self.chance + 2 * math.sqrt(self.chance * (1 - self.chance) * 2 / self.sentences)

    @property
    def is_real(self) -> bool:
        return self.score > self.luck


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """How well one head follows a relation, beside the best fixed distance between words."""

    relation: str
    layer: int
    head: int
    right: float
    baseline: float

    @property
    def is_real(self) -> bool:
        return self.right > self.baseline + MARGIN


def profiles(card: Card) -> list[list[HeadProfile]]:
    """(layer, head); empty for a model that was not measured."""
    rows: Sequence[Sequence[Mapping[str, float]]] = card.measured.get("profiles", [])
    return [[HeadProfile(**head) for head in row] for row in rows]


def riddles(card: Card) -> Riddles | None:
    found = card.metrics.get("it, dpr")
    if not found:
        return None
    return Riddles(
        layer=int(found["layer"]) - 1,
        head=int(found["head"]) - 1,
        score=found["it resolved"],
        chance=found["chance"],
        sentences=int(found["sentences"]),
    )


def grammar(card: Card) -> list[Grammar]:
    found = {name: card.metrics.get(f"syntax, {name}") for name in FOLLOWED}
    return [
        Grammar(
            relation=name,
            layer=int(one["layer"]) - 1,
            head=int(one["head"]) - 1,
            right=one["right"],
            baseline=one["fixed distance"],
        )
        for name, one in found.items()
        if one
    ]


def labels(card: Card) -> Labels:
    """A word for the habit of each head, "" where it has none."""
    found = [[profile.label for profile in row] for row in profiles(card)]
    solved = riddles(card)
    if found and solved and solved.is_real and not found[solved.layer][solved.head]:
        found[solved.layer][solved.head] = "it"
    for one in grammar(card):
        if found and one.is_real and not found[one.layer][one.head]:
            found[one.layer][one.head] = one.relation
    return found


def start(card: Card) -> tuple[int, int]:
    """The head to open with: the one that looks from "it" to "animal" most."""
    found = card.metrics.get("it, classic")
    return (int(found["layer"]) - 1, int(found["head"]) - 1) if found else (0, 0)


def habit(card: Card, layer: int, head: int) -> str:
    """One head in a sentence: its label, and where its weight goes on the fixed passages."""
    rows = profiles(card)
    if not rows:
        return ""
    profile: Any = rows[layer][head]
    name = max(SHARES, key=lambda share: float(getattr(profile, share)))
    label = labels(card)[layer][head]
    said = {"": "no fixed habit", "it": "finds what “it” means"}.get(label, f"a “{label}” head")
    return (
        f"**Layer {layer + 1} head {head + 1}**: {said}. On ten fixed passages {SHARES[name]} gets "
        f"{getattr(profile, name):.0%} of its weight, more than any other named place; entropy "
        f"{profile.entropy:.1f} nats."
    )


def said_of_it(card: Card) -> str:
    """Which head does "it" best, and whether that is more than luck."""
    classic, solved = card.metrics.get("it, classic"), riddles(card)
    if not classic or not solved:
        return f"What the heads of {card.name} make of “it” was not measured."
    verdict = (
        "better than luck"
        if solved.is_real
        else "no better than luck, so do not believe that it understands"
    )
    return (
        f"In *The animal didn't cross the street because it was too tired*, **layer "
        f"{classic['layer']:.0f} head {classic['head']:.0f}** looks from “it” to “animal” most: "
        f"{classic['it to animal']:.2f}, and {classic['it to street']:.2f} to “street”. On "
        f"{solved.sentences} riddles about “it” (Rahman and Ng 2012) the best head is layer "
        f"{solved.layer + 1} head {solved.head + 1}: chosen on half of them, it prefers the right "
        f"noun in **{solved.score:.0%}** of the other half, {verdict} (a coin gets "
        f"{solved.chance:.0%}, a lucky one up to {solved.luck:.0%})."
    )


def said_of_typed(trace: AttentionTrace) -> str:
    """Which head of any model looks from "it" to "animal" most, here; "" without these words."""
    found = trace.words()
    words = [word.casefold() for word in found.queries]
    if not {"it", "animal"} <= set(words):
        return ""
    it, animal = attention.position(words, "it"), attention.position(words, "animal")
    layer, head = best_head(found.weights[:, :, it, animal])
    row = found.weights[layer, head, it]
    other = f", and {row[words.index('street')]:.2f} to “street”" if "street" in words else ""
    return (
        f"From “it” to “animal” **layer {layer + 1} head {head + 1}** looks most: "
        f"{row[animal]:.2f}{other}. It is the best of {found.layers * found.heads} heads on one "
        "sentence, which luck alone may bring about: believe it after more sentences."
    )


def said_of_grammar(card: Card) -> str:
    """Which head follows which relation best, and what no grammar would reach."""
    told = [
        f"{FOLLOWED[one.relation][0]}: layer {one.layer + 1} head {one.head + 1}, "
        f"**{one.right:.0%}** (a fixed distance gets {one.baseline:.0%}; "
        f"BERT-base, published: {FOLLOWED[one.relation][1]})"
        for one in grammar(card)
    ]
    if not told:
        return ""
    return "Grammar, on generated sentences that no head was chosen on: " + "; ".join(told) + "."

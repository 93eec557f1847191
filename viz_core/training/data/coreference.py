"""Generated English-French pairs in which meaning alone decides what "it" is, and so il or elle.

    The animal didn't cross the street because it was too tired: ... qu'il était trop fatigué.
    The animal didn't cross the street because it was too wide: ... qu'elle était trop large.

A sentence is a `Plan`: choices drawn here from the tables of coreference_words.py, which `compose`
(coreference_sentence.py) spells out. The nouns that "it" could mean have different genders in
French, and the predicate fits one of them alone. Unordered noun pairs are split into train and test
by a hash, so that the test part asks about pairs that were never seen together.
"""

import random
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Literal

from viz_core.training.data.coreference_sentence import Example, Plan, compose
from viz_core.training.data.coreference_words import (
    ANYTHING,
    ASIDES,
    BECAUSE,
    DEGREES,
    DID_NOT,
    ENOUGH,
    FIRST_LINKS,
    FRAMES,
    GENDERS,
    LINKS,
    MODALITIES_OF,
    NOTHING,
    NOUNS,
    NOW,
    PEOPLE,
    PHASES,
    PLACES,
    PREDICATES,
    REMARKS,
    REPORTS,
    SINGLE_FRAMES,
    STEADY_TENSES,
    TENSES_OF,
    THEN,
    TOO,
    Frame,
    Gender,
    Modality,
    Noun,
    Predicate,
)

Part = Literal["train", "test"]


_OWNED = frozenset({"vehicle", "clothing", "document", "machine", "container", "furniture"})
# One does not try to fall, nor refuse to lose a book.
_UNWILLED = frozenset({"fall", "forget", "lose", "find", "see", "prefer", "hit", "slide", "spoil"})


@cache
def is_test_pair(one: str, other: str) -> bool:
    """Whether two English nouns, in either order, are kept for the test part."""
    pair = "|".join(sorted((one, other)))
    return pair == "animal|street" or zlib.crc32(pair.encode()) % 10 == 0


def asks_of_test_pair(english: str) -> bool:
    """Whether "it" stands in a sentence with two nouns that are kept for the test part."""
    words = re.findall(r"\w+", english.lower())
    nouns = [word for word in dict.fromkeys(words) if word in _names()]
    return "it" in words and any(is_test_pair(*pair) for pair in combinations(nouns, 2))


@cache
def _names() -> frozenset[str]:
    return frozenset(noun.english for noun in NOUNS)


@cache
def _pool(
    part: Part, first: str, first_gender: Gender, second: str, second_gender: Gender
) -> tuple[tuple[Noun, Noun], ...]:
    return tuple(
        (a, b)
        for a in _nouns(first, first_gender)
        for b in _nouns(second, second_gender)
        if a != b and is_test_pair(a.english, b.english) == (part == "test")
    )


@cache
def _nouns(kind: str, gender: Gender) -> tuple[Noun, ...]:
    return tuple(noun for noun in NOUNS if (noun.kind, noun.gender) == (kind, gender))


@cache
def _predicates(kind: str, others: frozenset[str]) -> tuple[Predicate, ...]:
    return tuple(p for p in PREDICATES if kind in p.kinds and not p.fits & others)


@cache
def _sorted(kinds: frozenset[str]) -> tuple[str, ...]:
    # A set of strings has another order in every process: sorted, a seed means the same everywhere.
    return tuple(sorted(kinds))


def _draw_determiner(rng: random.Random, noun: Noun, indefinite: bool) -> str:
    chance = rng.random()
    if chance < 0.72:
        return "the"
    if chance < 0.80:
        return "this"
    if chance < 0.90 and noun.kind in _OWNED:
        return "my" if chance < 0.85 else "our"
    return "a" if indefinite and noun.countable else "the"


def _draw_modality(rng: random.Random, frame: Frame, kind: str) -> Modality:
    if frame.base == "be":
        group = "being"
    elif frame.base in _UNWILLED:
        group = "lying"
    elif frame.human or kind == "animal":
        group = "willing"
    else:
        group = "moving" if kind == "vehicle" else "lying"
    return rng.choice(MODALITIES_OF[group])


def _dressed(rng: random.Random, plan: Plan) -> Plan:
    """The plan with its link, tense, adverb and surroundings drawn."""
    form, now = plan.predicate.form, plan.modality.now
    first = rng.random() < 0.22
    link = rng.choice(FIRST_LINKS if first else LINKS)
    if link.subjunctive and form == "verb":
        link = BECAUSE
    clause_now = now or (link.free_tense and not first and rng.random() < 0.12)
    if link.subjunctive and form != "plain":
        tense = rng.choice(STEADY_TENSES[clause_now])
    else:
        tense = rng.choice(TENSES_OF[form][clause_now])
    negative = tense.endswith("n't")
    adverb = NOTHING
    if form in ("graded", "have"):
        adverb = rng.choice(DEGREES)
        if negative:
            single = " " not in plan.predicate.english
            adverb = ENOUGH if single and rng.random() < 0.6 else NOTHING
    elif form == "state" and tense in ("was", "is"):
        adverb = rng.choice(PHASES)
    elif form == "fact" and not negative and rng.random() < 0.3:
        adverb = PHASES[-1]  # already: "still cancelled" would be read as "cancelled again"
    opening, moment = NOTHING, NOTHING
    chance = rng.random()
    times = NOW if now else THEN
    if chance < 0.15:
        opening = rng.choice(times)
    elif chance < 0.25:
        opening = rng.choice(REMARKS)
    elif chance < 0.40 and not first and not (plan.person and plan.person.number == 0):
        opening = rng.choice(REPORTS)
    elif chance < 0.52:
        moment = rng.choice(times)
    if plan.place_first and opening not in REPORTS:
        opening = NOTHING
    aside = NOTHING
    if not first and link.free_tense and rng.random() < 0.1 and opening not in REPORTS:
        aside = rng.choice(ASIDES)
    return replace(
        plan,
        link=link,
        tense=tense,
        adverb=adverb,
        pronoun_first=first,
        opening=opening,
        moment=moment,
        aside=aside,
    )


def _draw(rng: random.Random, part: Part) -> Plan | None:
    """A plan with two or three nouns, or None where the draw leads nowhere."""
    frame = rng.choice(FRAMES)
    kinds = rng.choice(_sorted(frame.first)), rng.choice(_sorted(frame.second))
    if kinds[0] == kinds[1]:
        return None
    gender: Gender = rng.choice(GENDERS)
    other: Gender = "f" if gender == "m" else "m"
    place, place_noun, place_kind = None, None, ""
    antecedent = rng.randrange(2)
    if rng.random() < 0.3:
        place, place_kinds = rng.choice(PLACES)
        place_kind = rng.choice(_sorted(place_kinds))
        if place_kind == "event" and "event" in kinds:
            return None
        # A test example is about the pair in the main clause; training is about all three nouns.
        if part == "train":
            antecedent = rng.randrange(3)
        place_noun = rng.choice(_nouns(place_kind, gender if antecedent == 2 else other))
    genders = [gender if i == antecedent else other for i in (0, 1)]
    pool = _pool(part, kinds[0], genders[0], kinds[1], genders[1])
    if not pool:
        return None
    nouns = rng.choice(pool)
    if place_noun:
        if place_noun in nouns:
            return None
        if part == "train" and any(is_test_pair(place_noun.english, n.english) for n in nouns):
            return None
    all_kinds = (*kinds, place_kind) if place_noun else kinds
    others = frozenset(kind for i, kind in enumerate(all_kinds) if i != antecedent)
    predicates = _predicates(all_kinds[antecedent], others)
    if not predicates:
        return None
    modality = _draw_modality(rng, frame, kinds[0])
    indefinite = not modality.negation
    plan = Plan(
        frame=frame,
        nouns=nouns,
        determiners=tuple(_draw_determiner(rng, noun, indefinite) for noun in nouns),
        modality=modality,
        predicate=rng.choice(predicates),
        antecedent=antecedent,
        link=BECAUSE,
        tense="was",
        person=rng.choice(PEOPLE) if frame.human else None,
        place=place,
        place_noun=place_noun,
        place_first=place_noun is not None and rng.random() < 0.5,
    )
    return _dressed(rng, plan)


def _draw_single(rng: random.Random) -> Plan:
    """A plan with one noun alone: he bought a car yesterday and it was very expensive."""
    frame = rng.choice(SINGLE_FRAMES)
    kind = rng.choice(_sorted(frame.first))
    noun = rng.choice(_nouns(kind, rng.choice("mf")))
    modality = _draw_modality(rng, frame, kind)
    fitting = ANYTHING if rng.random() < 0.7 else PREDICATES
    plan = Plan(
        frame=frame,
        nouns=(noun,),
        determiners=(
            "a"
            if noun.countable and not modality.negation and rng.random() < 0.5
            else _draw_determiner(rng, noun, False),
        ),
        modality=modality,
        predicate=rng.choice([p for p in fitting if kind in p.kinds]),
        antecedent=0,
        link=BECAUSE,
        tense="was",
        person=rng.choice(PEOPLE),
    )
    return _dressed(rng, plan)


def _classic(adjective: str, antecedent: int) -> Plan:
    nouns = {noun.english: noun for noun in NOUNS}
    return Plan(
        frame=next(frame for frame in FRAMES if frame.base == "cross" and "animal" in frame.first),
        nouns=(nouns["animal"], nouns["street"]),
        determiners=("the", "the"),
        modality=DID_NOT,
        predicate=next(p for p in PREDICATES if p.english == adjective),
        antecedent=antecedent,
        link=BECAUSE,
        tense="was",
        adverb=TOO,
    )


CLASSIC = (compose(_classic("tired", 0)), compose(_classic("wide", 1)))


def generate(part: Part, count: int, seed: int) -> Iterator[Example]:
    """`count` examples of a part, the same for the same seed, no English sentence twice.

    The test part opens with the classic pair. Training holds no pair of nouns for which
    `is_test_pair` is true, and a tenth of it has a single noun.
    """
    rng = random.Random(f"{part} {seed}")
    seen: set[str] = set()
    classics = CLASSIC[:count] if part == "test" else ()
    for example in classics:
        seen.add(example.english)
        yield example
    while len(seen) < count:
        single = part == "train" and rng.random() < 0.1
        plan = _draw_single(rng) if single else _draw(rng, part)
        if plan is None:
            continue
        example = compose(plan)
        if example.english not in seen:
            seen.add(example.english)
            yield example

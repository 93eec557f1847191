"""Generated English-French pairs in which meaning alone decides what "it" is, and so il or elle.

    The animal didn't cross the street because it was too tired: ... qu'il était trop fatigué.
    The animal didn't cross the street because it was too wide: ... qu'elle était trop large.

A sentence is a `Plan`: choices drawn from the tables here and in coreference_words.py, which
`compose` spells out. The nouns that "it" could mean have different genders in French, and the
predicate fits one of them alone. Unordered noun pairs are split into train and test by a hash, so
that the test part asks about pairs that were never seen together.
"""

import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from viz_core.training.data.coreference_words import (
    ANYTHING,
    ASIDES,
    AVOIR,
    BECAUSE,
    DEGREES,
    DID_NOT,
    ENOUGH,
    ETRE,
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
    SUBJUNCTIVE,
    TENSES,
    TENSES_OF,
    THEN,
    TOO,
    VOWELS,
    Frame,
    Gender,
    Link,
    Modality,
    Noun,
    Person,
    Predicate,
)

Part = Literal["train", "test"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    english: str
    french: str
    wrong: str  # the French with the other pronoun, and the adjective agreeing with it
    pronoun: str
    antecedent: str
    distractors: tuple[str, ...]  # the other noun of the main clause first
    it_at: int
    antecedent_at: int
    distractors_at: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    frame: Frame
    nouns: tuple[Noun, ...]  # of the main clause
    determiners: tuple[str, ...]
    modality: Modality
    predicate: Predicate
    antecedent: int  # index into nouns, or len(nouns) for the noun of the place
    link: Link
    tense: str
    adverb: tuple[str, str] = ("", "")
    person: Person | None = None
    pronoun_first: bool = False
    place: tuple[str, str] | None = None  # a preposition in both languages
    place_noun: Noun | None = None
    place_first: bool = False
    opening: tuple[str, str] = ("", "")
    moment: tuple[str, str] = ("", "")  # at the end of the main clause
    aside: tuple[str, str] = ("", "")  # between the link and "it"


_OWNED = frozenset({"vehicle", "clothing", "document", "machine", "container", "furniture"})
# One does not try to fall, nor refuse to lose a book.
_UNWILLED = frozenset({"fall", "forget", "lose", "find", "see", "prefer", "hit", "slide", "spoil"})
_MY = {"m": "mon ", "f": "ma "}
_THIS = {"m": "ce ", "f": "cette "}


def elide(word: str, following: str) -> str:
    """`word` before `following`: que il -> qu'il, ne a -> n'a, de essayer -> d'essayer."""
    return f"{word[:-1]}'{following}" if following[0] in VOWELS else f"{word} {following}"


@cache
def _phrase(noun: Noun, determiner: str) -> tuple[str, str, str, str]:
    """English, French, de + French, à + French; "{}" marks where the English noun begins."""
    feminine = noun.gender == "f"
    english = determiner
    if determiner == "a" and noun.english[0] in "aeiou" and noun.english != "uniform":
        english = "an"
    if determiner == "the":
        if noun.elides:
            french = f"l'{noun.french}"
            return f"the {{}}{noun.english}", french, f"de {french}", f"à {french}"
        french = f"{'la' if feminine else 'le'} {noun.french}"
        of, to = ("de la", "à la") if feminine else ("du", "au")
        phrase = f"the {{}}{noun.english}"
        return phrase, french, f"{of} {noun.french}", f"{to} {noun.french}"
    match determiner:
        case "a":
            article = "une " if feminine else "un "
        case "this":
            article = "cet " if noun.elides and not feminine else _THIS[noun.gender]
        case "my":
            article = "mon " if noun.elides else _MY[noun.gender]
        case _:
            article = "notre "
    french = article + noun.french
    return f"{english} {{}}{noun.english}", french, elide("de", french), f"à {french}"


@cache
def is_test_pair(one: str, other: str) -> bool:
    """Whether two English nouns, in either order, are kept for the test part."""
    pair = "|".join(sorted((one, other)))
    return pair == "animal|street" or zlib.crc32(pair.encode()) % 10 == 0


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


def _clause(plan: Plan, gender: Gender) -> tuple[str, str]:
    """What is said of "it", in both languages, the pronouns included."""
    predicate = plan.predicate
    masculine = gender == "m"
    pronoun = "il" if masculine else "elle"
    adjective = predicate.masculine if masculine else predicate.feminine
    if predicate.form == "verb":
        past = plan.tense == "was"
        english = predicate.english if past else predicate.english_now
        return f"it {english}", f"{pronoun} {adjective if past else predicate.french_now}"
    verb, being, having = TENSES[plan.tense]
    if plan.link.subjunctive:
        being, having = SUBJUNCTIVE[plan.tense]
    french_verb = having if predicate.form == "have" else being
    if plan.adverb is ENOUGH:
        english = f"it {verb} {predicate.english} enough"
    else:
        english = f"it {verb} {plan.adverb[0]}{predicate.english}"
    agreement = "" if masculine else "e"
    french_verb = french_verb.replace("{e}", agreement)
    return english, f"{pronoun} {french_verb} {plan.adverb[1]}{adjective}"


def _verb(plan: Plan) -> tuple[str, str]:
    """The main verb in both languages; the French one after its subject pronoun or noun."""
    frame, modality = plan.frame, plan.modality
    number = plan.person.number if plan.person else 1
    singular = number == 1 or (number == 0 and modality.singular.startswith("was"))
    english = modality.singular if singular else modality.plural
    english = english.format(base=frame.base, past=frame.past)
    finite = modality.finite or (ETRE if frame.essive else AVOIR)
    french = finite[number]
    if modality.negation:
        french = f"{elide('ne', french)} {modality.negation}"
    if modality.participle:
        agreement = "e" if frame.essive and plan.nouns[0].gender == "f" else ""
        french = f"{french} {frame.participle}{agreement}"
    elif frame.base != "be":
        before = modality.before
        verb = frame.infinitive
        joined = elide("de", verb) if before.endswith("de ") else verb
        french = f"{french} {before.removesuffix('de ')}{joined}"
    return english, french


def _main_clause(plan: Plan) -> tuple[str, str]:
    frame = plan.frame
    phrases = [_phrase(*pair) for pair in zip(plan.nouns, plan.determiners, strict=True)]
    marked = [phrase[0].format(chr(1 + i)) for i, phrase in enumerate(phrases)]
    a, b = phrases[0], phrases[-1]
    verb, french_verb = _verb(plan)
    english_rest = frame.english.format(a=marked[0], b=marked[-1])
    french_rest = frame.french.format(a=a[1], b=b[1], db=b[2], ab=b[3])
    if plan.person:
        subject, french_subject = plan.person.english, plan.person.french
    else:
        subject, french_subject = marked[0], a[1]
    english = f"{subject} {verb} {english_rest}"
    if french_subject == "je":
        return english, f"{elide('je', french_verb)} {french_rest}"
    return english, f"{french_subject} {french_verb} {french_rest}"


def _with_place(plan: Plan, english: str, french: str) -> tuple[str, str]:
    if not plan.place or not plan.place_noun:
        return english, french
    phrase = _phrase(plan.place_noun, "the")
    place = f"{plan.place[0]} {phrase[0].format(chr(3))}"
    preposition = plan.place[1]
    if preposition.endswith(" de"):
        french_place = f"{preposition.removesuffix('de')}{phrase[2]}"
    else:
        french_place = f"{preposition} {phrase[1]}"
    if plan.place_first:
        return f"{place}, {english}", f"{french_place}, {french}"
    return f"{english} {place}", f"{french} {french_place}"


def _join(opening: str, rest: str) -> str:
    """A French opening before a clause: a report ends in que, anything else takes a comma."""
    if opening.endswith("que"):
        return elide(opening, rest)
    return f"{opening}, {rest}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _french(plan: Plan, main: str, gender: Gender) -> str:
    _, clause = _clause(plan, gender)
    if plan.aside[1]:
        clause = _join(plan.aside[1], clause)
    link = plan.link.french
    if link == ".":
        text = f"{main}. {_capital(clause)}"
        return _capital(_join(plan.opening[1], text) if plan.opening[1] else text) + "."
    linked = elide(link, clause) if link.endswith("que") else f"{link} {clause}"
    if plan.pronoun_first:
        text = f"{linked}, {main}"
    else:
        text = f"{main}{'' if link[0] == ',' else ' '}{linked}"
    return _capital(_join(plan.opening[1], text) if plan.opening[1] else text) + "."


def _english(plan: Plan, main: str) -> str:
    clause = chr(4) + _clause(plan, "m")[0]
    if plan.aside[0]:
        comma = "" if plan.aside[1].endswith("que") else ","
        clause = f"{plan.aside[0]}{comma} {clause}"
    link = plan.link.english
    if link == ".":
        start = chr(4) + "I" + clause[2:] if clause[0] == chr(4) else _capital(clause)
        text = f"{main}. {start}"
    elif plan.pronoun_first:
        text = f"{link} {clause}, {main}"
    else:
        text = f"{main}{'' if link[0] == ',' else ' '}{link} {clause}"
    if plan.opening[0]:
        comma = "" if plan.opening[1].endswith("que") else ","
        text = f"{plan.opening[0]}{comma} {text}"
    return _capital(text) + "."


def compose(plan: Plan) -> Example:
    """Spell a plan out. Control characters mark nouns and "it" until their offsets are known."""
    english, french = _main_clause(plan)
    english, french = _with_place(plan, english, french)
    if plan.moment[0]:
        english, french = f"{english} {plan.moment[0]}", f"{french} {plan.moment[1]}"
    marked = _english(plan, english)
    nouns = list(plan.nouns)
    marks = [chr(1 + i) for i in range(len(nouns))]
    if plan.place_noun:
        nouns.append(plan.place_noun)
        marks.append(chr(3))
    found = sorted((marked.index(mark), mark) for mark in (*marks, chr(4)))
    at = {mark: index - earlier for earlier, (index, mark) in enumerate(found)}
    text = marked
    for mark in at:
        text = text.replace(mark, "")
    antecedent = nouns[plan.antecedent]
    others = [i for i in range(len(nouns)) if i != plan.antecedent]
    gender: Gender = antecedent.gender
    other: Gender = "f" if gender == "m" else "m"
    return Example(
        english=text,
        french=_french(plan, french, gender),
        wrong=_french(plan, french, other),
        pronoun="il" if gender == "m" else "elle",
        antecedent=antecedent.english,
        distractors=tuple(nouns[i].english for i in others),
        it_at=at[chr(4)],
        antecedent_at=at[marks[plan.antecedent]],
        distractors_at=tuple(at[marks[i]] for i in others),
    )


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

"""A sentence of the coreference grammar, spelled out in both languages from its plan."""

from dataclasses import dataclass
from functools import cache

from viz_core.training.data.coreference_words import (
    AVOIR,
    ENOUGH,
    ETRE,
    SUBJUNCTIVE,
    TENSES,
    VOWELS,
    Frame,
    Gender,
    Link,
    Modality,
    Noun,
    Person,
    Predicate,
)


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
    places = sorted((marked.index(mark), mark) for mark in (*marks, chr(4)))
    at = {mark: index - earlier for earlier, (index, mark) in enumerate(places)}
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

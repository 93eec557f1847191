"""The words of the coreference grammar: nouns, what can be said of them, and what they can do.

The words are tables in coreference.txt, parsed once on import. A noun's class (`kind`) decides what
may be said of it; every kind holds nouns of both French genders, so that a kind tells no gender.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Gender = Literal["m", "f"]
GENDERS: tuple[Gender, ...] = ("m", "f")
Form = Literal["graded", "state", "fact", "plain", "have", "verb"]
VOWELS = frozenset("aeiouyàâéèêëîïôöûüœAEIOUÉÈÊÎÔ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    english: str
    french: str
    gender: Gender
    kind: str
    elides: bool  # l'animal, l'hôtel, but la haie
    countable: bool  # "a" only stands before a countable noun


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """What is said of "it": of the nouns of `kinds`. `fits` adds every kind of which it could be
    said at a stretch: no distractor may belong to those, or the sentence would be ambiguous."""

    english: str
    masculine: str
    feminine: str
    kinds: frozenset[str]
    fits: frozenset[str]
    form: Form
    english_now: str = ""  # present tense, for "verb"
    french_now: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A main clause: verb and complement in both languages, and the kinds of its two nouns.

    In the complements {a} and {b} are the nouns, {db} is de + b and {ab} is à + b. With a human
    subject both nouns stand in the complement; otherwise the first noun is the subject.
    """

    human: bool
    base: str
    past: str
    infinitive: str
    participle: str
    english: str
    french: str
    first: frozenset[str]
    second: frozenset[str]
    essive: bool  # être as auxiliary: the participle agrees with the subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Modality:
    """How the main verb is put. `finite` holds je, il, nous, ils forms; without, the auxiliary."""

    singular: str  # English, with {base} or {past}
    plural: str
    finite: tuple[str, str, str, str] | None = None
    negation: str = ""
    before: str = ""  # between the finite verb and the infinitive
    participle: bool = False
    now: bool = False
    willed: bool = False  # only for a subject that can want something


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What joins the pronoun clause to the main clause."""

    english: str
    french: str
    subjunctive: bool = False
    free_tense: bool = False  # allows a present after a past: "didn't cross it because it is wide"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    english: str
    french: str
    number: int  # index into je, il, nous, ils


def _sections(text: str) -> dict[str, list[str]]:
    """The tables of the file: heading -> its lines, without comments."""
    tables: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            lines = tables.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return tables


_TABLES = _sections(Path(__file__).with_name("coreference.txt").read_text(encoding="utf-8"))


def _rows(table: str) -> list[list[str]]:
    return [[part.strip() for part in line.split(" : ")] for line in _TABLES[table]]


_KINDS = frozenset(kind for kind, _ in _rows("nouns"))


def _parse_nouns() -> tuple[Noun, ...]:
    nouns = []
    for kind, entries in _rows("nouns"):
        for entry in entries.split(","):
            english, french, mark = entry.split()
            nouns.append(
                Noun(
                    english=english,
                    french=french,
                    gender="m" if mark[0] == "m" else "f",
                    kind=kind,
                    elides=(french[0] in VOWELS or french[0] == "h") and "*" not in mark,
                    countable="~" not in mark,
                )
            )
    return tuple(nouns)


def _kinds(names: str) -> frozenset[str]:
    kinds = _KINDS if names in ("any", "*") else frozenset(names.split())
    assert kinds <= _KINDS, names
    return kinds


def _parse_predicates(table: str, form: Form) -> tuple[Predicate, ...]:
    predicates = []
    for rule, names in _rows(table):
        english, french = rule.split(" = ")
        usual, _, further = names.partition("!")
        masculine, _, feminine = french.partition(" / ")
        now, french_now = "", ""
        if form == "verb":
            english, now = english.split(" / ")
            feminine, french_now = masculine, feminine
        kinds = _kinds(usual.strip())
        predicates.append(
            Predicate(
                english=english,
                masculine=masculine,
                feminine=feminine or masculine,
                kinds=kinds,
                fits=kinds | _kinds(further.strip()),
                form=form,
                english_now=now,
                french_now=french_now,
            )
        )
    return tuple(predicates)


def _parse_frames(table: str) -> tuple[Frame, ...]:
    frames = []
    for subject, rule, names in _rows(table):
        english, french = (side.split(" ", 2) for side in rule.split(" = "))
        human = subject == "human"
        first, _, second = names.partition(" > ") if human else (subject, ">", names)
        frames.append(
            Frame(
                human=human,
                base=english[0],
                past=english[1],
                english=english[2],
                infinitive=french[0],
                participle=french[1].removeprefix("+"),
                essive=french[1].startswith("+"),
                french=french[2],
                first=_kinds(first),
                second=_kinds(second),
            )
        )
    return tuple(frames)


NOUNS = _parse_nouns()
_FORMS: tuple[Form, ...] = ("graded", "state", "fact", "plain", "have", "verb")
PREDICATES = tuple(one for form in _FORMS for one in _parse_predicates(form, form))
ANYTHING = _parse_predicates("anything", "graded")
FRAMES = _parse_frames("frames")
SINGLE_FRAMES = _parse_frames("single frames")


def _pairs(table: str) -> tuple[tuple[str, str], ...]:
    rows = (line.partition(" = ") for line in _TABLES[table])
    return tuple((english, french) for english, _, french in rows)


AVOIR, ETRE = ("ai", "a", "avons", "ont"), ("suis", "est", "sommes", "sont")
_COULD = ("pouvais", "pouvait", "pouvions", "pouvaient")
_WANTED = ("voulais", "voulait", "voulions", "voulaient")
_WENT = ("allais", "allait", "allions", "allaient")
_GO, _CAN = ("vais", "va", "allons", "vont"), ("peux", "peut", "pouvons", "peuvent")
_WANT, _MUST = ("veux", "veut", "voulons", "veulent"), ("dois", "doit", "devons", "doivent")

DID, DID_NOT, *_REST = _MODALITIES = tuple(
    Modality(
        singular=singular,
        plural=plural or singular,
        finite=finite,
        negation=negation,
        before=before,
        participle=finite is None,
        now=now,
        willed=willed,
    )
    for singular, plural, finite, negation, before, now, willed in (
        ("{past}", "", None, "", "", False, False),
        ("didn't {base}", "", None, "pas", "", False, False),
        ("never {past}", "", None, "jamais", "", False, False),
        ("will {base}", "", _GO, "", "", True, False),
        ("won't {base}", "", _GO, "pas", "", True, False),
        ("was going to {base}", "were going to {base}", _WENT, "", "", False, False),
        ("couldn't {base}", "", _COULD, "pas", "", False, False),
        ("can't {base}", "", _CAN, "pas", "", True, False),
        ("had to {base}", "", AVOIR, "", "dû ", False, False),
        ("has to {base}", "have to {base}", _MUST, "", "", True, True),
        ("wanted to {base}", "", _WANTED, "", "", False, True),
        ("didn't want to {base}", "", _WANTED, "pas", "", False, True),
        ("wants to {base}", "want to {base}", _WANT, "", "", True, True),
        ("doesn't want to {base}", "don't want to {base}", _WANT, "pas", "", True, True),
        ("tried to {base}", "", AVOIR, "", "essayé de ", False, True),
        ("refused to {base}", "", AVOIR, "", "refusé de ", False, True),
    )
)
_WAS = ("étais", "était", "étions", "étaient")
_BEING = (
    Modality(singular="was", plural="were", finite=_WAS),
    Modality(singular="wasn't", plural="weren't", finite=_WAS, negation="pas"),
    Modality(singular="is", plural="are", finite=ETRE, now=True),
    Modality(singular="isn't", plural="aren't", finite=ETRE, negation="pas", now=True),
)
MODALITIES_OF = {
    "willing": (DID,) * 3 + (DID_NOT,) * 3 + _MODALITIES,
    "moving": (DID,) * 2 + (DID_NOT,) * 2 + tuple(m for m in _MODALITIES if not m.willed),
    "lying": (DID,) * 3 + (DID_NOT,) * 2 + _MODALITIES[:5],
    "being": _BEING,
}

BECAUSE = Link(english="because", french="parce que", free_tense=True)
SENTENCE = Link(english=".", french=".", free_tense=True)
LINKS = (
    *(BECAUSE,) * 6,
    *(SENTENCE,) * 4,
    Link(english="since", french="puisque", free_tense=True),
    *(Link(english=", but", french=", mais", free_tense=True),) * 2,
    *(Link(english="and", french="et"),) * 2,
    Link(english=", and", french=", et"),
    Link(english="when", french="quand"),
    Link(english="while", french="alors que"),
    Link(english=", so", french=", donc"),
    Link(english="although", french="bien que", subjunctive=True),
    Link(english="even though", french="bien que", subjunctive=True),
)
FIRST_LINKS = (
    *(BECAUSE,) * 2,
    Link(english="since", french="puisque"),
    *(Link(english="as", french="comme"),) * 2,
    Link(english="when", french="quand"),
    Link(english="while", french="alors que"),
    Link(english="although", french="bien que", subjunctive=True),
    Link(english="even though", french="bien que", subjunctive=True),
)

PEOPLE = tuple(
    Person(english=english, french=french, number=number)
    for number, table in enumerate(("I", "one", "we", "several"))
    for english, french in _pairs(f"people, {table}")
    # The pronouns are as frequent as all the nouns that they stand for.
    for _ in range(4 if french in ("je", "nous", "il", "elle", "ils") else 1)
)

NOTHING = ("", "")
THEN = _pairs("then")
NOW = _pairs("now")
REMARKS = _pairs("remarks")
REPORTS = _pairs("reports")
ASIDES = _pairs("asides")
_OUTDOORS = frozenset({"building", "water", "way", "plant"})
PLACES = tuple(
    ((english, french), kinds)
    for english, french, kinds in (
        ("near", "près de", _OUTDOORS),
        ("not far from", "non loin de", _OUTDOORS),
        ("opposite", "en face de", frozenset({"building"})),
        ("in front of", "devant", frozenset({"building"})),
        ("behind", "derrière", frozenset({"building", "plant"})),
        ("after", "après", frozenset({"event"})),
        ("before", "avant", frozenset({"event"})),
        ("during", "pendant", frozenset({"event"})),
    )
)

TOO = ("too ", "trop ")
DEGREES = (
    *(TOO,) * 3,
    ("very ", "très "),
    ("very ", "très "),
    ("so ", "si "),
    ("really ", "vraiment "),
    ("quite ", "assez "),
    ("a bit ", "un peu "),
    NOTHING,
    NOTHING,
)
PHASES = (NOTHING, NOTHING, NOTHING, ("still ", "encore "), ("already ", "déjà "))
ENOUGH = (" enough", "assez ")

# tense -> English, then French with être and with avoir; {e} is the participle's agreement
TENSES = {tense: (tense, *forms) for tense, *forms in _rows("tenses")}
SUBJUNCTIVE = {tense: tuple(forms) for tense, *forms in _rows("subjunctive")}
STEADY_TENSES: dict[bool, tuple[str, ...]] = {
    False: ("was",) * 4 + ("wasn't",),
    True: ("is",) * 4 + ("isn't",),
}
TENSES_OF: dict[Form, dict[bool, tuple[str, ...]]] = {
    "graded": {
        False: ("was",) * 6 + ("wasn't", "seemed", "looked", "became", "had become"),
        True: ("is",) * 6 + ("isn't", "seems", "looks", "is becoming"),
    },
    "state": {
        False: ("was",) * 6 + ("wasn't", "seemed", "looked"),
        True: ("is",) * 6 + ("isn't", "seems", "looks"),
    },
    "fact": STEADY_TENSES,
    "plain": {False: ("was",), True: ("is",)},
    "have": {False: ("was",) * 5 + ("wasn't", "seemed"), True: ("is",) * 5 + ("isn't", "seems")},
    "verb": {False: ("was",), True: ("is",)},
}

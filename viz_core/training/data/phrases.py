"""Everyday English with its French, spelled out from the tables and sentences of phrases.txt.

The corpora on board name a neighbour twice and a trophy twelve times, greet seldom and hardly tell
the time. Here a noun brings its gender along, and what belongs to it in French agrees with it:

    {The thing} was {take.done} by {the person}. | {The thing} a été {take.pp}{+ thing} par ...
    The letters were found by the judge.         | Les lettres ont été trouvées par le juge.

A place in braces names a table, with a number where a sentence has two of it and an s for its
plural. Before it may stand an article (the, a, my, your, her, this, these, some), an adjective's
table, a preposition (to, at, of, from, in), or what agrees alone: `it` (il, elle), `is` (est or
sont), `+` (an ending) and `=tout/toute/tous/toutes`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from viz_core.training.data import swaps

TABLES = Path(__file__).with_suffix(".txt")
ARTICLES = {  # masculine, feminine, plural
    "the": ("le", "la", "les"),
    "a": ("un", "une", "des"),
    "my": ("mon", "ma", "mes"),
    "your": ("ton", "ta", "tes"),
    "her": ("son", "sa", "ses"),
    "this": ("ce", "cette", "ces"),
    "these": ("ce", "cette", "ces"),
    "some": ("de le", "de la", "de les"),
}
PREPOSITIONS = {"to": "à", "at": "à", "of": "de"}
ADVERBS = {"very": ("very ", "très "), "too": ("too ", "trop ")}
VERB = ("", "past", "done", "ing", "inf", "pp", "he", "fut")  # fields of a verb
CARELESS = 0.1  # the share without capitals or a full stop, as people type
_PLACE = re.compile(r"\{([^}]*)\}")
_NAME = re.compile(r"(\w+?)(s?)(\d?)$")
_VOWEL = r"(?=[aeiouœàâéèêëîïôhAEIOUÉÎÂ])"


class Noun(NamedTuple):
    english: tuple[str, str]  # one, many
    gender: str  # m or f; of a country also v (l'Iran, en Iran) and p (les, aux)
    french: tuple[str, str]


class Other(NamedTuple):
    """An adjective, a verb or a fixed expression: its English and its French forms."""

    english: tuple[str, ...]
    french: tuple[str, ...]


Table = list[Noun] | list[Other]


def read() -> tuple[dict[str, Table], list[tuple[str, str]]]:
    """The tables by name, and the sentences: English, French."""
    tables: dict[str, Table] = {}
    sentences = []
    name = ""
    for line in TABLES.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            name = line[3:]
        elif line and not line.startswith("#"):
            if name == "sentences":
                english, french = line.split(" | ")
                sentences.append((english, french))
            else:
                tables[name] = [entry(name, one.strip()) for one in line.split(";")]  # type: ignore[assignment]
    return tables, sentences


def entry(table: str, text: str) -> Noun | Other:
    noun = re.match(r"(.+?) ([mfpv]) (.+)$", text)
    if noun:
        english, french = noun[1].split("/"), noun[3].split("/")
        gender = noun[2]
        return Noun(
            (english[0], english[1] if english[1:] else english_plural(english[0])),
            gender,
            (french[0], french[1] if french[1:] else french_plural(french[0])),
        )
    if table == "activity":
        english, french = text.split(": ")
        words = english.split()
        half = len(words) // 2
        return Other((" ".join(words[:half]), " ".join(words[half:])), (french,))
    if table in ("take", "deed", "meet", "contact"):
        english, french = text.split(": ")
        return Other(tuple(english.split()), tuple(french.split()))
    if ": " in text or table == "city":
        english, _, french = text.partition(": ")
        return Other((english,), (french or english,))
    english, french = text.split(" ", 1)
    return Other((english,), adjective(french))


def english_plural(word: str) -> str:
    if re.search(r"(?:s|x|ch|sh)$", word):
        return word + "es"
    return re.sub(r"(?<=[^aeiou])y$", "ie", word) + "s"


def french_plural(word: str) -> str:
    if re.search(r"[sxz]$", word):
        return word
    if re.search(r"eau$|(?<!pn)(?<!bl)eu$|(?:bij|caill|ch|gen|hib|jouj|p)ou$", word):
        return word + "x"
    return re.sub(r"(?<!b)al$", "au", word) + ("x" if re.search(r"(?<!b)al$", word) else "s")


def adjective(written: str) -> tuple[str, str, str, str]:
    """Masculine, feminine, and their plurals; an expression of two words never changes."""
    first, _, second = written.partition("/")
    second = second or (first if first.endswith("e") else first + "e")
    if " " in first:
        return (first,) * 4
    return first, second, french_plural(first), french_plural(second)


class Drawn:
    """One sentence's choices: the same place in both languages is the same word."""

    def __init__(self, tables: dict[str, Table], rng: random.Random) -> None:
        self.tables, self.rng = tables, rng
        self.chosen: dict[str, Any] = {}

    def choose(self, name: str) -> tuple[Any, bool]:
        """What stands at a place, and whether in the plural."""
        match = _NAME.match(name)
        assert match, name
        table, plural, number = match[1], bool(match[2]), match[3]
        if table not in self.tables:
            table, plural = table + match[2], False
        key = table + number
        if key not in self.chosen:
            taken = [
                one for other, one in self.chosen.items() if other.rstrip("0123456789") == table
            ]
            left = [one for one in self.tables[table] if one not in taken]
            self.chosen[key] = self.rng.choice(left)
        return self.chosen[key], plural

    def english(self, place: str) -> str:
        if place in ADVERBS:
            return ADVERBS[place][0]
        if "." in place:
            name, field = place.split(".")
            verb, _ = self.choose(name)
            return str(verb.english[1 if name[:8] == "activity" else VERB.index(field)])
        *before, name = place.lower().split()
        noun, plural = self.choose(name)
        if (
            before and before[0] in self.tables
        ):  # an adjective after its noun: English does not agree
            return str(self.choose(before[0])[0].english[0])
        word = noun.english[plural] if isinstance(noun, Noun) else noun.english[0]
        if len(before) > 1:
            word = f"{self.choose(before[1])[0].english[0]} {word}"
        if not before:
            return str(word)
        return f"{before[0]} {word}"

    def french(self, place: str) -> str:
        if place in ADVERBS:
            return ADVERBS[place][1]
        if "." in place:
            name, field = place.split(".")
            verb, _ = self.choose(name)
            return str(verb.french[VERB.index(field) - 4])
        if place.startswith("="):
            forms, name = place[1:].rsplit(" ", 1)
            return forms.split("/")[self.agreement(name)]
        *before, name = place.lower().split()
        if before == ["+"]:
            return "\0" + ("", "e", "s", "es")[self.agreement(name)]
        if before == ["it"]:
            return ("il", "elle", "ils", "elles")[self.agreement(name)]
        if before == ["is"]:
            return "sont" if self.choose(name)[0].gender == "p" else "est"
        if before and before[0] in self.tables:
            return str(self.choose(before[0])[0].french[self.agreement(name)])
        noun, plural = self.choose(name)
        if not isinstance(noun, Noun):
            return str(noun.french[0])
        word = noun.french[plural]
        if before[:1] in (["in"], ["from"]):
            return country(before[0], noun, word)
        if len(before) > 1 and before[1] in self.tables:
            form = str(self.choose(before[1])[0].french[self.agreement(name)])
            word = f"{form} {word}" if before[1] == "first" else f"{word} {form}"
            before = before[:1]
        said = [PREPOSITIONS[one] for one in before if one in PREPOSITIONS]
        said += [
            ARTICLES[one][2 if plural or noun.gender == "p" else noun.gender == "f"]
            for one in before
            if one in ARTICLES
        ]
        return " ".join([*said, word])

    def agreement(self, name: str) -> int:
        noun, plural = self.choose(name)
        return (noun.gender == "f") + 2 * (plural or noun.gender == "p")


def country(preposition: str, noun: Noun, word: str) -> str:
    """en France, en Iran, au Japon, aux Pays-Bas; de France, d'Iran, du Japon, des Pays-Bas"""
    said = {
        "in": {"f": "en", "v": "en", "m": "au", "p": "aux"},
        "from": {"f": "de", "v": "de", "m": "du", "p": "des"},
    }
    return f"{said[preposition][noun.gender]} {word}"


def contracted(french: str) -> str:
    """le arbre -> l'arbre, ma idée -> mon idée, ce arbre -> cet arbre, de le -> du, à les -> aux"""
    french = re.sub(r"(?<=[sxSX])\0s$|(?<=[sx])\0s\b|\0", "", french)
    french = re.sub(rf"(?<!-)\b([JjNnLlDdSsMmTt]|[Qq]u)e {_VOWEL}", r"\1'", french)
    french = re.sub(rf"\b([Ll])a {_VOWEL}", r"\1'", french)
    french = re.sub(rf"\b([MmTtSs])a {_VOWEL}", r"\1on ", french)
    french = re.sub(rf"\b([Cc])e {_VOWEL}(?!est )", r"\1et ", french)
    for plain, other in (("beau", "bel"), ("nouveau", "nouvel"), ("vieux", "vieil")):
        french = re.sub(rf"\b(un|mon|notre) {plain} {_VOWEL}", rf"\1 {other} ", french)
    for apart, joined in (("de le", "du"), ("de les", "des"), ("à le", "au"), ("à les", "aux")):
        french = re.sub(rf"\b{apart}\b(?!')", joined, french)
    return french.replace("*", "")


def articled(english: str) -> str:
    return re.sub(r"\b([Aa]) (?=[aeio]|u(?!ni|se)|hour|honest)", r"\1n ", english)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@cache
def places() -> tuple[dict[str, Table], list[tuple[str, str]]]:
    return read()


def generate(count: int, seed: int) -> Iterator[tuple[str, str]]:
    tables, sentences = places()
    rng = random.Random(seed)
    for _ in range(count):
        english, french = rng.choice(sentences)
        drawn = Drawn({**tables, **counted(rng)}, rng)
        said, told = spelled(english, drawn.english), spelled(french, drawn.french)
        pair = capital(articled(said)), capital(contracted(told))
        yield swaps.carelessly(*pair, rng) if rng.random() < CARELESS else pair


def spelled(sentence: str, word: Callable[[str], str]) -> str:
    return _PLACE.sub(lambda match: word(match[1]), sentence)


def ordinal(day: int) -> str:
    ending = "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def counted(rng: random.Random) -> dict[str, Table]:
    """Names, numbers, dates and times of day: tables without an end."""
    day, month = rng.randint(1, 28), rng.choice(list(swaps.MONTHS))
    dated = rng.choice((f"{day} {month}", f"{month} {day}", f"{month} {ordinal(day)}"))
    hour, minute = rng.randint(1, 23), rng.choice((0, 5, 10, 15, 20, 30, 40, 45, 50))
    age = str(rng.randint(2, 99))
    names = [*rng.sample(swaps.WOMEN + swaps.MEN, 2), swaps.invented(rng)]
    number, year = (
        str(rng.choice((rng.randint(2, 60), rng.randint(60, 9999)))),
        rng.randint(1850, 2040),
    )
    clocks = [(f"{hour}:{minute:02}", f"{hour} h {minute:02}" if minute else f"{hour} h")]
    if not minute and 1 < hour < 13:
        clocks.append((f"{hour} o'clock", f"{hour} heures"))
    clock, said = rng.choice(clocks)
    return {
        "name": [Other((name,), (name,)) for name in names],
        "woman": [Other((name,), (name,)) for name in rng.sample(swaps.WOMEN, 2)],
        "man": [Other((name,), (name,)) for name in rng.sample(swaps.MEN, 2)],
        "num": [Other((number,), (number,))],
        "age": [Other((age,), (age,))],
        "date": [Other((dated,), (f"{'1er' if day == 1 else day} {swaps.MONTHS[month]}",))],
        "year": [Other((str(year),), (str(year),))],
        "time": [Other((clock,), (said,))],
    }

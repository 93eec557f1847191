"""Pairs in which numbers, dates and names are swapped on both sides, to teach copying.

A translator that has seen "Tom" fifty thousand times and "Farzaneh" never will write "Tom". Here a
name, a number, a month or a weekday that stands on both sides of a real pair gives way to another
one on both sides. Names keep their first sound (de Tom, d'Alice) and, where it is known, their
gender; a number stays a number of more than one, so that the grammar around it stays right.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator

# fmt: off
WOMEN = [
    "Mary", "Alice", "Emily", "Anna", "Kate", "Lucy", "Jane", "Linda", "Susan", "Helen", "Laura",
    "Nancy", "Emma", "Sophie", "Marie", "Julie", "Claire", "Camille", "Léa", "Chloé", "Fatima",
    "Aisha", "Yuki", "Mei", "Linh", "Lan", "Hoa", "Min-ji", "Seo-yeon", "Farzaneh", "Shirin",
    "Leila", "Maryam", "Parisa", "Olga", "Natasha", "Irina", "Ingrid", "Astrid", "Elena", "Lucia",
    "Carmen", "Priya", "Anjali", "Amina",
]
MEN = [
    "Tom", "John", "Peter", "Bob", "Mike", "Jack", "David", "Paul", "James", "Robert", "Bill",
    "Jim", "Ken", "Nick", "Sam", "Henry", "Frank", "Luke", "Pierre", "Jean", "Marc", "Nicolas",
    "Antoine", "Olivier", "Ali", "Omar", "Hassan", "Reza", "Ashkan", "Mohammad", "Ahmad", "Amir",
    "Kenji", "Hiroshi", "Wei", "Minh", "Tuan", "Hung", "Jun-ho", "Sung-min", "Ivan", "Igor",
    "Oleg", "Andrei", "Carlos", "Diego", "Enrico", "Arjun",
]
# fmt: on
MONTHS = {
    "January": "janvier",
    "February": "février",
    "March": "mars",
    "April": "avril",
    "May": "mai",
    "June": "juin",
    "July": "juillet",
    "August": "août",
    "September": "septembre",
    "October": "octobre",
    "November": "novembre",
    "December": "décembre",
}
DAYS = {
    "Monday": "lundi",
    "Tuesday": "mardi",
    "Wednesday": "mercredi",
    "Thursday": "jeudi",
    "Friday": "vendredi",
    "Saturday": "samedi",
    "Sunday": "dimanche",
}
VOWELS = "aeiouyhàâäéèêëîïôöûü"
_NUMBER = re.compile(r"(?<![\w.,:])\d{1,6}(?![\w:%]|[.,]\d)")
_NAME = re.compile(r"\b[A-Z][a-zà-ÿ]{2,}(?:-[A-Z]?[a-zà-ÿ]+)?\b")
_ARTICLE = re.compile(r"\b(?:l[ae]s?|les|du|aux?|des|une?|l[’'])\s*$", re.I)
_SYLLABLES = (
    "ba be bo da do fa ka ko la le li lo ma mi mo na ne no ra re ri ro sa so ta to va vi za"
)


def swapped(pairs: Iterable[tuple[str, str]], seed: int) -> Iterator[tuple[str, str]]:
    """The pairs in which something could be swapped, swapped."""
    rng = random.Random(seed)
    for english, french in pairs:
        changed = english, french
        for change in (_numbers, _dates, _names):
            changed = change(*changed, rng)
        if changed != (english, french):
            yield changed


def _numbers(english: str, french: str, rng: random.Random) -> tuple[str, str]:
    same = {n for n in _NUMBER.findall(english) if n in _NUMBER.findall(french) and int(n) > 1}
    changes = {number: _number(number, rng) for number in sorted(same)}
    return _replaced(english, french, {old: (old, new, new) for old, new in changes.items()})


def _number(like: str, rng: random.Random) -> str:
    if len(like) == 4 and like[:2] in ("17", "18", "19", "20"):
        return str(rng.choice((rng.randint(1700, 1989), rng.randint(1990, 2035))))
    digits = len(like) if rng.random() < 0.7 else rng.randint(1, 5)
    return str(
        rng.randint(2, 9) if digits == 1 else rng.randint(10 ** (digits - 1), 10**digits - 1)
    )


def _dates(english: str, french: str, rng: random.Random) -> tuple[str, str]:
    changes = {}
    for table in (MONTHS, DAYS):
        for one, written in table.items():
            if not re.search(rf"\b{one}\b", english) or not re.search(rf"\b{written}\b", french):
                continue
            other = rng.choice([e for e, f in table.items() if _sound(f) == _sound(written)])
            changes[one] = (written, other, table[other])
    return _replaced(english, french, changes)


def _names(english: str, french: str, rng: random.Random) -> tuple[str, str]:
    # What has an article in French (la Commission) is a thing with a gender, not a name.
    inside = {m[0] for m in _NAME.finditer(french) if not _ARTICLE.search(french[: m.start()])}
    known = {*WOMEN, *MEN}
    # The first word of a sentence is a name only if it is known to be one: "Paris", but "Tables".
    same = {
        match[0]
        for match in _NAME.finditer(english)
        if match[0] in inside and (match.start() > 0 or match[0] in known)
    }
    changes = {name: _other(name, rng) for name in sorted(same - {*MONTHS, *DAYS})}
    return _replaced(english, french, {name: (name, new, new) for name, new in changes.items()})


def _other(name: str, rng: random.Random) -> str:
    people = WOMEN if name in WOMEN else MEN if name in MEN else None
    drawn = [rng.choice(people)] if people and rng.random() < 0.7 else []
    drawn += [invented(rng) for _ in range(40)]
    return next((other for other in drawn if _sound(other) == _sound(name)), name)


def invented(rng: random.Random) -> str:
    """A name that nobody has heard of: it can only be copied."""
    body = "".join(rng.choice(_SYLLABLES.split()) for _ in range(rng.randint(2, 3)))
    first = rng.choice(("", "", rng.choice("aeiou")))
    return (first + body + rng.choice(("n", "r", "s", "l", "ck", "", ""))).capitalize()


def _sound(word: str) -> bool:
    return word[0].lower() in VOWELS


def _replaced(
    english: str, french: str, changes: dict[str, tuple[str, str, str]]
) -> tuple[str, str]:
    """English word -> (its French, the new English, the new French), all at once."""
    if not changes:
        return english, french
    by_french = {written: new for written, _, new in changes.values()}

    def rewrite(text: str, table: Callable[[str], str], words: Iterable[str]) -> str:
        pattern = r"\b(" + "|".join(map(re.escape, words)) + r")\b"
        return re.sub(pattern, lambda match: table(match[0]), text)

    return (
        rewrite(english, lambda word: changes[word][1], changes),
        rewrite(french, lambda word: by_french[word], by_french),
    )


# The corpora write as in America; a lecturer may not.
BRITISH = {
    "color": "colour", "colors": "colours", "colored": "coloured", "favorite": "favourite",
    "favorites": "favourites", "neighbor": "neighbour", "neighbors": "neighbours",
    "neighborhood": "neighbourhood", "honor": "honour", "humor": "humour",
    "behavior": "behaviour", "harbor": "harbour", "labor": "labour", "flavor": "flavour",
    "rumor": "rumour", "center": "centre", "theater": "theatre", "meters": "metres",
    "kilometer": "kilometre", "kilometers": "kilometres", "liter": "litre", "liters": "litres",
    "gray": "grey", "traveled": "travelled", "traveling": "travelling", "traveler": "traveller",
    "canceled": "cancelled", "realize": "realise", "realized": "realised",
    "recognize": "recognise", "recognized": "recognised", "apologize": "apologise",
    "apologized": "apologised", "organize": "organise", "organized": "organised",
    "jewelry": "jewellery", "pajamas": "pyjamas", "dialog": "dialogue", "defense": "defence",
    "mom": "mum", "airplane": "aeroplane", "skillful": "skilful", "fulfill": "fulfil",
    "practicing": "practising", "dreamed": "dreamt", "burned": "burnt",
}  # fmt: skip
_AMERICAN = re.compile(rf"\b({'|'.join(BRITISH)})\b")


def respelt(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The pairs whose English is spelled otherwise in Britain, spelled so."""
    for english, french in pairs:
        changed = _AMERICAN.sub(lambda match: BRITISH[match[0]], english)
        if changed != english:
            yield changed, french


def as_typed(pairs: Iterable[tuple[str, str]], seed: int) -> Iterator[tuple[str, str]]:
    """Short sentences as people type them."""
    rng = random.Random(seed)
    for english, french in pairs:
        yield carelessly(english, french, rng)


def carelessly(english: str, french: str, rng: random.Random) -> tuple[str, str]:
    """No full stop, or no capital, or neither; now and then no capital at all, in names either."""
    bare = rng.random() < 0.7
    if bare and english.endswith(".") and french.endswith("."):
        english, french = english[:-1], french[:-1]
    if rng.random() < 0.3:
        return english.lower(), french
    if (not bare or rng.random() < 0.5) and not re.match(r"I\b|[A-Z][a-z]+ [A-Z]", english):
        english = english[0].lower() + english[1:]
    return english, french

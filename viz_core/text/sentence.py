"""What can be said of a typed sentence before a model reads it: its language, its capitals."""

from __future__ import annotations

import re
import unicodedata

WORDS = re.compile(r"[^\W\d_]+")
FRENCH = frozenset(
    WORDS.findall(
        """au aux avec c ce ces cette d dans de des du elle elles est et ils il j je l la le les
        leur ma mais mes mon n ne nous ou par pas pour qu que qui sa se ses sont suis sur tu un une
        vous y"""
    )
)
ENGLISH = frozenset(
    WORDS.findall(
        """and are at but by did do does for from had has have he her his i in is it my not of or
        our she that the their they this to was we were what when where who why will with you
        your"""
    )
)
ASKING = ENGLISH | frozenset(
    WORDS.findall("a an be been can could how many much on there which whom")
)
OTHERS = frozenset(  # small words of German, Spanish and Italian that are no English or French
    WORDS.findall(
        """auch auf das dem der ein eine einen ich ist mit nicht oder sich und von wie wir zu
        como con del ella eso esta hay las los muy nos para pero por una
        anche che della di gli non per sono sul"""
    )
)
ACCENTS = re.compile("[àâæçèéêëîïôœùûÿ]")
# Letters with a mark that neither language has: Vietnamese, German, Spanish, Polish, Turkish.
MARKED = re.compile("[^\\W\\d_a-zàâæçèéêëîïôœùûÿ]")
STEM = 4  # letters that tell whether two words belong together: count, counted


def language(text: str) -> str:
    """French or English where the small words say so, another where the letters do, or nothing."""
    letters = [sign for sign in text if sign.isalpha()]
    foreign = sum("LATIN" not in unicodedata.name(sign, "") for sign in letters)
    if 2 * foreign > len(letters):
        return "another language"
    words = [word.lower() for word in WORDS.findall(unicodedata.normalize("NFC", text))]
    others = sum(word in OTHERS or bool(MARKED.search(word)) for word in words)
    known = [sum(word in small for word in words) for small in (ENGLISH, FRENCH)]
    if others >= 2 and others >= max(known):
        return "another language"
    french = sum(word in FRENCH or bool(ACCENTS.search(word)) for word in words)
    english = sum(word in ENGLISH for word in words)
    if french > english and french >= 2:
        return "French"
    return "English" if english > french and english >= 2 else ""


def pictographs(text: str) -> list[str]:
    """Emoji and other signs that are part of no word, each once."""
    return list(dict.fromkeys(sign for sign in text if unicodedata.category(sign) == "So"))


def is_shouted(text: str) -> bool:
    """Two words or more, in capitals only."""
    words = [word for word in WORDS.findall(text) if len(word) > 1]
    return len(words) > 1 and all(word.isupper() for word in words)


def spoken(text: str) -> str:
    """A shouted sentence as it would be written: "I LOST MY BAG" -> "I lost my bag"."""
    low = re.sub(r"\bi\b", "I", text.lower())
    begins = next((place for place, sign in enumerate(low) if sign.isalpha()), 0)
    return low[:begins] + low[begins : begins + 1].upper() + low[begins + 1 :]


def shares_words(question: str, text: str) -> bool:
    """Whether any word that carries the question stands in the text, in this or a near form."""
    stems = {word.lower()[:STEM] for word in WORDS.findall(text)}
    asked = [word.lower() for word in WORDS.findall(question)]
    return any(word[:STEM] in stems for word in asked if word not in ASKING)

"""Two or three short sentences as one long one, on both sides: how people go on talking.

Of the everyday pairs four in a hundred have more than twelve words. What is typed in a lecture
often has twenty, and most of those are short sentences with a word between them.

    He is tired. + We can wait. -> He is tired, but we can wait. | Il est fatigué, mais nous ...
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

BETWEEN = (  # how often, and what stands between: English, French
    (5, ", and ", " et "),
    (5, ", but ", ", mais "),
    (3, ", so ", ", donc "),
    (3, " because ", " parce que "),
    (2, " and ", " et "),
    (1, " while ", " pendant que "),
    (1, " when ", " quand "),
    (1, ", or ", " ou "),
    (1, ", although I know that ", ", bien que je sache que "),
    (1, ", and I think that ", " et je pense que "),
    (1, ", which means that ", ", ce qui signifie que "),
    (5, ". ", ". "),
)
LONGEST = 11  # words of each part
OFTEN = 20  # so many times inside a sentence makes a word one that need not begin with a capital
_ELIDED = re.compile(r"(?<= qu)e (?=[aeiouyéèêhâîô])", re.I)
Texts = tuple[str, str]


def joined(pairs: Iterable[Texts], count: int, seed: int) -> Iterator[Texts]:
    known = list(pairs)
    plain = [common(side) for side in zip(*known, strict=True)]
    parts = [pair for pair in known if all(map(fits, pair))]
    going_on = [pair for pair in parts if all(map(begins_plainly, pair, plain))]
    rng = random.Random(seed)
    for _ in range(count):
        found = rng.choice(parts)
        for _ in range(1 if rng.random() < 0.7 else 2):
            found = join(found, rng, parts, going_on)
        yield found


def join(first: Texts, rng: random.Random, parts: Sequence[Texts], plain: Sequence[Texts]) -> Texts:
    """The first, a word between them, and another one."""
    _, *between = rng.choices(BETWEEN, [often for often, *_ in BETWEEN])[0]
    if between[0] == ". ":
        return _put(first, between, rng.choice(parts))
    second = rng.choice(plain)
    return _put(first, between, (lowered(second[0]), lowered(second[1])))


def _put(first: Texts, between: Sequence[str], second: Texts) -> Texts:
    english, french = (
        one.removesuffix(".") + word + other
        for one, word, other in zip(first, between, second, strict=True)
    )
    return english, _ELIDED.sub("'", french)


def fits(text: str) -> bool:
    """One short statement."""
    return (
        text.endswith(".") and len(text.split()) <= LONGEST and not re.search(r"[.!?:;\"] ", text)
    )


def common(side: Iterable[str]) -> set[str]:
    """The words that stand without a capital inside sentences."""
    counted = Counter(word for text in side for word in re.findall(r"(?<= )[a-zà-ÿœ]+", text))
    return {word for word, times in counted.items() if times >= OFTEN}


def begins_plainly(text: str, plain: set[str]) -> bool:
    first = re.match(r"[^\W\d_]+", text)
    return first is not None and (first[0] == "I" or first[0].lower() in plain)


def lowered(text: str) -> str:
    return text if re.match(r"I\b", text) else text[0].lower() + text[1:]

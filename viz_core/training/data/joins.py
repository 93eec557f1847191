"""Two or three short sentences as one long one, on both sides: how people go on talking.

Of the everyday pairs two in a hundred have more than twelve words. What is typed in a lecture
often has twenty, and most of those are short sentences with a word between them.

    He is tired. + We can wait. -> He is tired, but we can wait. | Il est fatigué, mais nous ...
"""

from __future__ import annotations

import random
import re
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
WHOLE = 24  # and of all together: no corpus has longer sentences
# After a word between goes on what begins with somebody or something, not "Sit down" or "Hello":
# names are left out, as what looks like one may be the first word of anything.
HEADS = (
    re.compile(
        r"(i|you|he|she|it|we|they|this|that|these|those|there|the|an?|my|your|his|her|our|their|"
        r"nobody|everybody|somebody|nothing|everything|something|both|most|some|many|all)\b",
        re.I,
    ),
    re.compile(
        r"(je?|tu|ils?|elles?|on|nous|vous|ce|c|cet|cette|ces|cela|ça|celui|ceux|l[ea]?|les|une?|"
        r"des|du|mon|ma|mes|ton|ta|tes|son|sa|ses|notre|nos|votre|vos|leurs?|personne|quelqu|rien|"
        r"tout|tous|toutes|chacun|beaucoup|certains|plusieurs)\b",
        re.I,
    ),
)
_ELIDED = re.compile(r"(?<= qu)e (?=[aeiouyéèêhâîô])", re.I)
Texts = tuple[str, str]


def joined(pairs: Iterable[Texts], count: int, seed: int) -> Iterator[Texts]:
    parts = [pair for pair in pairs if all(map(fits, pair))]
    going_on = [
        pair
        for pair in parts
        if all(head.match(side) for head, side in zip(HEADS, pair, strict=True))
    ]
    rng = random.Random(seed)
    for _ in range(count):
        found = rng.choice(parts)
        for _ in range(1 if rng.random() < 0.7 else 2):
            longer = join(found, rng, parts, going_on)
            if max(len(side.split()) for side in longer) <= WHOLE:
                found = longer
        yield found


def join(
    first: Texts, rng: random.Random, parts: Sequence[Texts], going_on: Sequence[Texts]
) -> Texts:
    """The first, a word between them, and another one."""
    _, *between = rng.choices(BETWEEN, [often for often, *_ in BETWEEN])[0]
    if between[0] == ". ":
        return _put(first, between, rng.choice(parts))
    second = rng.choice(going_on)
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


def lowered(text: str) -> str:
    return text if re.match(r"I\b", text) else text[0].lower() + text[1:]

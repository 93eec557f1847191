"""A word in two sentences: where it stands, what is near to it, and how near the two are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from viz_core.traces.attention import Vectors
from viz_core.traces.states import Library, States, Surprise, Use

TOPIC = "GloVe, all words"  # on the card: the mean of the words around
MIXTURE = "ELMo, your mixture"
AROUND = 2  # words on either side of a neighbour that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """The uses that are nearest to one word, by one kind of vector."""

    name: str  # of the vectors
    uses: tuple[Use, ...]
    similarities: tuple[float, ...]


def place(words: Sequence[str], word: str, which: str) -> int:
    """Where a word stands in a sentence; if it does not, a sentence says so."""
    asked = word.strip().lower()
    if not asked:
        raise ValueError("Type the word that both sentences have, such as bank.")
    if len(asked.split()) > 1:
        raise ValueError("One word at a time: type the word that both sentences have.")
    low = [each.lower() for each in words]
    if asked not in low:
        raise ValueError(
            f"“{word.strip()[:40]}” is not in the {which} sentence: type a word that both have, in "
            "the same form."
        )
    return low.index(asked)


def layers_of(states: States, word: str, which: str) -> Vectors:
    """The vectors of a word in a sentence, (layer, width)."""
    words = states.words()
    found: Vectors = words.values[:, place(words.tokens, word, which)]
    return found


def cosines(vector: Vectors, others: Vectors) -> Vectors:
    """Of one vector (width,) with many (number, width)."""
    lengths = np.linalg.norm(vector) * np.linalg.norm(others, axis=-1)
    found: Vectors = others @ vector / np.maximum(lengths, 1e-9)
    return found


def mixed(values: Vectors, shares: Sequence[float], gamma: float) -> Vectors:
    """ELMo_i = gamma sum_j s_j h_ij (Peters et al. 2018, eq. 1) of values (layer, ..., width)."""
    found: Vectors = gamma * np.tensordot(np.asarray(shares, dtype=values.dtype), values, axes=1)
    return found


def shares(weights: Sequence[float]) -> tuple[float, ...]:
    """What was set, so that it sums to one; the same of each where all is nothing."""
    total = sum(weights)
    return tuple(w / total if total else 1 / len(weights) for w in weights)


def columns(
    elmo: Vectors, bert: Vectors, shares: Sequence[float], gamma: float
) -> dict[str, Vectors]:
    """The kinds of vectors that are compared, by name; each array is (layer, ..., width)."""
    return {
        **{f"ELMo, layer {layer}": values for layer, values in enumerate(elmo)},
        MIXTURE: mixed(elmo, shares, gamma),
        f"BERT, layer {len(bert) - 1}": bert[-1],
    }


def senses(library: Library, word: str) -> tuple[str, ...]:
    """The meanings of a word that the library tells apart."""
    known = (use.sense for use in library.uses if use.word == word.strip().lower() and use.sense)
    return tuple(dict.fromkeys(known))


def nearest(name: str, vector: Vectors, library: Library, values: Vectors, top: int) -> Near:
    """The nearest uses of a library by values (use, width)."""
    similar = cosines(vector, values)
    order = np.argsort(-similar, kind="stable")[:top]
    return Near(
        name=name,
        uses=tuple(library.uses[i] for i in order),
        similarities=tuple(float(similar[i]) for i in order),
    )


def neighbours(
    own: Mapping[str, Vectors], library: Library, stored: Mapping[str, Vectors], top: int
) -> list[Near]:
    """The nearest uses by each kind of vector."""
    return [nearest(name, own[name], library, stored[name], top) for name in own]


def snippet(use: Use) -> str:
    """The word with what stands around it."""
    start, stop = max(use.at - AROUND, 0), use.at + AROUND + 1
    before, after = use.sentence[start : use.at], use.sentence[use.at + 1 : stop]
    return " ".join((*before, use.word.upper(), *after))


def meaning(near: Near, word: str) -> tuple[str, int, int]:
    """The commonest meaning among the neighbours that are the same word, how many have it, and how
    many are the same word at all."""
    senses = Counter(u.sense for u in near.uses if u.word == word.strip().lower() and u.sense)
    if not senses:
        return "", 0, 0
    ((sense, count),) = senses.most_common(1)
    return sense, count, senses.total()


def told_apart(word: str, pair: Sequence[Near]) -> str:
    """Which meaning one kind of vector finds in each of two sentences, in words."""
    told = []
    for near in pair:
        sense, count, total = meaning(near, word)
        told.append(f"{sense} {count} of {total}" if sense else "none")
    return f"{pair[0].name}: {', then '.join(told)}"


def alike(first: dict[str, Vectors], second: dict[str, Vectors]) -> dict[str, float]:
    """The cosine of the two uses, by kind of vector."""
    return {name: float(cosines(first[name], second[name][None])[0]) for name in first}


def halves(found: Surprise) -> str:
    """Which reader was less surprised."""
    forward, backward = float(found.forward.sum()), float(found.backward.sum())
    better = "left to right" if forward < backward else "right to left"
    word = found.words[int((found.forward + found.backward).argmax())]
    return (
        f"Read from the left this sentence costs {forward:.1f} nats, from the right "
        f"{backward:.1f}: it is easier {better}. Both together are most surprised by “{word}”"
    )


def measured(shares: Mapping[str, float]) -> str:
    """How well meanings are told apart on a public test, from a card: the best of each kind."""
    best = {
        kind: max(value for name, value in shares.items() if name.startswith(f"{kind}, layer"))
        for kind in ("ELMo", "BERT")
    }
    topic = shares[TOPIC]
    weaker = topic > best["ELMo"]
    return (
        f"Two sentences with the same sense of a word are nearer than two with different ones in "
        f"{best['ELMo']:.0%} of the comparisons by the best layer of this ELMo, in "
        f"{best['BERT']:.0%} by BERT's; half of the time by chance or by one plain vector. The "
        f"mean of the plain vectors of all words around, which knows the topic, reaches {topic:.0%}"
        + (": more than this small ELMo" if weaker else "")
    )

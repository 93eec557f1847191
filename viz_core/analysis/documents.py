"""What a document's weights say, in numbers and in words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from viz_core.text import sentence
from viz_core.text.document import bare
from viz_core.traces.document import DocumentTrace, RunningTrace

STRANGE = 0.3  # share of unknown words from which the verdict means little
NEAR = 0.005
ENOUGH = 0.75  # share of denied sentences from which a not is called understood
DENIALS = {"not", "never"}
NAMED = 8  # unknown words that are told
CLOSE = 0.005  # accuracies that are as good as the same
PUBLISHED = (
    "Yang et al. print 49.4% for IMDB, but of ten grades of stars on another split: a harder task "
    "than positive or negative, so the two numbers cannot be compared."
)


def heaviest(trace: DocumentTrace) -> tuple[int, int]:
    """The sentence with the largest weight, and the word with the largest weight in it."""
    sentence = int(trace.sentence_weights.argmax())
    return sentence, int(trace.word_weights[sentence].argmax())


def verdict(trace: DocumentTrace) -> str:
    return f"{trace.label}, {trace.probabilities[trace.label]:.0%}"


def finding(trace: DocumentTrace) -> str:
    """The sentence and the word that weigh most, and the verdict."""
    sentence, word = heaviest(trace)
    weight = float(trace.sentence_weights[sentence])
    part = float(trace.word_weights[sentence][word])
    typed = bare(trace.sentences[sentence][word])
    return (
        f"{verdict(trace).capitalize()}: sentence {sentence + 1} has {weight:.0%} of the weight, "
        f"and “{typed}” {part:.0%} of that"
    )


def tested(trace: DocumentTrace) -> str:
    """Whether the sentence with the largest weight is also the one that moves the verdict most."""
    moved = np.abs(trace.without - trace.positive)
    if np.isnan(moved).all():
        return "There is one sentence only: it has all the weight, and nothing is left without it"
    top, most = heaviest(trace)[0], int(np.nanargmax(moved))
    change = f"from {trace.positive:.0%} to {trace.without[most]:.0%}"
    if moved[most] < NEAR:
        return "No single sentence matters here: without any one of them the verdict is the same"
    if top == most:
        return f"Without it the chance of positive goes {change}, more than without any other"
    return (
        f"But the verdict moves most without sentence {most + 1}: {change}. Weight is where the "
        "model looks, not always what decides"
    )


def click(trace: DocumentTrace) -> str:
    """What a click does, where there is more than one sentence to leave out."""
    if len(trace.sentences) < 2:
        return ""
    return " Click a sentence: it is left out, and the verdict moves."


def mostly_unknown(trace: DocumentTrace) -> bool:
    return len(trace.unknown) > STRANGE * trace.count


def unread(trace: DocumentTrace) -> str:
    """Which words are outside of the model's list; where they are many, a warning tells them."""
    names = list(dict.fromkeys(trace.unknown))
    if not names or mostly_unknown(trace):
        return ""
    rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return (
        "Not in the model's list of words, so all read as the same unknown word: "
        f"{', '.join(names[:NAMED])}{rest}."
    )


def strange(trace: DocumentTrace, review: str) -> str:
    """A warning where the model reads little of what was typed, or nothing."""
    language = sentence.language(review)
    if language not in ("", "English"):
        return f"This looks like {language}. The model reads English: its answer means nothing."
    if not mostly_unknown(trace):
        signs = ", ".join(sentence.pictographs(review))[:80]
        return f"The model has never seen {signs}: it leaves them out." if signs else ""
    few = ", ".join(dict.fromkeys(trace.unknown[:NAMED]))
    return (
        f"{len(trace.unknown)} of {trace.count} words are not known ({few}): the model learned "
        "from film reviews in English, so this verdict means little."
    )


def denies(trace: DocumentTrace) -> bool:
    """Whether the review says not, or a word that ends with it: isn't."""
    words = (bare(word) for each in trace.sentences for word in each)
    return any(word in DENIALS or word.endswith("n't") for word in words)


def negation(measured: Mapping[str, float]) -> str:
    """What a card says of praise and blame that are denied, as a sentence."""
    said, denied = (
        (measured[f"praise{how}"] + measured[f"blame{how}"]) / 2 for how in ("", " denied")
    )
    verdict = "understands" if denied > ENOUGH else "does not understand"
    return (
        f"It {verdict} “not”: of {2 * measured['sentences']:.0f} short sentences such as “This is "
        f"a bad film.” it judges {said:.0%} right, of the same with a not, “This is not a bad "
        f"film.”, {denied:.0%}"
    )


def beside(trace: DocumentTrace, running: RunningTrace) -> str:
    """Last state and weighted sum, one sentence."""
    last = float(running.positive[-1])
    swing = np.abs(np.diff(running.positive, prepend=0.5))
    at = int(swing.argmax())
    same = "agree" if (last > 0.5) == (trace.positive > 0.5) else "disagree"
    return (
        f"Chance of positive: last state {last:.0%}, weighted sum {trace.positive:.0%}; they "
        f"{same}. The largest jump is at “{bare(running.words[at])}”, word {at + 1} of "
        f"{len(running.words)}"
    )


def compared(weighted: float, last: float) -> str:
    """The accuracies of both on the same test part, and what follows from them."""
    lead = weighted - last
    if abs(lead) < CLOSE:
        said = "no more right than the other: what attention adds here is that one can see where"
    elif lead > 0:
        said = "more often right, and one can see where it looked"
    else:
        said = "less often right; what attention adds here is that one can see where it looked"
    return (
        f"On IMDB's test part the weighted sum is right in {weighted:.1%} of the reviews, the last "
        f"state of the plain GRU in {last:.1%}: the weighted sum is {said}"
    )


def deletion(measured: Mapping[str, float]) -> str:
    """The deletion test of a card, as a sentence."""
    return (
        f"On {measured['reviews']:.0f} reviews of the test part, leaving out the sentence with the "
        f"largest weight moved the probability more than leaving out a random other one in "
        f"{measured['share']:.0%} of the cases (chance: 50%): by "
        f"{100 * measured['moved by the largest']:.1f} percentage points on average, against "
        f"{100 * measured['moved by another']:.1f}. It turned the verdict in "
        f"{measured['turned by the largest']:.1%}, a random one in "
        f"{measured['turned by another']:.1%}"
    )

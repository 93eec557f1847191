"""Numbers and sentences from looks at a picture."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from viz_core.traces.attention import Prediction, Weights
from viz_core.traces.image import Caption

ACROSS = ("left", "middle", "right")
DOWN = ("top", "middle", "bottom")
NUMBERS = frozenset(
    (
        "two",
        "three",
        "four",
        "five",
        "several",
        "many",
        "some",
        "group",
        "crowd",
        "couple",
        "people",
    )
)
LOOKING_AWAY = (
    "**Look for** what is left when the rest is dark. To count the people in a picture you look at "
    "them, and away from all else. **Cut out** a part by hand and nothing else is read: hard "
    "attention. **Weigh** the places by hand and the rest fades: soft attention. All three read "
    "the same features of the same network; the weights are yours, the same for every word."
)
SUBJECT = 3  # words in which a caption says how many: "a group of"
# Words that name nothing one could point at: they cannot be wrong about a picture by themselves.
SMALL = frozenset(
    word
    for line in (
        "a an the is are be being and or of in on at to with while as by for from its his her",
        "their it he she they this that there up down out off over under through into onto near",
        "next front behind beside across along around towards toward against between who which",
        "what some other one has have having get gets getting look looks looking",
    )
    for word in line.split()
)


def where(weights: NDArray[np.floating]) -> str:
    """In words where the middle of a map (row, column) lies."""
    rows, columns = weights.shape
    total = float(weights.sum())
    down = float((weights.sum(1) * np.arange(rows)).sum()) / total / max(rows - 1, 1)
    across = float((weights.sum(0) * np.arange(columns)).sum()) / total / max(columns - 1, 1)
    names = (DOWN[min(int(3 * down), 2)], ACROSS[min(int(3 * across), 2)])
    return "the middle" if set(names) == {"middle"} else f"the {' '.join(names)}"


def places(weights: NDArray[np.floating], share: float = 0.5) -> int:
    """How few places hold this share of the weight."""
    ordered = np.sort(weights.ravel())[::-1].cumsum()
    return int(np.searchsorted(ordered, share * ordered[-1]) + 1)


def sharpest(caption: Caption) -> int:
    """The word for which the fewest places were looked at."""
    return int(caption.weights.reshape(len(caption.tokens), -1).max(1).argmax())


def unlikeliest(caption: Caption) -> int:
    return int(np.argmin(caption.probabilities))


def finding(caption: Caption) -> str:
    """What to look at, computed from this caption."""
    if not caption.tokens:
        return "It wrote nothing"
    at = sharpest(caption)
    total = caption.weights[at].size
    few = places(caption.weights[at])
    count = f"{few} of {total} places hold" if few > 1 else f"one of {total} places holds"
    return (
        f"It looked most narrowly for “{caption.tokens[at]}”, at {where(caption.weights[at])}: "
        f"{count} half of the weight"
    )


def doubtful(caption: Caption, seen: Collection[str]) -> tuple[int, ...]:
    """Words that name something a person did not see in this picture."""
    return tuple(
        place
        for place, token in enumerate(caption.tokens)
        if token not in SMALL and token not in seen
    )


def agreement(one: Caption, other: Caption) -> float:
    """The share of words of one caption that the other one has too."""
    return float(np.mean([token in other.tokens for token in one.tokens])) if one.tokens else 0.0


def by_hand(row: int, column: int, size: float, grid: tuple[int, int], soft: bool) -> Weights:
    """Weights around a place, counted from one, that sum to one: a square cut out, or a light that
    fades."""
    rows, columns = np.indices(grid) + 1
    if soft:
        squared = (rows - row) ** 2 + (columns - column) ** 2
        light = np.exp(-squared / (2 * (size / 2) ** 2))
    else:
        reach = size / 2
        light = ((abs(rows - row) < reach) & (abs(columns - column) < reach)).astype(float)
    found: Weights = (light / light.sum()).astype(np.float32)
    return found


def lights(row: int, column: int, size: float, grid: tuple[int, int]) -> dict[str, Weights]:
    """Three ways to read the same places: all alike, a square cut out, a light that fades."""
    even: Weights = np.full(grid, 1 / np.prod(grid), dtype=np.float32)
    return {
        "Everything alike": even,
        "Cut out: hard": by_hand(row, column, size, grid, soft=False),
        "Weighed: soft": by_hand(row, column, size, grid, soft=True),
    }


def counted(caption: Caption) -> str:
    """How many a caption speaks of, by its first words; without a number it is one."""
    named = (token for token in caption.tokens[:SUBJECT] if token in NUMBERS)
    return next(named, "one") if caption.tokens else "none"


def read_by_hand(title: str, caption: Caption, found: Prediction) -> str:
    """What was made of the places that were read, and how many it counts there."""
    other = "".join(
        f" (“{word}” had a chance of {chance:.2f})"
        for first in caption.predictions[:1]
        for word, chance in zip(first.tokens, first.probabilities, strict=True)
        if word in NUMBERS and word != counted(caption)
    )
    return (
        f"**{title}.** “{caption.text}”, so it counts {counted(caption)}{other}. The image encoder "
        f"alone says “{found.tokens[0]}” ({found.probabilities[0]:.2f})"
    )


def surest(caption: Caption) -> str:
    """Which word was the least certain, and where it looked for it."""
    if not caption.probabilities:
        return ""
    at = unlikeliest(caption)
    return (
        f"It was least sure of “{caption.tokens[at]}”, probability "
        f"{caption.probabilities[at]:.2f}, and looked at {where(caption.weights[at])} for it"
    )


def verdict(caption: Caption, seen: Collection[str]) -> str:
    """What a person did not see, as a sentence."""
    wrong = doubtful(caption, seen)
    if not wrong:
        return "Every word of the caption names something that is there."
    words = ", ".join(f"“{caption.tokens[place]}”" for place in wrong)
    at = max(wrong, key=lambda place: float(caption.weights[place].max()))
    return (
        f"A person would not say {words}: marked with a question mark. For “{caption.tokens[at]}” "
        f"it looked at {where(caption.weights[at])}."
    )


def compared(soft: Caption, hard: Caption) -> str:
    """How two captions of one picture differ in words and in sharpness."""
    if not soft.tokens or not hard.tokens:
        return "One of the two wrote nothing."
    few = [float(np.mean([places(each) for each in c.weights])) for c in (soft, hard)]
    same = "The captions are the same" if soft.text == hard.text else "The captions differ"
    return (
        f"{same}. Half of the weight lies on {few[0]:.0f} places a word where attention is soft, "
        f"on {few[1]:.0f} where it is hard; soft attention reads the mean of all, hard attention "
        "the one place in the white square."
    )


def remarks(captions: Sequence[Caption], said: str, seen: Collection[str]) -> str:
    """All there is to say of one caption, or of two of the same picture; `said` by a person."""
    first = captions[0]
    told = [f"{finding(first)}.", f"{surest(first)}."]
    if said:
        told.append(f"\n\nA person says: *{said}* {verdict(first, seen)}")
    if len(captions) > 1:
        told.append(f"\n\n{compared(*captions)}")
    return " ".join(told)


def printed(scores: Mapping[str, Mapping[str, float]]) -> str:
    """What the paper measured on Flickr8k, each kind of attention with its scores."""
    kinds = (
        f"{kind} {' and '.join(f'{name} {value:g}' for name, value in found.items())}"
        for kind, found in scores.items()
    )
    return f"Published on Flickr8k (Xu et al. 2015, table 1): {'; '.join(kinds)}."


def other_beginnings(caption: Caption, at: int) -> dict[str, dict[str, str]]:
    """What else could stand at this place -> the beginning that forces it."""
    before = " ".join(caption.tokens[:at])
    return {
        f"{word} {chance:.2f}": {"beginning": f"{before} {word}".strip()}
        for word, chance in zip(
            caption.predictions[at].tokens, caption.predictions[at].probabilities, strict=True
        )
        if word != caption.tokens[at] and word.isalpha()
    }

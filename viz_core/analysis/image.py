"""Numbers and sentences from looks at a picture."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from viz_core.traces.attention import Prediction
from viz_core.traces.image import Caption

ACROSS = ("left", "middle", "right")
DOWN = ("top", "middle", "bottom")
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


def by_hand(
    row: int, column: int, size: float, grid: tuple[int, int], soft: bool
) -> NDArray[np.float32]:
    """Weights around a place, counted from one, that sum to one: a square cut out, or a light that
    fades."""
    rows, columns = np.indices(grid) + 1
    if soft:
        squared = (rows - row) ** 2 + (columns - column) ** 2
        light = np.exp(-squared / (2 * (size / 2) ** 2))
    else:
        reach = size / 2
        light = ((abs(rows - row) < reach) & (abs(columns - column) < reach)).astype(float)
    found: NDArray[np.float32] = (light / light.sum()).astype(np.float32)
    return found


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


def alone(found: Prediction) -> str:
    """What the image encoder takes a picture for, without any writer."""
    first, second = zip(found.tokens[:2], found.probabilities[:2], strict=True)
    return (
        f"The image encoder alone takes what is left for: {first[0]}, {first[1]:.2f}, or "
        f"{second[0]}, {second[1]:.2f}."
    )

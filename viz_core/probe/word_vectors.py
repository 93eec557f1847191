"""Word vectors asked for a view: neighbours, analogies, families of pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from viz_core.checkpoints import Bundle
from viz_core.models.word_vectors import WordVectors
from viz_core.text.words import read_pairs
from viz_core.traces.word_vectors import Analogy, Arrows, Neighbours

MOST = 100  # neighbours that can be asked for
TOO_FLAT = 1e-6

Found = list[tuple[str, float]]


def nearest(bundle: Bundle, word: str, top: int = 10) -> Found:
    """The words whose vectors point most nearly the same way, with their cosines."""
    number = _numbers(bundle, word)[0]
    return _closest(bundle, _unit(bundle)[number], [number], top)


def analogy(bundle: Bundle, a: str, b: str, c: str, top: int = 5) -> Found:
    """a is to b as c is to ...: the nearest words to b - a + c, the three themselves left out."""
    numbers = _numbers(bundle, a, b, c)
    one, two, three = _unit(bundle)[numbers]
    return _closest(bundle, two - one + three, numbers, top)


def neighbours(bundle: Bundle, word: str, first: str, second: str, top: int = 12) -> Neighbours:
    """The nearest words, each with the one of two meanings that it is nearer to."""
    numbers = _numbers(bundle, word, first, second)
    found = nearest(bundle, word, top)
    unit = _unit(bundle)
    readings = unit[numbers[1:]]
    cosines = bundle.model(unit[numbers[0]])
    above = [int((cosines > cosines[number]).sum()) for number in numbers[1:]]
    rows = unit[_numbers(bundle, *(each for each, _ in found))]
    names = bundle.tokenizer.vocabulary
    return Neighbours(
        word=names[numbers[0]],
        words=tuple(each for each, _ in found),
        similarities=tuple(similarity for _, similarity in found),
        readings=tuple(names[number] for number in numbers[1:]),
        ranks=tuple(above),  # the word itself is the nearest to itself, and is not counted
        sides=tuple((rows @ readings.T).argmax(-1).tolist()),
    )


def parallelogram(bundle: Bundle, a: str, b: str, c: str, top: int = 5) -> Analogy:
    """The analogy in the plane through its three words; b - a + c lies in that plane too."""
    numbers = _numbers(bundle, a, b, c)
    if len(set(numbers)) < 3:
        raise ValueError("An analogy needs three different words.")
    found = analogy(bundle, a, b, c, top)
    unit = _unit(bundle).double().numpy()
    one, two, three = unit[numbers]
    target = two - one + three
    answers = unit[_numbers(bundle, *(word for word, _ in found))]
    sides = sorted((two - one, three - one), key=np.linalg.norm)  # the longer one lies across
    across = _one_long(sides[1])
    up = _one_long(sides[0] - sides[0] @ across * across)
    plane = np.stack((across, up), axis=1)  # (width, 2)
    points = (answers - one) @ plane
    names = bundle.tokenizer.vocabulary
    return Analogy(
        words=(names[numbers[0]], names[numbers[1]], names[numbers[2]]),
        answers=tuple(word for word, _ in found),
        similarities=tuple(similarity for _, similarity in found),
        corners=(np.stack((one, two, three, target)) - one) @ plane,
        points=points,
        heights=tuple(np.linalg.norm(answers - one - points @ plane.T, axis=1).tolist()),
        vectors=np.stack((one, two, three, target, answers[0])),
    )


def arrows(bundle: Bundle, pairs: str) -> Arrows:
    """Pairs such as "man woman, king queen" as arrows, and how nearly parallel they are.

    The plane: up is the mean of all arrows, across is where the words differ most besides.
    """
    named = read_pairs(pairs)
    numbers = [_numbers(bundle, *pair) for pair in named]
    if any(one == other for one, other in numbers):
        raise ValueError("A pair needs two different words.")
    ends = _unit(bundle).double().numpy()[numbers]  # (pair, 2, width)
    turned = ends[:, 1] - ends[:, 0]
    mean = _one_long(_one_long(turned).mean(0))
    centred = ends - ends.mean((0, 1))
    rest = centred - (centred @ mean)[..., None] * mean
    across = np.linalg.svd(rest.reshape(-1, rest.shape[-1]), full_matrices=False)[2][0]
    names = bundle.tokenizer.vocabulary
    apart = np.stack([np.roll(ends[:, 1], by, axis=0) - ends[:, 0] for by in range(1, len(ends))])
    return Arrows(
        pairs=tuple((names[one], names[other]) for one, other in numbers),
        points=centred @ np.stack((across, mean), axis=1),
        along=tuple(_along(turned)),
        agreement=_agreement(turned),
        shuffled=float(np.mean([_agreement(each) for each in apart])),
    )


def _agreement(turned: NDArray[np.floating]) -> float:
    """The mean cosine of two of the arrows."""
    unit, count = _one_long(turned), len(turned)
    return float(((unit @ unit.T).sum() - count) / (count * (count - 1)))


def _along(turned: NDArray[np.floating]) -> list[float]:
    """The cosine of each arrow with the mean of the others: no arrow is measured by itself."""
    unit = _one_long(turned)
    others = _one_long(unit.sum(0) - unit)
    along: list[float] = (unit * others).sum(-1).tolist()
    return along


def _one_long(vectors: NDArray[np.floating]) -> NDArray[np.floating]:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), TOO_FLAT)


def _numbers(bundle: Bundle, *words: str) -> list[int]:
    if not isinstance(bundle.model, WordVectors):
        raise ValueError(f"{bundle.card.name} has no word vectors: choose word-vectors.")
    return [bundle.tokenizer.number(word) for word in words]


@torch.inference_mode()
def _unit(bundle: Bundle) -> Tensor:
    unit: Tensor = bundle.model.unit()
    return unit


@torch.inference_mode()
def _closest(bundle: Bundle, query: Tensor, left_out: Sequence[int], top: int) -> Found:
    if not 1 <= top <= MOST:
        raise ValueError(f"Ask for 1 to {MOST} words.")
    cosines = bundle.model(query)
    cosines[left_out] = -torch.inf
    values, numbers = cosines.topk(min(top, len(cosines) - len(set(left_out))))
    words = bundle.tokenizer.vocabulary
    return [
        (words[number], value)
        for number, value in zip(numbers.tolist(), values.tolist(), strict=True)
    ]

"""The five shapes of a recurrent net, each as a task small enough to be learned in seconds."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from viz_core import interruption
from viz_core.models.elman import Elman
from viz_core.traces.shapes import ShapeTrace

NOTHING = "."
SYMBOLS = "0123456789abc" + NOTHING
WIDTH, BATCH, UPDATES, RATE, TRIED = 24, 32, 300, 0.01, 200
DEEPEST = 3
Draw = Callable[[random.Random], str]


@dataclass(frozen=True, slots=True)
class Shape:
    """A task: what is typed, and what is to come out at each step."""

    name: str
    task: str
    example: str
    pattern: str  # what may be typed
    typed: str  # the same in words
    draw: Draw
    spread: Callable[[str], str]  # the typed signs over the steps of the net
    answer: Callable[[str], str]  # what is wanted at each step

    def check(self, typed: str) -> str:
        if not re.fullmatch(self.pattern, typed):
            raise ValueError(f"This net reads {self.typed}: type for example {self.example}.")
        return typed


def _down(typed: str) -> str:
    return "".join(str(number) for number in range(int(typed), -1, -1))


def _changed(typed: str) -> str:
    before = NOTHING + typed[:-1]
    return "".join(str(int(a != b)) for a, b in zip(before, typed, strict=True))


def _letters(rng: random.Random, signs: str, count: int) -> str:
    return "".join(rng.choice(signs) for _ in range(count))


SHAPES: dict[str, Shape] = {
    shape.name: shape
    for shape in (
        Shape(
            "one to one",
            "half of a digit, rounded down",
            "7",
            "[0-9]",
            "one digit",
            lambda rng: str(rng.randrange(10)),
            str,
            lambda typed: str(int(typed) // 2),
        ),
        Shape(
            "one to many",
            "count down from a digit",
            "5",
            "[1-9]",
            "one digit from 1 to 9",
            lambda rng: str(rng.randrange(1, 10)),
            lambda typed: typed + NOTHING * int(typed),
            _down,
        ),
        Shape(
            "many to one",
            "which letter comes most often",
            "abbab",
            "[ab]{5}",
            "five letters, each a or b",
            lambda rng: _letters(rng, "ab", 5),
            str,
            lambda typed: NOTHING * 4 + max("ab", key=typed.count),
        ),
        Shape(
            "many to many, read first",
            "read three letters, then say them backwards",
            "cab",
            "[abc]{3}",
            "three letters, each a, b or c",
            lambda rng: _letters(rng, "abc", 3),
            lambda typed: typed + NOTHING * 3,
            lambda typed: NOTHING * 3 + typed[::-1],
        ),
        Shape(
            "many to many, in step",
            "1 where a letter differs from the one before, or is the first",
            "aabca",
            "[abc]{5}",
            "five letters, each a, b or c",
            lambda rng: _letters(rng, "abc", 5),
            str,
            _changed,
        ),
    )
}


def _ids(rows: list[str], length: int) -> Tensor:
    filled = [row + NOTHING * (length - len(row)) for row in rows]
    return torch.tensor([[SYMBOLS.index(sign) for sign in row] for row in filled])


def _losses(model: Elman, given: Tensor, wanted: Tensor) -> Tensor:
    """(batch, time): the loss of every step; none where nothing is asked."""
    _, logits = model(given)
    asked = wanted != SYMBOLS.index(NOTHING)
    found = nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten(), reduction="none")
    return found.view_as(wanted) * asked


@functools.lru_cache(maxsize=32)  # five shapes, three depths: taught once for all visitors
def taught(name: str, depth: int, seed: int) -> tuple[Elman, float, tuple[float, ...]]:
    """A net that learned the task of a shape, how often it is right, and its loss by update."""
    task, rng = SHAPES[name], random.Random(seed)

    def drawn(count: int) -> tuple[Tensor, Tensor]:
        typed = [task.draw(rng) for _ in range(count)]
        rows, answers = [*map(task.spread, typed)], [*map(task.answer, typed)]
        length = max(map(len, rows))
        return _ids(rows, length), _ids(answers, length)

    model = Elman(len(SYMBOLS), WIDTH, depth, seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE / depth**0.5)
    curve = []
    for _ in range(UPDATES):
        interruption.point()
        given, wanted = drawn(BATCH)
        loss = _losses(model, given, wanted).sum() / (wanted != SYMBOLS.index(NOTHING)).sum()
        curve.append(float(loss.detach()))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    model.requires_grad_(False)
    given, wanted = drawn(TRIED)
    right = (model(given)[1].argmax(-1) == wanted) | (wanted == SYMBOLS.index(NOTHING))
    return model, float(right.all(1).float().mean()), tuple(curve)


@torch.no_grad()
def shape(name: str, typed: str, depth: int, seed: int = 1) -> ShapeTrace:
    """Give what was typed to the net of a shape, which learns its task first."""
    if name not in SHAPES or not 1 <= depth <= DEEPEST:
        raise ValueError(f"There are five shapes, one to {DEEPEST} layers deep: choose one.")
    task = SHAPES[name]
    given, wanted = task.spread(task.check(typed)), task.answer(typed)
    with torch.enable_grad():
        model, accuracy, curve = taught(name, depth, seed)
    ids = _ids([given], len(given))
    states, logits = model(ids)
    chances, best = logits[0].softmax(-1).max(-1)
    asked = [sign != NOTHING for sign in wanted]
    first = model.layers[0]
    assert isinstance(first, nn.Linear)
    before = torch.cat((torch.zeros(1, WIDTH), states[0, 0, :-1]))  # (time, width)
    from_state = before @ first.weight[0, :WIDTH]
    from_input = first.weight[0, WIDTH:][ids[0]]
    bias = first.bias[0].expand(len(given))
    return ShapeTrace(
        given=given,
        wanted=wanted,
        said="".join(
            SYMBOLS[i] if ask else NOTHING for i, ask in zip(best.tolist(), asked, strict=True)
        ),
        probabilities=tuple(p * ask for p, ask in zip(chances.tolist(), asked, strict=True)),
        losses=tuple(_losses(model, ids, _ids([wanted], len(given)))[0].tolist()),
        states=states[0].numpy(),
        parts=torch.stack((from_state, from_input, bias), 1).numpy(),
        accuracy=accuracy,
        curve=curve,
    )

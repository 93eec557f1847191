"""Feature extraction: a head learned in a moment on the states of a BERT that is not changed.

Devlin et al. 2019, section 5.3, compare it with fine-tuning. The sentences are our own; a third of
them is never learned from.
"""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from viz_core import interruption
from viz_core.checkpoints import Bundle
from viz_core.probe.bert import bert, read, run
from viz_core.traces.frozen import FrozenTrace

FOLDER = Path(__file__).parent
SIZES = (2, 4, 8, 16, 32, 64)  # labelled examples
DRAWS, UPDATES, RATE, DECAY = 8, 120, 0.05, 0.02
Example = tuple[str, str | None, int]  # a sentence, its partner in a pair, its class


@functools.cache
def examples(pairs: bool) -> tuple[list[Example], list[Example]]:
    """Those to learn from, and those to be tried on: every third; both classes equally often."""
    found: list[Example] = []
    if pairs:
        lines = (FOLDER / "paraphrases.txt").read_text(encoding="utf-8").splitlines()
        both = [tuple(line.split(" | ")) for line in lines]
        for place, (first, second) in enumerate(both):
            # Strangers come from the same part: every third line is three lines on again.
            found.append((first, second, 1))
            found.append((first, both[(place + 9) % len(both)][1], 0))
        parts = [(place // 2) % 3 == 2 for place in range(len(found))]
    else:
        for line in (FOLDER / "verdicts.txt").read_text(encoding="utf-8").splitlines():
            found.append((line[2:], None, int(line[0] == "+")))
        parts = [place % 3 == 2 for place in range(len(found))]
    held_out = [one for one, tried in zip(found, parts, strict=True) if tried]
    return [one for one, tried in zip(found, parts, strict=True) if not tried], held_out


@torch.inference_mode()
def features(bundle: Bundle, some: list[Example]) -> Tensor:
    """(example, width): the mean of the last states of all tokens, as they are."""
    model, _ = bert(bundle)
    rows = []
    for first, second, _ in some:
        interruption.point()
        rows.append(run(model, read(bundle, first, second)).states[0].mean(0))
    return torch.stack(rows)


def _accuracy(x: Tensor, y: Tensor, tried: Tensor, right: Tensor) -> float:
    """Logistic regression: one weight a number of the state, and a bias."""
    head = nn.Linear(x.shape[1], 1)
    nn.init.zeros_(head.weight)
    nn.init.zeros_(head.bias)
    optimiser = torch.optim.AdamW(head.parameters(), lr=RATE, weight_decay=DECAY)
    for _ in range(UPDATES):
        loss = nn.functional.binary_cross_entropy_with_logits(head(x)[:, 0], y)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    with torch.no_grad():
        return float(((head(tried)[:, 0] > 0) == (right > 0)).float().mean())


def frozen(bundle: Bundle, pairs: bool = False) -> FrozenTrace:
    """Accuracy of a head on frozen states by the number of examples, the mean of some draws."""
    learned, held_out = examples(pairs)
    x, tried = (features(bundle, part).clone() for part in (learned, held_out))
    middle, spread = x.mean(0), x.std(0) + 1e-5
    x, tried = (x - middle) / spread, (tried - middle) / spread
    y, right = (torch.tensor([float(one[2]) for one in part]) for part in (learned, held_out))
    rng = np.random.default_rng(1)
    sizes = tuple(size for size in SIZES if size <= len(learned))
    table = np.zeros((DRAWS, len(sizes)))
    for draw in range(DRAWS):
        order = [rng.permutation(np.flatnonzero(y.numpy() == label)) for label in (0, 1)]
        for column, size in enumerate(sizes):
            interruption.point()
            chosen = torch.tensor(np.concatenate([one[: size // 2] for one in order]))
            table[draw, column] = _accuracy(x[chosen], y[chosen], tried, right)
    return FrozenTrace(
        sizes=sizes,
        accuracies=table,
        tried=len(held_out),
        width=x.shape[1],
    )


@torch.inference_mode()
def tuned(bundle: Bundle) -> float:
    """How often a BERT that was fine-tuned on reviews is right on the same sentences."""
    model, _ = bert(bundle, "classify")
    _, held_out = examples(False)
    positive = model.config.labels.index("positive")
    right = 0
    for sentence, _, label in held_out:
        states = run(model, read(bundle, sentence)).states
        right += int((int(model.task_logits(states).argmax()) == positive) == bool(label))
    return right / len(held_out)

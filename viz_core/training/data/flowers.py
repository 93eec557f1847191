"""Nine kinds of flowers of the daisy family, 32 x 32 pixels."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from viz_core.training.data.pairs import Source

SOURCE = Source(
    file="flowers/flowers-40px.zip",
    origin="https://www.robots.ox.ac.uk/~vgg/data/flowers/102/, made 40 x 40; the first part of a "
    "file's name is its kind",
    licence="Oxford 102 flowers, Nilsback and Zisserman 2008, research use",
)
KINDS = {  # by their numbers in the corpus
    "5": "English marigold",
    "41": "Barberton daisy",
    "49": "oxeye daisy",
    "50": "dandelion",
    "54": "sunflower",
    "63": "black-eyed Susan",
    "66": "osteospermum",
    "71": "gazania",
    "100": "blanket flower",
}
SIDE = 32
TEST_EVERY = 5  # every fifth picture of a kind is never trained on


@dataclass(frozen=True, slots=True)
class Flowers:
    pixels: Tensor  # (picture, 3, 32, 32), from -1 to 1
    kinds: Tensor  # (picture,)

    def __getitem__(self, chosen: Tensor | slice) -> Flowers:
        return Flowers(self.pixels[chosen], self.kinds[chosen])

    @property
    def count(self) -> int:
        return len(self.kinds)


def read(folder: Path, kinds: Sequence[str] = tuple(KINDS)) -> tuple[Flowers, Flowers]:
    """What is trained on, and what is kept for the test."""
    parts: tuple[list[tuple[int, Tensor]], list[tuple[int, Tensor]]] = ([], [])
    with zipfile.ZipFile(SOURCE.path(folder)) as archive:
        for number, kind in enumerate(kinds):
            files = sorted(one for one in archive.namelist() if one.split("_")[0] == kind)
            for place, file in enumerate(files):
                picture = Image.open(io.BytesIO(archive.read(file))).convert("RGB")
                small = picture.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
                pixels = torch.from_numpy(np.array(small)).permute(2, 0, 1)
                parts[place % TEST_EVERY == TEST_EVERY - 1].append((number, pixels))
    train, test = (
        Flowers(
            torch.stack([pixels for _, pixels in part]).float() / 127.5 - 1,
            torch.tensor([number for number, _ in part]),
        )
        for part in parts
    )
    return train, test

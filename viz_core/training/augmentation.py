"""Differentiable augmentation for a GAN (Zhao et al. 2020): real and drawn pictures are changed in
the same ways before they are judged, so that few pictures cannot be learned by heart, and the
changes do not enter what is drawn.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import pad

SHIFT = 1 / 8  # of a side, that a picture is moved at most
CUT = 1 / 2  # of a side, that the grey square covers


def augmented(pixels: Tensor) -> Tensor:
    """Pictures (batch, 3, side, side) of -1 to 1, each changed by chance."""
    return cut(moved(recoloured(pixels)))


def recoloured(pixels: Tensor) -> Tensor:
    """Another brightness, saturation and contrast."""
    bright, vivid, contrast = torch.rand(3, len(pixels), 1, 1, 1)
    pixels = pixels + bright - 0.5
    grey = pixels.mean(1, keepdim=True)
    pixels = (pixels - grey) * 2 * vivid + grey
    mean = pixels.mean((1, 2, 3), keepdim=True)
    return (pixels - mean) * (contrast + 0.5) + mean


def moved(pixels: Tensor) -> Tensor:
    """Shifted, with grey where nothing is left."""
    side = pixels.shape[-1]
    most = round(side * SHIFT)
    down, right = torch.randint(2 * most + 1, (2, len(pixels), 1))
    places = torch.arange(side)
    wide = pad(pixels, (most,) * 4).permute(0, 2, 3, 1)  # (batch, row, column, 3)
    each = torch.arange(len(pixels))[:, None, None]
    taken = wide[each, (down + places)[:, :, None], (right + places)[:, None]]
    return taken.permute(0, 3, 1, 2)


def cut(pixels: Tensor) -> Tensor:
    """A grey square somewhere, partly outside perhaps."""
    side = pixels.shape[-1]
    half = side * CUT / 2
    places = torch.arange(side)
    row, column = torch.randint(side + 1, (2, len(pixels), 1))
    hidden = ((places - row).abs() < half)[:, :, None] & ((places - column).abs() < half)[:, None]
    return pixels * ~hidden[:, None]

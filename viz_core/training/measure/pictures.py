"""How far drawn pictures are from real ones, by what a classifier of this atlas sees in them.

The Frechet distance of Heusel et al. 2017, not their FID: theirs reads 2,048 features of Inception,
this one the 128 features that our small Vision Transformer names CIFAR-10's things by. Only numbers
of this atlas can be compared with it.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from viz_core import checkpoints
from viz_core.models.vit import ViT

READER = "vit"


class Cloud(NamedTuple):
    """Where a set of pictures lies among the features."""

    mean: Tensor  # (feature,)
    covariance: Tensor  # (feature, feature)


def reader() -> ViT:
    model = checkpoints.load(READER).model
    assert isinstance(model, ViT)
    return model


@torch.inference_mode()
def cloud(model: ViT, pixels: Tensor) -> Cloud:
    """Pictures (picture, 3, 32, 32) of -1 to 1."""
    parts = ((pixels + 1) * 127.5).split(256)
    features = torch.cat([model.read(part).label for part in parts]).double()
    return Cloud(features.mean(0), features.T.cov())


def distance(one: Cloud, other: Cloud) -> float:
    """|m - m'|^2 + Tr(C + C' - 2 (C C')^(1/2)); the trace of the root is the sum of the roots of
    the eigenvalues of C C', which are real and not negative."""
    apart = (one.mean - other.mean).square().sum()
    roots = torch.linalg.eigvals(one.covariance @ other.covariance).real.clamp(min=0).sqrt().sum()
    return float(apart + one.covariance.trace() + other.covariance.trace() - 2 * roots)

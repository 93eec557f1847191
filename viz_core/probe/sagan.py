"""The Self-Attention GAN, run for a view: a picture from a seed, and where its places looked."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import one_hot

from viz_core.checkpoints import Bundle
from viz_core.models.sagan import Drawing, Generator
from viz_core.traces import AttentionTrace
from viz_core.traces.image import Drawn

LARGEST_SEED = 2**63 - 1


def painter(bundle: Bundle) -> Generator:
    if not isinstance(bundle.model, Generator):
        raise ValueError(f"{bundle.card.name} draws no pictures: choose sagan.")
    return bundle.model


@torch.inference_mode()
def draw(
    bundle: Bundle,
    seed: int,
    kind: str = "",
    strength: float = 1.0,
    towards: int | None = None,
    share: float = 0.0,
) -> Drawn:
    """The picture of a seed, of this kind or of one that the seed chooses.

    strength multiplies gamma: 0 is the network without its attention. share of the way has been
    gone to the seed `towards`.
    """
    model = painter(bundle)
    if not model.config.attention:
        raise ValueError(f"{bundle.card.name} has no attention to show: choose sagan.")
    grid, number = model.config.grid, _number(model, seed, kind)
    noise = on_the_way(model, seed, seed if towards is None else towards, (share,))
    found = _drawing(model, noise, number, strength)
    assert found.weights is not None
    places = tuple(f"{row + 1},{column + 1}" for row in range(grid) for column in range(grid))
    return Drawn(
        image=_bytes(found.pixels)[0],
        attention=AttentionTrace(
            kind="self",
            queries=places,
            keys=places,
            weights=found.weights[:, None].numpy(),  # (layer, head, query, key)
            grid=(grid, grid),
        ),
        kind=model.config.kinds[number],
        gamma=strength * float(model.attention.gamma),
    )


@torch.inference_mode()
def walk(
    bundle: Bundle, seed: int, towards: int, count: int, kind: str = "", strength: float = 1.0
) -> NDArray[np.uint8]:
    """(picture, height, width, 3): from one seed to another, all of the first one's kind.

    A network without attention walks too: it has no gamma that strength could multiply.
    """
    model = painter(bundle)
    noise = on_the_way(model, seed, towards, [step / (count - 1) for step in range(count)])
    return _bytes(_drawing(model, noise, _number(model, seed, kind), strength).pixels)


def _number(model: Generator, seed: int, kind: str) -> int:
    known = model.config.kinds
    if kind and kind not in known:
        raise ValueError(f"It draws no {kind}: choose one of {', '.join(known)}.")
    return known.index(kind) if kind else seed % len(known)


def _drawing(model: Generator, noise: Tensor, number: int, strength: float) -> Drawing:
    kinds = one_hot(torch.full((len(noise),), number), len(model.config.kinds)).float()
    found: Drawing = model(noise, kinds, strength)
    return found


def _bytes(pixels: Tensor) -> NDArray[np.uint8]:
    values = ((pixels + 1) * 127.5).round().clamp(0, 255).to(torch.uint8)
    found: NDArray[np.uint8] = values.permute(0, 2, 3, 1).contiguous().numpy()
    return found


def on_the_way(model: Generator, seed: int, towards: int, shares: Sequence[float]) -> Tensor:
    """(share, noise)"""
    one, other = (_noise(each, model.config.noise) for each in (seed, towards))
    return torch.stack([between(one, other, share) for share in shares])


def _noise(seed: int, size: int) -> Tensor:
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError("A seed is a whole number from 0 on, and below 2 to the 63rd.")
    return torch.randn(size, generator=torch.Generator().manual_seed(seed))


def between(one: Tensor, other: Tensor, share: float) -> Tensor:
    """Along the arc, not the chord: noise in many dimensions has nearly one length, and the middle
    of a chord would be shorter than any noise that the network has seen (Shoemake 1985)."""
    cosine = torch.dot(one, other) / (one.norm() * other.norm())
    angle = math.acos(float(cosine.clamp(-1, 1)))
    if math.sin(angle) < 1e-6:
        return one
    return (math.sin((1 - share) * angle) * one + math.sin(share * angle) * other) / math.sin(angle)

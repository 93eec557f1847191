"""The Vision Transformer, run for a view: what a picture is taken for, and who looked at what."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import ArrayLike

from viz_core.checkpoints import Bundle
from viz_core.models.vit import ViT
from viz_core.probe.caption import checked
from viz_core.traces import AttentionTrace, Weights
from viz_core.traces.image import ImageTrace
from viz_core.traces.photo import Photo, squared

CLASS = "[class]"


def reader(bundle: Bundle) -> ViT:
    if not isinstance(bundle.model, ViT):
        raise ValueError(f"{bundle.card.name} does not read pictures in patches: choose vit.")
    return bundle.model


@torch.inference_mode()
def look(bundle: Bundle, image: ArrayLike) -> ImageTrace:
    """Name a picture (height, width, 3) of bytes; of a large one its middle, made small."""
    model = reader(bundle)
    config = model.config
    small = np.array(squared(Photo.of(checked(image)), config.side))
    found = model(torch.from_numpy(small).permute(2, 0, 1)[None].float())
    places = [
        f"{row + 1},{column + 1}" for row in range(config.grid) for column in range(config.grid)
    ]
    tokens = (CLASS, *places)
    return ImageTrace(
        labels=tuple(config.labels),
        probabilities=found.logits[0].softmax(-1).numpy(),
        attention=AttentionTrace(
            kind="self",
            queries=tokens,
            keys=tokens,
            weights=found.weights[0].numpy(),
            grid=(config.grid, config.grid),
        ),
    )


@torch.inference_mode()
def patch_positions(bundle: Bundle) -> Weights:
    """Cosines of the learned places of all patches (patch, patch): figure 7 of the paper."""
    places = reader(bundle).positions[1:]
    unit = torch.nn.functional.normalize(places, dim=-1)
    cosines: Weights = (unit @ unit.T).numpy()
    return cosines

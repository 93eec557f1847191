"""SNAIL, run for a view: a few drawings with labels, and one without."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from viz_core import checkpoints
from viz_core.analysis.few_shot import DRAWINGS
from viz_core.checkpoints import Bundle
from viz_core.models.snail import SIDE, Snail, SnailConfig
from viz_core.text import ink
from viz_core.traces.few_shot import FewShot


@torch.inference_mode()
def few_shot(bundle: Bundle, images: ArrayLike, labels: Sequence[int], query: ArrayLike) -> FewShot:
    """Which of the labels the query has: images (n, 28, 28) and query (28, 28) in 0..1, ink 1.

    labels are numbers from 0 to 4, one for each image; the examples are read in this order.
    """
    model = bundle.model
    if not isinstance(model, Snail):
        raise ValueError(f"{bundle.card.name} reads no drawings: choose snail.")
    numbers = checked_labels(labels, model.config)
    examples = checked(images, (len(numbers), SIDE, SIDE), "The examples")
    asked = checked(query, (SIDE, SIDE), "The drawing that is asked for")
    if (asked > 0.5).sum() < ink.LEAST:
        raise ValueError("There is no stroke yet: draw a character with mouse, pen or finger.")
    drawings = np.concatenate((examples, asked[None]))
    places = torch.arange(len(drawings))[None]
    found = model(torch.from_numpy(drawings), places, torch.tensor([numbers]))
    return FewShot(
        drawings=drawings,
        labels=numbers,
        probabilities=found.logits[0].softmax(-1).numpy(),
        attention=found.weights[0, :, None].numpy(),  # (layer, head, query, key)
    )


def drawn_few_shot(
    bundle: Bundle, examples: tuple[str, ...], labels: tuple[int, ...], query: str
) -> FewShot:
    """The same with drawings as text, as a page and its address hold them."""
    images = np.stack([ink.read(example) for example in examples])
    return few_shot(bundle, images, labels, ink.read(query))


def kept_drawings(bundle: Bundle) -> dict[str, list[list[str]]]:
    """Characters of held-out alphabets that go with the checkpoint: alphabet -> character ->
    drawing as text."""
    path = checkpoints.FOLDER / bundle.card.name / DRAWINGS
    try:
        kept: dict[str, list[list[str]]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise checkpoints.CheckpointError(f"{path.name} cannot be read: {error}.") from error
    return kept


def checked_labels(labels: Sequence[int], config: SnailConfig) -> tuple[int, ...]:
    try:
        exact = np.asarray(labels, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        exact = np.array([np.nan])
    if not np.isin(exact, np.arange(config.ways)).all() or len(set(exact)) < config.ways:
        raise ValueError(
            f"Give every one of the labels 0 to {config.ways - 1} to at least one example: it "
            f"learned to tell {config.ways} kinds apart."
        )
    if len(exact) >= config.longest:
        raise ValueError(
            f"These are {len(exact):,} examples; it learned from at most {config.longest - 1}."
        )
    return tuple(int(label) for label in exact)


def checked(given: ArrayLike, shape: tuple[int, ...], what: str) -> NDArray[np.float32]:
    try:
        array = np.asarray(given, dtype=np.float32)
    except (TypeError, ValueError):
        array = np.empty(0, dtype=np.float32)
    if array.shape != shape:
        raise ValueError(f"{what} must be of shape {shape}, with a label for each.")
    if not ((array >= 0) & (array <= 1)).all():
        raise ValueError(f"{what} must hold numbers from 0, paper, to 1, ink.")
    return array

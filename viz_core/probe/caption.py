"""The captioner, run for a view: a picture in, words out, and where it looked for each."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from viz_core import decoding, interruption
from viz_core.checkpoints import Bundle
from viz_core.decoding import Beam, Next, State
from viz_core.models.caption import Captioner, Picture
from viz_core.models.efficientnet import GRID, pixels_of
from viz_core.text import END, START
from viz_core.traces import Prediction
from viz_core.traces.image import Caption, Pixels

LONGEST = 24  # words of a caption
SHOWN = 5  # words that could have stood at a place
WIDEST_BEAM = 10
SMALLEST = 8  # pixels of a side


class Writing:
    """A captioner bound to its picture, as decoding.Steps."""

    def __init__(
        self,
        bundle: Bundle,
        picture: Picture,
        chance: torch.Generator | None = None,
        given: Tensor | None = None,
    ) -> None:
        self.model: Captioner = bundle.model
        self.picture = picture
        self.chance = chance
        self.given = given  # (1, place)
        self.places: list[int] = []  # hard attention: where the first hypothesis looked

    def first(self) -> State:
        return self.model.start(self.picture)

    def step(self, state: State, tokens: Tensor) -> Next:
        h, c = state
        picture, given = self.picture, self.given
        if len(tokens) != len(picture.keys):
            picture = Picture(*(part.expand(len(tokens), -1, -1) for part in picture))
        if given is not None:
            given = given.expand(len(tokens), -1)
        found = self.model(picture, (h, c), tokens, self.chance, given)
        logits = self.model.logits(found.features)
        logits[:, :END] = -torch.inf  # no padding, no unknown word, no second beginning
        if found.look.place is not None:
            self.places.append(int(found.look.place[0]))
        return Next(logits.log_softmax(-1), found.look.weights, found.state)


def picture_of(bundle: Bundle, pixels: Tensor) -> Picture:
    """Pixels (batch, 3, 224, 224) as the captioner sees them."""
    model: Captioner = bundle.model
    return model.see(model.encoder.deep(pixels).flatten(2).mT)


def checked(image: ArrayLike) -> Pixels:
    """The picture as bytes (height, width, 3), or a sentence about what is wrong with it."""
    pixels = np.asarray(image)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or min(pixels.shape[:2]) < SMALLEST:
        raise ValueError(
            f"Give a picture of at least {SMALLEST} x {SMALLEST} pixels, each of red, green and "
            f"blue: this one is of shape {pixels.shape}."
        )
    if pixels.dtype != np.uint8:
        raise ValueError("Give a picture whose pixels are bytes, 0 to 255.")
    return pixels


def writer(bundle: Bundle) -> Captioner:
    if not isinstance(bundle.model, Captioner):
        raise ValueError(
            f"{bundle.card.name} writes no captions: choose caption-soft or caption-hard."
        )
    return bundle.model


@cache
def classes() -> list[str]:
    """The names of ImageNet's thousand classes, as @tensorflow-models/mobilenet 2.1.1 has them."""
    return (Path(__file__).parent / "imagenet.txt").read_text(encoding="utf-8").splitlines()


@torch.inference_mode()
def objects(bundle: Bundle, image: ArrayLike, looking: ArrayLike | None = None) -> Prediction:
    """What the image encoder alone takes a picture for: the mean of all places, or of the places
    weighed by hand (row, column), then its own thousand classes."""
    encoder = writer(bundle).encoder
    grid = encoder(pixels_of(torch.tensor(checked(image))))
    if looking is not None:
        grid = grid * weighed(looking).view(1, 1, GRID, GRID) * GRID**2
    best = encoder.classify(grid)[0].softmax(-1).topk(SHOWN)
    return Prediction(
        tokens=tuple(classes()[number] for number in best.indices.tolist()),
        probabilities=tuple(best.values.tolist()),
    )


@torch.inference_mode()
def caption(
    bundle: Bundle,
    image: ArrayLike,
    beam: int = 1,
    beginning: str = "",
    seed: int | None = None,
    looking: ArrayLike | None = None,
) -> Caption:
    """Describe a picture (height, width, 3) of bytes.

    The caption can be made to begin with given words. With a seed, hard attention draws the place
    it reads; without, it takes the one of the largest weight. `looking` (row, column) takes the
    place of the model's own weights, at every word.
    """
    model = writer(bundle)
    if not 1 <= beam <= WIDEST_BEAM:
        raise ValueError(f"A beam of {beam} cannot be used: choose one from 1 to {WIDEST_BEAM}.")
    forced = bundle.tokenizer.forced(beginning.split())
    if len(forced) >= LONGEST:
        raise ValueError(f"A caption has {LONGEST} words at most: begin with fewer.")
    picture = picture_of(bundle, pixels_of(torch.tensor(checked(image))))
    given = None if looking is None else weighed(looking)
    if beam > 1:
        searched = Writing(bundle, picture, given=given)
        tree = decoding.beam(searched, Beam(size=beam, limit=LONGEST, record=False), forced)
        forced = tuple(tree.tokens(tree.best))
    sampled = model.config.attention == "hard" and seed is not None and beam == 1
    chance = torch.Generator().manual_seed(seed or 0) if sampled else None
    return record(bundle, Writing(bundle, picture, chance, given), forced)


def weighed(looking: ArrayLike) -> Tensor:
    """Weights that were given by hand, made to sum to one (1, place)."""
    weights = np.asarray(looking, dtype=np.float32)
    if weights.shape != (GRID, GRID) or not np.isfinite(weights).all() or weights.min() < 0:
        raise ValueError(f"Give {GRID} x {GRID} weights, none of them below zero.")
    if not weights.sum() > 0:
        raise ValueError("Nothing is looked at: give at least one place some weight.")
    return torch.from_numpy((weights / weights.sum()).ravel())[None]


def record(bundle: Bundle, writing: Writing, forced: tuple[int, ...]) -> Caption:
    """Write word by word, the forced ones first, and keep every look."""
    state, token = writing.first(), START
    ids: list[int] = []
    looks, probabilities, predictions = [], [], []
    complete = False
    while len(ids) < LONGEST:
        interruption.point()
        log_probs, weights, state = writing.step(state, torch.tensor([token]))
        own = log_probs[0].exp()
        token = forced[len(ids)] if len(ids) < len(forced) else int(own.argmax())
        if token == END:
            complete = True
            break
        assert weights is not None
        best = own.topk(SHOWN)
        ids.append(token)
        looks.append(weights[0].unflatten(0, (GRID, GRID)).numpy())
        probabilities.append(float(own[token]))
        predictions.append(
            Prediction(
                tokens=tuple(map(bundle.tokenizer.label, best.indices.tolist())),
                probabilities=tuple(best.values.tolist()),
            )
        )
    places = [divmod(place, GRID) for place in writing.places[: len(ids)]]
    return Caption(
        text=bundle.tokenizer.decode(ids),
        tokens=tuple(map(bundle.tokenizer.label, ids)),
        weights=np.array(looks, dtype=np.float32).reshape(-1, GRID, GRID),
        probabilities=tuple(probabilities),
        predictions=tuple(predictions),
        places=tuple(places),
        complete=complete,
    )

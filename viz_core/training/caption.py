"""Captions for Flickr8k: soft attention, then hard attention that starts from it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from viz_core import checkpoints
from viz_core.checkpoints import Bundle
from viz_core.models.caption import CaptionConfig, Captioner, Picture
from viz_core.models.efficientnet import folded
from viz_core.text import END, PAD, START
from viz_core.text.captions import CaptionWords
from viz_core.training.data import flickr8k
from viz_core.training.data.flickr8k import Photograph
from viz_core.training.loop import Schedule, Task
from viz_core.training.measure import caption as caption_measure
from viz_core.training.run import Options, Recipe, further
from viz_core.training.state import Progress

AT_ONCE = 24  # photographs, with all of their captions
GROUPS = 2  # of captions that are about equally long
LONGEST = 22  # words that are learnt of a caption
COVERED = 0.02  # lambda: every place should be looked at about equally often (eq. 14)
EXPECTED = 0.5  # how often hard attention takes the mean of all places (section 4.1)
REWARDED, SPREAD = 1.0, 0.02  # lambda_r and lambda_e of hard attention (eq. 11)
SHARPENED = 3.0  # times the scores of soft attention: hard attention begins with a clear choice
REMEMBERED = 0.9  # of the moving baseline (eq. 12)
GRIDS = "flickr8k-grids.npy"


@dataclass(frozen=True, slots=True)
class Batch:
    """Photographs with all of their captions, the longest first."""

    grids: Tensor  # (photograph, place, channel) of the encoder's last block
    of: Tensor  # (caption,): its photograph
    tokens: Tensor  # (caption, word), padded
    lengths: Tensor  # (caption,)

    def share(self, rank: int, world: int) -> Batch:
        return Batch(
            self.grids, self.of[rank::world], self.tokens[rank::world], self.lengths[rank::world]
        )

    @property
    def count(self) -> int:
        return int(self.lengths.sum())

    def groups(self) -> Iterator[Batch]:
        """A few parts of captions that are about equally long: little is padded."""
        for rows in torch.arange(len(self.of)).tensor_split(GROUPS):
            if len(rows):
                longest = int(self.lengths[rows].max())
                yield Batch(
                    self.grids, self.of[rows], self.tokens[rows, :longest], self.lengths[rows]
                )


class Written(NamedTuple):
    features: Tensor  # (caption, word, embedding)
    weights: Tensor  # (caption, word, place)
    places: Tensor  # (caption, word), hard attention's; -1 where the mean of all was taken


def collate(grids: NDArray[np.float16], captions: Sequence[Sequence[list[int]]]) -> Batch:
    rows = sorted(
        ((ids, number) for number, each in enumerate(captions) for ids in each),
        key=lambda row: -len(row[0]),
    )
    tokens = torch.full((len(rows), len(rows[0][0])), PAD)
    for row, (ids, _) in enumerate(rows):
        tokens[row, : len(ids)] = torch.tensor(ids)
    return Batch(
        torch.from_numpy(np.ascontiguousarray(grids)).float(),
        torch.tensor([number for _, number in rows]),
        tokens,
        torch.tensor([len(ids) for ids, _ in rows]),
    )


class Describing(Task):
    model: Captioner

    def __init__(
        self,
        model: Captioner,
        words: CaptionWords,
        photographs: Sequence[Photograph],
        grids: NDArray[np.float16],
        seed: int = 1,
    ) -> None:
        self.model = model
        self.grids = grids
        self.seed = seed
        self.baseline: float | None = None
        self.chance = torch.Generator().manual_seed(seed)
        self.captions = [
            [[*words.encode(text).ids[:-1][:LONGEST], END] for text in each.captions]
            for each in photographs
        ]
        self.train = np.array([i for i, each in enumerate(photographs) if each.part == "train"])
        held_out = [i for i, each in enumerate(photographs) if each.part == "held-out"]
        self.held_out = [
            collate(grids[part, 0], [self.captions[i] for i in part])
            for part in np.array_split(held_out, max(1, len(held_out) // AT_ONCE))
        ]

    def log_frequencies(self) -> Tensor:
        """Of every word in the training part: what is known before any picture was seen."""
        words = [token for i in self.train for ids in self.captions[i] for token in ids]
        counts = torch.bincount(torch.tensor(words), minlength=self.model.config.vocabulary)
        return (counts + 0.1).log() - math.log(len(words))

    def batches(self, progress: float, chunk: int) -> Iterator[Batch]:
        """One pass over all photographs, half of them mirrored by chance."""
        rng = np.random.default_rng((self.seed, chunk))
        order = rng.permutation(self.train)
        for chosen in np.array_split(order, max(1, len(order) // AT_ONCE)):
            mirrored = rng.integers(0, 2, len(chosen))
            yield collate(self.grids[chosen, mirrored], [self.captions[i] for i in chosen])

    def loss(self, model: nn.Module, batch: Batch) -> Tensor:
        model.train()
        total = torch.zeros(())
        extra = self.uncovered if self.model.config.attention == "soft" else self.reinforced
        with torch.autocast("cpu", torch.bfloat16):
            picture = self.model.see(batch.grids)
            for group in batch.groups():
                written = self.written(picture, group, self.chance)
                logits = self.model.logits(written.features[reached(group)]).float()
                losses = cross_entropy(logits, group.tokens[reached(group)], reduction="none")
                total = total + losses.sum() + extra(group, written, losses.detach())
        return total

    def written(self, picture: Picture, batch: Batch, chance: torch.Generator | None) -> Written:
        """Teacher forcing: the captions as they are, and every look on the way."""
        model = self.model
        seen = picture.rows(batch.of)
        state = model.start(seen)
        starts = torch.full_like(batch.tokens[:, :1], START)
        words = model.dropout(model.embedding(torch.cat((starts, batch.tokens[:, :-1]), 1)))
        features, weights, places = [], [], []
        for word in words.unbind(1):
            look = model.look(seen, state[0], chance)
            place = torch.full((len(word),), -1) if look.place is None else look.place
            if look.place is not None and chance is not None:
                mean = torch.rand(len(word), generator=chance) < EXPECTED
                context = model.expected(seen, state[0], look.weights)
                look = look._replace(context=torch.where(mean[:, None], context, look.context))
                place = place.masked_fill(mean, -1)
            step = model.write(word, state, look)
            state = step.state
            features.append(step.features)
            weights.append(look.weights)
            places.append(place)
        return Written(torch.stack(features, 1), torch.stack(weights, 1), torch.stack(places, 1))

    def uncovered(self, batch: Batch, written: Written, losses: Tensor) -> Tensor:
        """sum_i (1 - sum_t a_ti)^2, eq. 14: what was not looked at in the course of a caption."""
        covered = (written.weights * reached(batch)[..., None]).sum(1)  # (caption, place)
        return COVERED * (1 - covered).square().sum()

    def reinforced(self, batch: Batch, written: Written, losses: Tensor) -> Tensor:
        """Eq. 11: places that led to a caption more probable than usual get more weight, and the
        weights are kept from closing on one place too early."""
        going = reached(batch)
        words = torch.zeros(going.shape).masked_scatter_(going, -losses)
        reward = words.sum(1) / batch.lengths  # log p(y | s), a word
        usual = float(reward.mean()) if self.baseline is None else self.baseline
        self.baseline = REMEMBERED * usual + (1 - REMEMBERED) * float(reward.mean())  # eq. 12
        logs = written.weights.clamp_min(1e-9).log()
        chosen = logs.gather(2, written.places.clamp_min(0)[..., None])[..., 0]
        drawn = going & (written.places >= 0)
        entropy = -(written.weights * logs).sum(-1)
        gained = ((reward - usual)[:, None] * chosen * drawn).sum()
        return -(REWARDED * gained + SPREAD * (entropy * going).sum())

    @torch.inference_mode()
    def held_out_losses(self) -> dict[str, float]:
        """Nats a word, as a caption is written: hard attention at its most probable place."""
        self.model.eval()
        total = count = 0.0
        for batch in self.held_out:
            picture = self.model.see(batch.grids)
            for group in batch.groups():
                features = self.written(picture, group, None).features
                logits = self.model.logits(features[reached(group)])
                wanted = group.tokens[reached(group)]
                total += float(cross_entropy(logits, wanted, reduction="sum"))
            count += batch.count
        return {"captions": total / count}


def reached(batch: Batch) -> Tensor:
    """True where a caption still has a word (caption, word)."""
    return torch.arange(batch.tokens.shape[1]) < batch.lengths[:, None]


@dataclass(frozen=True, kw_only=True)
class Captions(Recipe):
    paper: str = "Xu et al. 2015"
    architecture: str = "caption"
    data: tuple[dict[str, str], ...] = (
        {
            "name": "Flickr8k",
            "licence": flickr8k.CAPTIONS.licence,
            "split": f"train, one photograph of {flickr8k.CHOSEN} held out to choose; "
            "measured on dev: 1,000 photographs, five captions each",
        },
        {
            "name": "EfficientNet-Lite0, trained on ImageNet",
            "licence": flickr8k.WEIGHTS.licence,
            "split": "the image encoder, kept as published",
        },
    )

    def tokenizer(self, options: Options) -> CaptionWords:
        trained = (p for p in flickr8k.photographs(options.data) if p.part == "train")
        return CaptionWords.learnt(text for each in trained for text in each.captions)

    def model(self, options: Options, tokenizer: CaptionWords) -> Captioner:
        return Captioner(CaptionConfig(vocabulary=tokenizer.size))

    def begin(self, options: Options, model: nn.Module) -> Progress:
        assert isinstance(model, Captioner)
        if options.further:
            return further(self.name, model)
        path = options.weights or flickr8k.WEIGHTS.path(options.data)
        published = torch.load(path, map_location="cpu", weights_only=True)
        weights = {name: tensor.half().float() for name, tensor in folded(published).items()}
        model.encoder.load_state_dict(weights)
        return Progress()

    def task(self, options: Options, model: nn.Module, tokenizer: CaptionWords) -> Describing:
        assert isinstance(model, Captioner)
        photographs = flickr8k.photographs(options.data)
        files = [each.file for each in photographs]
        grids = flickr8k.grids(model.encoder, options.data, files, options.runs / GRIDS)
        task = Describing(model, tokenizer, photographs, grids, self.schedule.seed)
        if not self.start and not options.further:
            with torch.no_grad():
                model.bias.copy_(task.log_frequencies())
        return task

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return caption_measure.measure(bundle, folder)


@dataclass(frozen=True, kw_only=True)
class Hard(Captions):
    """Starts from soft attention, and shares the image encoder and the words with it."""

    base: str | None = "caption-soft"
    start: str = "caption-soft"

    def tokenizer(self, options: Options) -> CaptionWords:
        known: CaptionWords = checkpoints.load(self.start).tokenizer
        return known

    def model(self, options: Options, tokenizer: CaptionWords) -> Captioner:
        return Captioner(CaptionConfig(vocabulary=tokenizer.size, attention="hard"))

    def begin(self, options: Options, model: nn.Module) -> Progress:
        assert isinstance(model, Captioner)
        if options.further:
            return further(self.name, model)
        model.load_state_dict(checkpoints.load(self.start).model.state_dict())
        with torch.no_grad():
            model.score.weight.mul_(SHARPENED)
        return Progress()


SOFT = Captions(
    name="caption-soft",
    examples=("photographer",),
    title="Captions by soft attention",
    schedule=Schedule(
        steps=8_000, peak=1.5e-3, warmup=100, decay_from=0.3, decay=0.01, clip=5.0, check_every=200
    ),
    notes="The image encoder is EfficientNet-Lite0 as published, never taught further. The paper "
    "has a VGG net and a grid of 14 x 14, this one 7 x 7, and each of its places has seen most of "
    "the picture already, so that the weights stay flatter than in the paper's figures. Trained "
    "on 5,708 photographs of people and dogs: it knows little else, as its mistakes show. Every "
    "place should be looked at about equally often (eq. 14): this weighed 0.3 for the first 1,000 "
    "steps, which kept the weights almost even, and 0.02 afterwards.",
)
HARD = Hard(
    name="caption-hard",
    examples=("photographer",),
    title="Captions by hard attention",
    schedule=Schedule(
        steps=3_000, peak=4e-4, warmup=50, decay_from=0.3, decay=0.01, clip=5.0, check_every=100
    ),
    notes="Starts from caption-soft with all scores times 3, so that its first choices are clear, "
    "and goes on by REINFORCE with a moving baseline and an entropy term (eq. 11 and 12); in half "
    "of the steps it reads the mean of all places instead (section 4.1). As it writes a caption "
    "here it reads the place of the largest weight: nothing is left to chance. The image encoder "
    "and the words are those of caption-soft. It was trained further after its first 644 steps; "
    "the held-out loss still fell a little when that ended.",
)
RECIPES = {recipe.name: recipe for recipe in (SOFT, HARD)}

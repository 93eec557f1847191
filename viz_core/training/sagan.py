"""A Self-Attention GAN that draws flowers: two networks, one of which draws and one judges.

L_D = E[max(0, 1 - D(x))] + E[max(0, 1 + D(G(z)))]     Zhang et al. 2019, eq. 4
L_G = - E[D(G(z))]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot
from torch.nn.utils import parametrize
from torch.nn.utils.parametrizations import spectral_norm

from viz_core import probe
from viz_core.analysis import dream as told
from viz_core.analysis.image import places
from viz_core.checkpoints import Bundle
from viz_core.models.sagan import Discriminator, Generator, SAGANConfig
from viz_core.training.augmentation import augmented
from viz_core.training.data.flowers import KINDS, SOURCE, TEST_EVERY, Flowers, read
from viz_core.training.loop import Schedule, Task
from viz_core.training.measure import pictures
from viz_core.training.run import Options, Recipe

CONFIG = SAGANConfig(kinds=tuple(KINDS.values()))
BATCH = 32
JUDGE_FACTOR = 2.0  # two time scales: the discriminator learns this much faster
GAMMA_FACTOR = 3.0  # and gamma, one number that begins at 0, this much faster than the generator
CHECKED = 512  # pictures that are drawn at every check
LOOKED_AT = 50  # pictures whose attention is measured
SETTLING = 16  # batches from which the means of batch normalisation are taken anew


@dataclass(frozen=True, slots=True)
class Turn:
    """A batch: real pictures, and the noise to draw as many of the same kinds from."""

    real: Tensor  # (picture, 3, side, side)
    kinds: Tensor  # (picture, kind), one 1 each
    noise: Tensor  # (picture, noise)

    def share(self, rank: int, world: int) -> Turn:
        return Turn(self.real[rank::world], self.kinds[rank::world], self.noise[rank::world])

    @property
    def count(self) -> int:
        return len(self.real)


Network = TypeVar("Network", bound=nn.Module)


class Rivals(nn.Module):
    def __init__(self, generator: Generator) -> None:
        super().__init__()
        self.generator = normalised(generator)
        self.discriminator = normalised(Discriminator(generator.config))


def normalised(network: Network) -> Network:
    """Spectral normalisation: every matrix is divided by its largest singular value."""
    for module in list(network.modules()):
        if isinstance(module, nn.Linear | nn.Conv2d | nn.ConvTranspose2d):
            spectral_norm(module)
    return network


def plain(network: Generator) -> Generator:
    """A copy whose weights are the normalised ones, with nothing left to normalise."""
    network.eval()
    values = {k: v for k, v in network.state_dict().items() if ".parametrizations." not in k}
    for name, module in network.named_modules():
        if parametrize.is_parametrized(module):
            values[f"{name}.weight"] = module.weight.detach()
    made = Generator(network.config)
    made.load_state_dict(values)
    return made.eval()


class Drawing(Task):
    model: Rivals

    def __init__(self, generator: Generator, train: Flowers, seed: int = 1) -> None:
        self.config = generator.config
        self.model = Rivals(generator)
        for weights in self.model.parameters():
            if weights.dim() == 4:  # the convolutions are a tenth faster so
                weights.data = weights.data.contiguous(memory_format=torch.channels_last)
        self.train = train
        self.seed = seed
        self.reader = pictures.reader()
        self.real = pictures.cloud(self.reader, train.pixels)

    @property
    def kept(self) -> Generator:
        return plain(self.model.generator)

    def batches(self, progress: float, chunk: int) -> Iterator[Turn]:
        """One pass over all pictures, half of them mirrored."""
        generator = torch.Generator().manual_seed(1000 * self.seed + chunk)
        order = torch.randperm(self.train.count, generator=generator)
        for chosen in order.split(BATCH)[: self.train.count // BATCH or 1]:
            flowers = self.train[chosen]
            mirrored = torch.rand(len(chosen), 1, 1, 1, generator=generator) < 0.5
            yield Turn(
                torch.where(mirrored, flowers.pixels.flip(-1), flowers.pixels),
                one_hot(flowers.kinds, len(self.config.kinds)).float(),
                torch.randn(len(chosen), self.config.noise, generator=generator),
            )

    def optimisers(self, schedule: Schedule) -> Sequence[torch.optim.Optimizer]:
        named = dict(self.model.generator.named_parameters())
        gamma = [value for name, value in named.items() if name.endswith("gamma")]
        others = [value for name, value in named.items() if not name.endswith("gamma")]
        groups: list[dict[str, Any]] = [{"params": others}]
        if gamma:
            groups.append({"params": gamma, "factor": GAMMA_FACTOR})
        judge = {"params": list(self.model.discriminator.parameters()), "factor": JUDGE_FACTOR}
        return [
            torch.optim.Adam(learning, lr=schedule.peak, betas=(0.0, 0.9), fused=True)
            for learning in (groups, [judge])
        ]

    def step(
        self,
        model: nn.Module,
        optimisers: Sequence[torch.optim.Optimizer],
        batch: Turn,
        clip: float,
    ) -> float:
        """Both learn from the same drawings; the generator from the judge that has just learned."""
        generator, judge = self.model.train().generator, self.model.discriminator
        with torch.autocast("cpu", torch.bfloat16):
            drawn = generator(batch.noise, batch.kinds).pixels.float()
            judge.requires_grad_(True)
            both = torch.cat((augmented(batch.real), augmented(drawn.detach())))
            real, false = judge(both, batch.kinds.repeat(2, 1)).float().chunk(2)
        told = (1 - real).relu().mean() + (1 + false).relu().mean()  # eq. 4
        apply(optimisers[1], told)
        judge.requires_grad_(False)
        with torch.autocast("cpu", torch.bfloat16):
            praise = judge(augmented(drawn), batch.kinds).float().mean()
        apply(optimisers[0], -praise)
        return float(told.detach())

    def held_out_losses(self) -> dict[str, float]:
        """The distance to the training pictures: the test pictures are not looked at."""
        self.settle()
        drawn = draw(self.model.generator, self.train.kinds, CHECKED)
        return {"distance": pictures.distance(pictures.cloud(self.reader, drawn), self.real)}

    @torch.no_grad()
    def settle(self) -> None:
        """Batch means, and largest singular values, of the averaged weights."""
        norms = [one for one in self.model.generator.modules() if isinstance(one, nn.BatchNorm2d)]
        for norm in norms:
            norm.reset_running_stats()
            norm.momentum = None  # a plain mean over what follows
        self.model.train()
        kinds = one_hot(self.train.kinds, len(self.config.kinds)).float()
        for _ in range(SETTLING):
            chosen = torch.randint(self.train.count, (BATCH,))
            self.model.generator(torch.randn(BATCH, self.config.noise), kinds[chosen])
        for norm in norms:
            norm.momentum = 0.1
        self.model.eval()


def apply(optimiser: torch.optim.Optimizer, loss: Tensor) -> None:
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    optimiser.step()


@torch.inference_mode()
def draw(model: Generator, kinds: Tensor, count: int, strength: float = 1.0) -> Tensor:
    """Pictures of the same kinds in the same shares; always from the same noise."""
    fixed = torch.Generator().manual_seed(0)
    noise = torch.randn(count, model.config.noise, generator=fixed)
    chosen = torch.randint(len(kinds), (count,), generator=fixed)
    shares = one_hot(kinds[chosen], len(model.config.kinds)).float()
    parts = zip(noise.split(128), shares.split(128), strict=True)
    return torch.cat([model(*part, strength).pixels for part in parts])


def measure(bundle: Bundle, train: Flowers, test: Flowers) -> dict[str, dict[str, float]]:
    """How far drawn pictures are from real ones, with attention and without, and how far it looks.

    As many pictures are drawn as there are for the training, of the same kinds.
    """
    model, reader = bundle.model, pictures.reader()
    assert isinstance(model, Generator)
    both = {"with attention": 1.0, "gamma = 0": 0.0}
    ways = both if model.config.attention else {"trained without attention": 1.0}
    clouds = {
        name: pictures.cloud(reader, draw(model, train.kinds, train.count, strength))
        for name, strength in ways.items()
    }
    known = pictures.cloud(reader, train.pixels)
    clouds["real pictures"] = known
    unseen = pictures.cloud(reader, test.pixels)
    figures: dict[str, dict[str, float]] = {
        "distance to test pictures": {
            name: round(pictures.distance(each, unseen), 2) for name, each in clouds.items()
        },
        "distance to training pictures": {
            name: round(pictures.distance(clouds[name], known), 2) for name in ways
        },
        "pictures": {"training": train.count, "test": test.count},
    }
    return figures | ({"attention": looks(bundle)} if model.config.attention else {})


def looks(bundle: Bundle) -> dict[str, float]:
    """How far its places look, as the page counts it, over many seeds."""
    drawn = [probe.draw(bundle, seed) for seed in range(LOOKED_AT)]
    grid = drawn[0].grid
    few = [places(row) for each in drawn for row in each.attention.matrix()]
    return {
        "gamma": round(drawn[0].gamma, 3),
        f"weight beyond {told.FAR} places": round(
            float(np.mean([told.far(each).mean() for each in drawn])), 3
        ),
        "the same, looking everywhere alike": round(told.even(grid), 3),
        "share of all looks that one place draws": round(
            float(np.mean([told.drawn_to_one(each) for each in drawn])), 3
        ),
        "places that hold half of a place's weight": round(float(np.mean(few)), 1),
    }


@dataclass(frozen=True, kw_only=True)
class Dreams(Recipe):
    config: SAGANConfig = CONFIG
    architecture: str = "sagan"
    data: tuple[dict[str, str], ...] = (
        {
            "name": "Oxford 102 flowers, nine kinds of the daisy family",
            "licence": SOURCE.licence,
            "split": f"every {TEST_EVERY}th picture of a kind is for the test",
        },
    )

    def model(self, options: Options, tokenizer: None) -> Generator:
        return Generator(self.config)

    def task(self, options: Options, model: nn.Module, tokenizer: None) -> Drawing:
        assert isinstance(model, Generator)
        return Drawing(model, read(options.data)[0], self.schedule.seed)

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return {"metrics": measure(bundle, *read(folder))}


SAGAN = Dreams(
    name="sagan",
    title="Self-Attention GAN that draws flowers",
    paper="Zhang et al. 2019",
    schedule=Schedule(
        steps=30_000,
        peak=3e-4,
        warmup=100,
        decay_from=0.7,
        check_every=500,
        patience=999,
        average=0.998,
    ),
    notes="Nine kinds of flowers of the daisy family, 32 x 32 pixels: a narrow world on purpose, "
    "for training that had minutes of one processor. The kind enters as in the paper: by "
    "batch normalisation in the generator, by projection in the discriminator. Real and "
    "drawn pictures are moved, recoloured and partly hidden before they are judged "
    "(differentiable augmentation, Zhao et al. 2020). As in the paper: hinge loss, spectral "
    "normalisation in both networks, an unscaled dot product, two learning rates. Not as in "
    "the paper: far smaller, transposed convolutions without residual blocks, attention at "
    "16 x 16 places with queries, keys and values a quarter as wide as their input (the "
    "paper: an eighth), a running mean of the weights, a learning rate three times as high "
    "for gamma, and queries from which their mean over the picture is taken: with the "
    "paper's own, after 2,000 steps half of all looks went to one place of each picture. "
    "The weights nearest to the training pictures, by the same distance that is measured, "
    "were kept; test pictures were not looked at. (The curve of this card is on another scale: it "
    "was measured with an earlier Vision Transformer.) gamma = 0 switches off what this network "
    "was trained with; sagan-plain is a twin that was trained without it.",
)
TWIN = replace(
    SAGAN,
    name="sagan-plain",
    title="The same GAN without attention",
    config=replace(CONFIG, attention=False),
    # As many steps as sagan had, counted and not timed: without the layer a minute holds more of
    # them. Its rate began to fall after seven tenths of its minutes: this share of its steps.
    schedule=replace(SAGAN.schedule, steps=3_934, decay_from=0.775),
    notes="The twin of sagan, to see what its attention is worth: the layer is left out of both "
    "networks, everything else is the same: pictures, order of the batches, seed, 3,934 "
    "steps, learning rates, and the choice of the weights that are nearest to the training "
    "pictures. Chance is about as large as what lies between the two: with another seed this twin "
    "ended two further away from the test pictures.",
)
RECIPES: dict[str, Recipe] = {SAGAN.name: SAGAN, TWIN.name: TWIN}

"""The one training run: train, export and measure, whatever the architecture.

A recipe is data (what its card says, its schedule) and the few things that only it knows: its
tokeniser, its model, its task and what to measure. recipes.py lists them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import nn

from viz_core import checkpoints
from viz_core.cards import Card
from viz_core.checkpoints import Bundle
from viz_core.models import ARCHITECTURES
from viz_core.training import loop, state
from viz_core.training.loop import Schedule, Task
from viz_core.training.measure import report
from viz_core.training.processes import Processes
from viz_core.training.state import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command was told."""

    data: Path
    runs: Path = Path("runs")
    minutes: float | None = None
    resume: bool = False
    further: bool = False  # go on from the checkpoint of the same name
    grow: bool = False  # begin with that checkpoint, widened and respelt
    weights: Path | None = None  # published weights: bert-mini starts from them, for instance

    def __str__(self) -> str:
        """As a card repeats it."""
        weights = " --weights PATH" if self.weights else ""
        minutes = f" --minutes {self.minutes:g}" if self.minutes else ""
        begins = " --further" if self.further else " --grow" if self.grow else ""
        return f"--data DIR{weights}{minutes}{begins}"


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """One checkpoint: what its card says, and how it is made. `model` and `task` must be given.

    The run calls, in this order: tokenizer, model, begin, task; and after training tokenizer,
    model, measure, files. With a schedule of no steps, what begin puts in is kept as it is: no
    task, no training.
    """

    name: str
    title: str
    paper: str
    architecture: str  # a name in models.ARCHITECTURES
    data: tuple[dict[str, str], ...]  # name, licence, split of each corpus
    schedule: Schedule
    examples: tuple[Any, ...] = ()
    notes: str = ""
    start: str = ""  # the checkpoint whose first steps it shares
    base: str | None = None  # the checkpoint that it is kept as a difference to

    def tokenizer(self, options: Options) -> Any:
        """None for a model that reads no text."""
        return None

    def model(self, options: Options, tokenizer: Any) -> nn.Module:
        """A new model of the right shape; its weights are random."""
        raise NotImplementedError

    def begin(self, options: Options, model: nn.Module) -> Progress:
        """Put the first weights in, unless random ones will do; say what lies behind them."""
        return further(self.name, model) if options.further else Progress()

    def task(self, options: Options, model: nn.Module, tokenizer: Any) -> Task:
        """The object that knows the batches, the loss and the snapshots."""
        raise NotImplementedError

    def command(self, options: Options) -> str:
        """What was typed after `python -m viz_core.training`, as the card repeats it."""
        return f"{self.name} {options}"

    def describe(self) -> dict[str, Any]:
        """What its card says beyond the rest of this record."""
        return {}

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        """{"metrics": figures by split, "measured": tables that pages draw}, on unseen data."""
        return {"metrics": {}}

    def files(self, options: Options, tokenizer: Any) -> dict[str, str]:
        """What else is kept beside the weights: name of the file -> its text."""
        return {}


def build(architecture: str, config: Any) -> nn.Module:
    return ARCHITECTURES[architecture].model(config)


def further(name: str, model: nn.Module) -> Progress:
    """Take over the weights of a checkpoint, with all that its card tells of its past."""
    bundle = checkpoints.load(name)
    model.load_state_dict(bundle.model.state_dict())
    return state.past(bundle.card.steps, bundle.card.curve)


def train(recipe: Recipe, options: Options) -> None:
    torch.manual_seed(recipe.schedule.seed)  # the first weights
    tokenizer = recipe.tokenizer(options)
    model = recipe.model(options, tokenizer)
    past = recipe.begin(options, model)
    if not recipe.schedule.steps:
        keep(recipe, options, tokenizer, model, past)
        return
    task = recipe.task(options, model, tokenizer)
    folder = options.runs / recipe.name
    progress = loop.train(task, recipe.schedule, folder, options.minutes, options.resume, past)
    print(f"{recipe.name}: {progress.step} steps, held-out loss {progress.best:.4f}")
    if Processes().first:
        export(recipe, options)


def export(recipe: Recipe, options: Options) -> Card:
    """Measure the best weights of a run and write them, with their card, to checkpoints/."""
    folder = options.runs / recipe.name
    best = folder / "best.safetensors"
    if not best.is_file():
        raise ValueError(f"{best} is not there: train {recipe.name} first")
    tokenizer = recipe.tokenizer(options)
    model = recipe.model(options, tokenizer)
    model.load_state_dict({name: value.float() for name, value in load_file(best).items()})
    return keep(recipe, options, tokenizer, model, state.read_progress(folder))


def keep(
    recipe: Recipe, options: Options, tokenizer: Any, model: nn.Module, progress: Progress
) -> Card:
    """Write a model to checkpoints/ as it is now, measured."""
    described = describe(recipe, options, progress)
    # First without figures, to measure what is kept: weights in half precision.
    checkpoints.save(model, tokenizer, described, base=recipe.base)
    described |= recipe.measure(checkpoints.load(recipe.name), options.data)
    card = checkpoints.save(model, tokenizer, described, base=recipe.base)
    for file, text in recipe.files(options, tokenizer).items():
        (checkpoints.FOLDER / recipe.name / file).write_text(text, encoding="utf-8")
    print(report.details(card), report.table([card]), sep="\n")
    return card


def describe(recipe: Recipe, options: Options, progress: Progress) -> dict[str, Any]:
    """A card without figures."""
    return {
        "name": recipe.name,
        "title": recipe.title,
        "paper": recipe.paper,
        "architecture": recipe.architecture,
        "data": list(recipe.data),
        "command": f"python -m viz_core.training {recipe.command(options)}",
        "seed": recipe.schedule.seed,
        "steps": progress.best_step,
        "start": recipe.start,
        "metrics": {},
        "examples": list(recipe.examples),
        "notes": recipe.notes,
        "curve": progress.curve,
        **recipe.describe(),
    }


def measure(recipe: Recipe, name: str, folder: Path, write: bool = False) -> Card:
    """The card of a checkpoint with new figures; `write` keeps them."""
    bundle = checkpoints.load(name)
    card = report.measured(bundle.card, recipe.measure(bundle, folder))
    if write:
        checkpoints.write_card(card)
    return card

"""The state of a run, in memory and in its folder: progress, weights, their mean, optimisers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

STATE = "state.safetensors"
UNFINISHED = "state.unfinished"
# What a run writes before its first state: ended there, it left nothing to go on with.
FIRST = {"snapshots.jsonl", "best.safetensors", UNFINISHED}


@dataclass(slots=True)
class Progress:
    step: int = 0
    chunk: int = 0
    seconds: float = 0.0
    best: float = math.inf
    best_step: int = 0
    began: int = 0  # the step from which the optimiser warms up: not 0 where a run goes further
    curve: list[dict[str, float]] = field(default_factory=list)


def past(steps: int, curve: Sequence[dict[str, float]] = ()) -> Progress:
    """What lies behind weights that go on: no batch comes twice, and the optimiser warms up."""
    minutes = curve[-1]["minutes"] if curve else 0.0
    return Progress(step=steps, began=steps, chunk=steps, seconds=60 * minutes, curve=list(curve))


class Average:
    """A running mean of the weights (Polyak averaging). Inside `with` the model has the mean.

    It is worth what a falling learning rate is worth, at any moment of a run.
    """

    def __init__(self, model: nn.Module, keep: float) -> None:
        self.keep = keep
        self.weights = [parameter.data for parameter in model.parameters()] if keep else []
        self.mean = [weight.clone() for weight in self.weights]

    def update(self, step: int) -> None:
        """Early on the mean is short, so that the first weights are soon forgotten."""
        if self.mean:
            share = 1 - min(self.keep, (1 + step) / (10 + step))
            torch._foreach_lerp_(self.mean, self.weights, share)

    def swap(self) -> None:
        for weight, mean in zip(self.weights, self.mean, strict=True):
            kept = weight.clone()
            weight.copy_(mean)
            mean.copy_(kept)

    def __enter__(self) -> None:
        self.swap()

    def __exit__(self, *_: object) -> None:
        self.swap()


def half(model: nn.Module) -> dict[str, Tensor]:
    return {name: value.detach().half().contiguous() for name, value in model.state_dict().items()}


def store(
    folder: Path,
    model: nn.Module,
    optimisers: Sequence[torch.optim.Optimizer],
    mean: Average,
    progress: Progress,
) -> None:
    """Everything a run needs to go on, in one file."""
    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    tensors |= {f"average.{index}": value for index, value in enumerate(mean.mean)}
    for prefix, optimiser in zip(prefixes(), optimisers, strict=False):
        for index, slots in optimiser.state_dict()["state"].items():
            tensors |= {f"{prefix}.{index}.{name}": value for name, value in slots.items()}
    tensors = {name: value.contiguous() for name, value in tensors.items()}  # as the file wants it
    unfinished = folder / UNFINISHED
    save_file(tensors, unfinished, {"progress": json.dumps(asdict(progress))})
    unfinished.replace(folder / STATE)


def begun(folder: Path) -> bool:
    """There is something to go on with."""
    return (folder / STATE).is_file()


def unbegun(folder: Path) -> bool:
    """A run may start here: nothing is in the folder but what one leaves that ended too soon."""
    left = {path.name for path in folder.iterdir()} if folder.is_dir() else {"a file"}
    return not folder.exists() or left <= FIRST


def clear(folder: Path) -> None:
    """Remove what a run left that was ended before its first state."""
    for name in FIRST:
        (folder / name).unlink(missing_ok=True)


def read_progress(folder: Path) -> Progress:
    path = folder / STATE
    if not path.is_file():
        raise ValueError(f"{path} is not there: train without --resume first")
    with safe_open(path, "pt") as file:
        return Progress(**json.loads(file.metadata()["progress"]))


def restore(
    folder: Path,
    model: nn.Module,
    optimisers: Sequence[torch.optim.Optimizer],
    mean: Average,
) -> Progress:
    progress = read_progress(folder)
    tensors = load_file(folder / STATE)
    model.load_state_dict(
        {name.removeprefix("model."): v for name, v in tensors.items() if name[:6] == "model."}
    )
    for prefix, optimiser in zip(prefixes(), optimisers, strict=False):
        kept = optimiser.state_dict()
        kept["state"] = {}
        for name, value in tensors.items():
            if name.startswith(f"{prefix}."):
                _, index, slot = name.split(".")
                kept["state"].setdefault(int(index), {})[slot] = value
        optimiser.load_state_dict(kept)
    for place, weights in enumerate(mean.mean):
        weights.copy_(tensors.get(f"average.{place}", mean.weights[place]))
    return progress


def prefixes() -> Iterator[str]:
    """Names of the optimisers in the file: optimiser, optimiser-2, optimiser-3 ..."""
    yield "optimiser"
    yield from (f"optimiser-{number}" for number in count(2))

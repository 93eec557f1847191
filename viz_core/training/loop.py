"""One training loop for every recipe: one process or many, resumable, measured while it runs.

Under torchrun each process takes its share of every batch, and gradients are those of the whole
batch: a run with N processes follows the same path as a run with one.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import torch
import torch.distributed as dist
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Warm up, hold, and fall to nothing over the last part; short sentences first."""

    steps: int
    peak: float = 2e-3
    warmup: int = 400
    decay_from: float = 0.6
    decay: float = 0.01  # AdamW's weight decay
    clip: float = 1.0
    check_every: int = 400
    patience: int = 12  # checks without a better held-out loss before stopping
    seed: int = 1
    average: float = 0.0  # how much of the running mean of the weights stays at each step

    def rate(self, step: int, progress: float) -> float:
        rising = min(1.0, (step + 1) / self.warmup)
        falling = min(1.0, (1 - progress) / (1 - self.decay_from))
        return self.peak * rising * max(0.0, falling)


class Shared(Protocol):
    """A batch that several processes can split."""

    def share(self, rank: int, world: int) -> Any: ...
    @property
    def count(self) -> int: ...


class Task(Protocol):
    """What a recipe trains: its model, its batches, its loss."""

    model: nn.Module

    def batches(self, progress: float, chunk: int) -> Iterator[Shared]: ...
    def loss(self, model: nn.Module, batch: Any) -> Tensor:
        """Summed over the batch; divided by the whole batch's count in the loop."""
        ...

    def held_out_losses(self) -> dict[str, float]:
        """By kind of text; the mean of all decides which weights are the best."""
        ...

    def snapshot(self, step: int) -> None: ...


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


class Processes:
    """The processes of this run; one, unless torchrun says otherwise."""

    def __init__(self) -> None:
        self.world = int(os.environ.get("WORLD_SIZE", "1"))
        self.rank = int(os.environ.get("RANK", "0"))
        if self.world > 1 and not dist.is_initialized():
            dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")

    @property
    def first(self) -> bool:
        return self.rank == 0

    def wrap(self, model: nn.Module) -> nn.Module:
        return DistributedDataParallel(model) if self.world > 1 else model

    def agree(self, value: float) -> float:
        """What the first process says: clocks differ, decisions must not."""
        if self.world == 1:
            return value
        said = torch.tensor([value], dtype=torch.float64)
        dist.broadcast(said, 0)
        return float(said)

    def total(self, value: float) -> float:
        if self.world == 1:
            return value
        summed = torch.tensor([value], dtype=torch.float64)
        dist.all_reduce(summed)
        return float(summed)


def step_once(
    task: Task, model: nn.Module, optimiser: torch.optim.Optimizer, batch: Shared, clip: float
) -> float:
    """One update on this process's share of the batch; returns the whole batch's mean loss."""
    processes = Processes()
    count = batch.count
    optimiser.zero_grad(set_to_none=True)
    loss = task.loss(model, batch.share(processes.rank, processes.world)) / count
    # DistributedDataParallel averages over processes; times world makes it the sum it should be.
    (loss * processes.world).backward()
    nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimiser.step()
    return processes.total(float(loss.detach()))


def optimiser_for(model: nn.Module, schedule: Schedule) -> torch.optim.AdamW:
    """Weight decay for matrices only: norms and biases have their own zero."""
    matrices = [p for p in model.parameters() if p.dim() > 1]
    vectors = [p for p in model.parameters() if p.dim() <= 1]
    groups = [
        {"params": matrices, "weight_decay": schedule.decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=schedule.peak, betas=(0.9, 0.98), fused=True)


def train(
    task: Task,
    schedule: Schedule,
    folder: Path,
    minutes: float | None = None,
    resume: bool = False,
    past: Progress | None = None,
) -> Progress:
    """Train until the steps or the minutes are used up, or the held-out loss stops falling.

    The model may have a past: steps that brought its weights to where they are.
    """
    torch.manual_seed(schedule.seed)
    processes = Processes()
    folder.mkdir(parents=True, exist_ok=True)
    model = processes.wrap(task.model)
    optimiser = optimiser_for(task.model, schedule)
    mean = Average(task.model, schedule.average)
    progress = restore(folder, task.model, optimiser, mean) if resume else past or Progress()
    began, before = time.monotonic(), progress.seconds
    bar = Bar(schedule.steps, minutes)
    loss = math.nan
    if processes.first:
        task.snapshot(progress.step)
    while True:
        done = processes.agree(share_done(progress, schedule, minutes))
        for batch in task.batches(done, progress.chunk):
            done = processes.agree(share_done(progress, schedule, minutes))
            if done >= 1:
                break
            for group in optimiser.param_groups:
                group["lr"] = schedule.rate(progress.step - progress.began, done)
            loss = step_once(task, model, optimiser, batch, schedule.clip)
            progress.step += 1
            mean.update(progress.step - progress.began)
            progress.seconds = before + time.monotonic() - began
            if processes.first:
                bar.show(progress, loss, batch.count, done)
            if processes.first and is_snapshot(progress.step):
                task.snapshot(progress.step)
            if progress.step % schedule.check_every == 0:
                check(task, progress, folder, optimiser, mean, loss, processes)
                if stale(progress, schedule):
                    done = 1.0
                    break
        if done >= 1:
            break
        progress.chunk += 1
    check(task, progress, folder, optimiser, mean, loss, processes)
    return progress


def asked(given: argparse.Namespace) -> str:
    """The options of a command that a card repeats."""
    minutes = f" --minutes {given.minutes:g}" if given.minutes else ""
    return minutes + (" --further" if given.further else "")


def share_done(progress: Progress, schedule: Schedule, minutes: float | None) -> float:
    by_time = progress.seconds / 60 / minutes if minutes else 0.0
    return max(progress.step / schedule.steps, by_time)


def stale(progress: Progress, schedule: Schedule) -> bool:
    return progress.step - progress.best_step >= schedule.patience * schedule.check_every


def is_snapshot(step: int) -> bool:
    """Often at first, when most happens: 50, 100, 200, 400 ..., and every 4,000 later."""
    return step % 4000 == 0 or (step % 50 == 0 and math.log2(step / 50).is_integer())


def check(
    task: Task,
    progress: Progress,
    folder: Path,
    optimiser: torch.optim.Optimizer,
    mean: Average,
    loss: float,
    processes: Processes,
) -> None:
    """Held-out loss; the best model and the resumable state go to disk."""
    with mean:
        parts = task.held_out_losses()
        held_out = sum(parts.values()) / len(parts)
        if held_out < progress.best:
            progress.best, progress.best_step = held_out, progress.step
            if processes.first:
                save_file(half(task.model), folder / "best.safetensors")
    point = {
        "step": progress.step,
        "minutes": round(progress.seconds / 60, 2),
        "loss": round(loss, 4),
        "held_out": round(held_out, 4),
    }
    if not progress.curve or progress.curve[-1]["step"] != progress.step:
        progress.curve.append(point)
    if processes.first:
        store(folder, task.model, optimiser, mean, progress)
        apart = {f"held_out {name}": round(value, 4) for name, value in parts.items()}
        with (folder / "log.jsonl").open("a") as log:
            log.write(json.dumps(point | (apart if len(apart) > 1 else {})) + "\n")


def half(model: nn.Module) -> dict[str, Tensor]:
    return {name: value.detach().half().contiguous() for name, value in model.state_dict().items()}


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


def store(
    folder: Path,
    model: nn.Module,
    optimiser: torch.optim.Optimizer,
    mean: Average,
    progress: Progress,
) -> None:
    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    tensors |= {f"average.{index}": value for index, value in enumerate(mean.mean)}
    for index, slots in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{index}.{name}": value for name, value in slots.items()}
    unfinished = folder / "state.unfinished"
    save_file(tensors, unfinished, {"progress": json.dumps(asdict(progress))})
    unfinished.replace(folder / "state.safetensors")


def read_progress(folder: Path) -> Progress:
    path = folder / "state.safetensors"
    if not path.is_file():
        raise ValueError(f"{path} is not there: train without --resume first")
    with safe_open(path, "pt") as file:
        return Progress(**json.loads(file.metadata()["progress"]))


def restore(
    folder: Path, model: nn.Module, optimiser: torch.optim.Optimizer, mean: Average
) -> Progress:
    progress = read_progress(folder)
    tensors = load_file(folder / "state.safetensors")
    model.load_state_dict(
        {name.removeprefix("model."): v for name, v in tensors.items() if name[0] == "m"}
    )
    kept = optimiser.state_dict()
    kept["state"] = {}
    for name, value in tensors.items():
        if name.startswith("optimiser."):
            _, index, slot = name.split(".")
            kept["state"].setdefault(int(index), {})[slot] = value
    optimiser.load_state_dict(kept)
    for place, weights in enumerate(mean.mean):
        weights.copy_(tensors.get(f"average.{place}", mean.weights[place]))
    return progress


class Bar:
    """Loss, held-out loss, tokens a second, time left. A line a minute where there is no screen."""

    def __init__(self, steps: int, minutes: float | None) -> None:
        self.steps, self.minutes = steps, minutes
        self.live = sys.stderr.isatty()
        self.since = self.shown = time.monotonic()
        self.tokens = 0
        self.began: float | None = None  # share done when this run began: a resumed one has a past
        self.smooth: float | None = None

    def show(self, progress: Progress, loss: float, count: int, done: float) -> None:
        self.tokens += count
        self.began = done if self.began is None else self.began
        self.smooth = loss if self.smooth is None else 0.98 * self.smooth + 0.02 * loss
        now = time.monotonic()
        if now - self.shown < (0.5 if self.live else 60):
            return
        self.shown = now
        spent = now - self.since
        left = spent * (1 - done) / max(done - self.began, 1e-6)
        held_out = progress.curve[-1]["held_out"] if progress.curve else float("nan")
        filled = int(24 * done)
        line = (
            f"[{'#' * filled}{'.' * (24 - filled)}] step {progress.step}/{self.steps} "
            f"loss {self.smooth:.3f} held-out {held_out:.3f} "
            f"{self.tokens / spent:,.0f} tokens/s {left / 60:.0f} min left"
        )
        print(line, end="\r" if self.live else "\n", file=sys.stderr, flush=True)

"""One training loop for every recipe: one process or many, resumable, measured while it runs.

Under torchrun each process takes its share of every batch, and gradients are those of the whole
batch: a run with N processes follows the same path as a run with one.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from viz_core.training.bar import Bar
from viz_core.training.processes import Processes
from viz_core.training.state import Average, Progress, half, restore, store


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


class Task:
    """What a recipe trains: its model, its batches, its loss, and what is watched meanwhile.

    A task with two optimisers (a GAN) has its own `optimisers` and `step`; `loss` is then its own
    business.
    """

    model: nn.Module

    def batches(self, progress: float, chunk: int) -> Iterator[Shared]:
        """Some batches; the same chunk is the same batches. The loop asks for chunk after chunk."""
        raise NotImplementedError

    def loss(self, model: nn.Module, batch: Any) -> Tensor:
        """Summed over the batch; divided by the whole batch's count in the loop."""
        raise NotImplementedError

    def held_out_losses(self) -> dict[str, float]:
        """By kind of text; the mean of all decides which weights are the best."""
        raise NotImplementedError

    def snapshot(self, step: int) -> None:
        """Write down what is watched, if anything is."""

    @property
    def kept(self) -> nn.Module:
        """What becomes the checkpoint: of a GAN the generator alone."""
        return self.model

    def optimisers(self, schedule: Schedule) -> Sequence[torch.optim.Optimizer]:
        """A group with a "factor" learns that much faster or slower than the schedule says."""
        return [optimiser_for(self.model, schedule)]

    def step(
        self,
        model: nn.Module,
        optimisers: Sequence[torch.optim.Optimizer],
        batch: Any,
        clip: float,
    ) -> float:
        """One update on this process's share of the batch; returns the whole batch's mean loss."""
        (optimiser,) = optimisers
        return step_once(self, model, optimiser, batch, clip)


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

    The minutes are those this thread computed. Beside other work a run takes longer and learns as
    much; by the clock on the wall its budget, and its rate, would fall while it stands still. The
    thread and not the process: torch may use several, and ten minutes on four cores are ten.
    The model may have a past: steps that brought its weights to where they are.
    """
    torch.manual_seed(schedule.seed)
    processes = Processes()
    folder.mkdir(parents=True, exist_ok=True)
    model = processes.wrap(task.model)
    optimisers = task.optimisers(schedule)
    mean = Average(task.model, schedule.average)
    progress = restore(folder, task.model, optimisers, mean) if resume else past or Progress()
    began, before = time.thread_time(), progress.seconds
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
            rate = schedule.rate(progress.step - progress.began, done)
            for group in chain.from_iterable(one.param_groups for one in optimisers):
                group["lr"] = rate * group.get("factor", 1.0)
            loss = task.step(model, optimisers, batch, schedule.clip)
            progress.step += 1
            mean.update(progress.step - progress.began)
            progress.seconds = before + time.thread_time() - began
            if processes.first:
                bar.show(progress, loss, batch.count, done)
            if processes.first and is_snapshot(progress.step):
                task.snapshot(progress.step)
            if progress.step % schedule.check_every == 0:
                check(task, progress, folder, optimisers, mean, loss, processes)
                if stale(progress, schedule):
                    done = 1.0
                    break
        if done >= 1:
            break
        progress.chunk += 1
    check(task, progress, folder, optimisers, mean, loss, processes)
    return progress


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
    optimisers: Sequence[torch.optim.Optimizer],
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
                save_file(half(task.kept), folder / "best.safetensors")
    point = {
        "step": progress.step,
        "minutes": round(progress.seconds / 60, 2),
        "loss": round(loss, 4),
        "held_out": round(held_out, 4),
    }
    if not progress.curve or progress.curve[-1]["step"] != progress.step:
        progress.curve.append(point)
    if processes.first:
        store(folder, task.model, optimisers, mean, progress)
        apart = {f"held_out {name}": round(value, 4) for name, value in parts.items()}
        with (folder / "log.jsonl").open("a") as log:
            log.write(json.dumps(point | (apart if len(apart) > 1 else {})) + "\n")

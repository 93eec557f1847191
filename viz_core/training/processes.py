"""The processes that share a run: one, unless torchrun started several."""

from __future__ import annotations

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


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

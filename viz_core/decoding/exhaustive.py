"""Exhaustive search made feasible: the provably best output, where it is short and likely."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor

from viz_core import interruption
from viz_core.analysis.hypotheses import Decode, Output
from viz_core.decoding.search import Beam, State, Steps, beam as beam_search
from viz_core.text import END, START

BATCH = 32  # prefixes that are continued at once


class Exact(NamedTuple):
    """The best finished output, proved to be so or the best of what was looked at."""

    ids: list[int]  # empty when nothing finished within the budget
    log_prob: float
    score: float
    bound: float  # no finished output scores more than this
    expanded: int  # prefixes that were continued

    @property
    def proved(self) -> bool:
        return bool(self.ids) and self.score >= self.bound

    def output(self, decode: Decode) -> Output:
        """What was found, and how far the proof got, for a comparison."""
        looked = f"after trying to continue {self.expanded:,} beginnings"
        if not self.ids:
            note = f"nothing finished {looked}"
        elif self.proved:
            note = f"proved to be the best of all {looked}"
        else:
            note = f"not proved {looked}: no output can score above {self.bound:.2f}"
        return Output(
            text=decode(self.ids),
            ids=tuple(self.ids),
            log_prob=self.log_prob,
            score=self.score,
            finished=bool(self.ids),
            proved=self.proved,
            note=note,
        )


NOTHING = Exact([], -math.inf, -math.inf, 0.0, 0)


class Open(NamedTuple):
    """A prefix that may still lead to the best output; the cheapest is continued first."""

    cost: float  # minus its log-probability
    number: int  # of its making: decides between equals
    ids: tuple[int, ...]
    state: State
    row: int  # of this prefix in the state


def search(steps: Steps, beam: Beam, prefix: Sequence[int] = (), budget: int = 500) -> Exact:
    """The most probable of all outputs: uniform-cost search, cut off by what beam search found.

    A continuation is never more probable than its prefix. So a prefix that cannot reach the best
    finished output is dropped with everything that would follow, and when none is left the proof
    is complete (Stahlberg and Byrne 2019). Of the prefixes of one length at most 1/p have a
    probability above p: what is short and likely is proved quickly, else the budget runs out.
    """
    tree = beam_search(steps, replace(beam, record=False), prefix)
    best = tree.nodes[tree.best] if tree.complete else None
    found = Exact(tree.tokens(tree.best), best.log_prob, best.score, 0.0, 0) if best else NOTHING
    queues: dict[int, list[Open]] = {}  # by length, since states of one length can be batched
    if len(prefix) < beam.limit and END not in prefix:
        queues[len(prefix)] = [_follow(steps, prefix)]
    numbers = itertools.count(1)
    while found.expanded < budget and _bound(beam, queues) > found.score:
        interruption.point()
        length = min(queues, key=lambda size: queues[size][0].cost)
        batch = _take(queues, length, min(BATCH, budget - found.expanded))
        tokens = torch.tensor([(START, *each.ids)[-1] for each in batch])
        log_probs, _, state = steps.step(_gather(batch), tokens)
        costs = torch.tensor([each.cost for each in batch], dtype=torch.float64)
        totals = log_probs.double() - costs.unsqueeze(1)  # (prefix, vocabulary)
        found = _better(found, beam, batch, totals[:, END].tolist())
        if length + 1 < beam.limit:
            floor = found.score / beam.hope(1.0)  # less probable prefixes have no hope
            totals[:, END] = -math.inf
            # More than the budget can continue need not be kept.
            for index, total in _above(totals.flatten(), floor, budget - found.expanded + 1):
                row, token = divmod(index, totals.shape[1])
                ids = (*batch[row].ids, token)
                opened = Open(-total, next(numbers), ids, state, row)
                heapq.heappush(queues.setdefault(length + 1, []), opened)
    return found._replace(bound=max(_bound(beam, queues), found.score))


def _follow(steps: Steps, prefix: Sequence[int]) -> Open:
    """The state after a forced prefix."""
    state, total = steps.first(), 0.0
    for last, token in pairwise([START, *prefix]):
        log_probs, _, state = steps.step(state, torch.tensor([last]))
        total += float(log_probs[0, token])
    return Open(-total, 0, tuple(prefix), state, 0)


def _take(queues: dict[int, list[Open]], length: int, most: int) -> list[Open]:
    """The most probable prefixes of one length, out of their queue."""
    queue = queues[length]
    batch = [heapq.heappop(queue) for _ in range(min(most, len(queue)))]
    if not queue:
        del queues[length]
    return batch


def _gather(batch: list[Open]) -> State:
    """One state whose rows are those of the prefixes."""
    parts = range(len(batch[0].state))
    return tuple(torch.stack([each.state[i][each.row] for each in batch]) for i in parts)


def _better(found: Exact, beam: Beam, batch: list[Open], totals: list[float]) -> Exact:
    """The best finished output after the prefixes of the batch have been ended."""
    for each, total in zip(batch, totals, strict=True):
        score = beam.score(total, len(each.ids) + 1)
        if score > found.score:
            found = Exact([*each.ids, END], total, score, 0.0, found.expanded)
    return found._replace(expanded=found.expanded + len(batch))


def _above(totals: Tensor, floor: float, most: int) -> Iterator[tuple[int, float]]:
    """Index and value of what lies above the floor; only the greatest ones if there are many."""
    fits = (totals > floor).nonzero().flatten()
    if len(fits) > most:
        fits = fits[totals[fits].topk(most).indices]
    return zip(fits.tolist(), totals[fits].tolist(), strict=True)


def _bound(beam: Beam, queues: dict[int, list[Open]]) -> float:
    """The most that any output which has not been looked at can score."""
    return max((beam.hope(-queue[0].cost) for queue in queues.values()), default=-math.inf)

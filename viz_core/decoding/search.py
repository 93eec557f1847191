"""Greedy and beam search over one protocol, the whole search tree on record.

Whatever can say `first()` and `step(state, tokens)` can be searched: the RNN, the Transformer,
and the four-word table on the blackboard.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Literal, NamedTuple, Protocol

import torch
from torch import Tensor

from viz_core import interruption
from viz_core.text import END, START
from viz_core.traces.search import Status

State = tuple[Tensor, ...]  # every tensor has one row per hypothesis
Normalisation = Literal["plain", "gnmt"]
STEEPEST = 10.0  # length penalty: far beyond all that is sensible, and no power overflows yet


class Next(NamedTuple):
    log_probs: Tensor  # (hypothesis, vocabulary)
    weights: Tensor | None  # (hypothesis, key): where the decoder looked
    state: State


class Steps(Protocol):
    """What search needs of a model. All sentences or hypotheses go in one batch."""

    def first(self) -> State: ...
    def step(self, state: State, tokens: Tensor) -> Next: ...


class Found(NamedTuple):
    ids: list[int]  # with </s> when it was reached
    log_prob: float


def greedy(steps: Steps, sentences: int, limit: int) -> list[Found]:
    """The most probable token at every step, for a batch of sentences at once."""
    state = steps.first()
    tokens = torch.full((sentences,), START)
    running = torch.ones(sentences, dtype=torch.bool)
    totals = torch.zeros(sentences)
    columns = []
    for _ in range(limit):
        interruption.point()
        log_probs, _, state = steps.step(state, tokens)
        best, tokens = log_probs.max(dim=-1)
        totals += best.where(running, 0.0)
        columns.append(tokens.where(running, -1))
        running &= tokens != END
        if not running.any():
            break
    rows = torch.stack(columns, dim=1).tolist() if columns else [[]] * sentences
    return [
        Found([token for token in row if token >= 0], total)
        for row, total in zip(rows, totals.tolist(), strict=True)
    ]


def normalised(
    log_prob: float, length: int, alpha: float, normalisation: Normalisation = "plain"
) -> float:
    """log P / L^alpha, or with GNMT's ((5 + L) / 6)^alpha (Wu et al. 2016, eq. 14)."""
    size = length if normalisation == "plain" else (5 + length) / 6
    return log_prob / max(size, 1e-9) ** alpha


@dataclass(slots=True)
class Node:
    """A hypothesis while the search runs; probe turns it into a frozen traces.Hypothesis."""

    parent: int
    step: int
    token: int
    log_prob: float
    score: float
    probability: float
    status: Status = "kept"
    reason: str = ""
    row: tuple[int, int] = (-1, -1)  # (step, beam row) of the attention that wrote it


@dataclass(slots=True)
class Tree:
    nodes: list[Node]
    weights: list[Tensor] = field(default_factory=list)  # per step (hypothesis, key)
    finished: list[int] = field(default_factory=list)
    best: int = 0
    complete: bool = True

    def tokens(self, index: int) -> list[int]:
        found: list[int] = []
        while self.nodes[index].parent >= 0:
            found.append(self.nodes[index].token)
            index = self.nodes[index].parent
        return found[::-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Beam:
    """How to search. `shown` continuations of every hypothesis are recorded, chosen or not."""

    size: int
    limit: int
    alpha: float = 0.0
    normalisation: Normalisation = "plain"
    shown: int = 5
    record: bool = True

    def __post_init__(self) -> None:
        if not -STEEPEST <= self.alpha <= STEEPEST:  # which NaN is not either
            raise ValueError(
                f"A length penalty of {self.alpha:g} cannot be used: choose one from 0 to 2."
            )

    def score(self, log_prob: float, length: int) -> float:
        return normalised(log_prob, length, self.alpha, self.normalisation)

    def hope(self, log_prob: float) -> float:
        """The most that any continuation can score: none is more probable or outgrows the limit."""
        return self.score(log_prob, self.limit)


# Log-probability of the whole prefix, row of its parent in the beam, token, and the token's own
# log-probability. A bare tuple: a beam of ten makes two thousand of them for a sentence.
Candidate = tuple[float, int, int, float]


def beam(steps: Steps, search: Beam, prefix: Sequence[int] = ()) -> Tree:
    """Beam search (Sutskever et al. 2014, section 3.2), on from a forced prefix.

    At each step the best `size` continuations survive; those that end in </s> are finished and
    leave the beam. It stops when no live hypothesis can still beat the best finished one.
    """
    if len(prefix) > search.limit:
        raise ValueError(
            f"{len(prefix)} tokens are forced, and the output may have {search.limit} at most: "
            "take some back or raise the maximum length."
        )
    tree = Tree([Node(-1, 0, START, 0.0, 0.0, 1.0)])
    state, live = steps.first(), [0]
    for number in range(search.limit):
        interruption.point()
        tokens = torch.tensor([tree.nodes[i].token for i in live])
        log_probs, weights, state = steps.step(state, tokens)
        if search.record and weights is not None:
            tree.weights.append(weights)
        forced = prefix[number] if number < len(prefix) else None
        candidates = _candidates(tree, search, live, log_probs, forced)
        live, rows = _extend(tree, search, live, candidates, forced)
        if not live or _settled(tree, search, live):
            break
        chosen = torch.tensor(rows)
        state = tuple(part.index_select(0, chosen) for part in state)
    _conclude(tree, search, live)
    return tree


def _candidates(
    tree: Tree, search: Beam, live: list[int], log_probs: Tensor, forced: int | None
) -> list[Candidate]:
    """The most probable continuations of every live hypothesis, all in one list, best first."""
    shown = max(search.size, search.shown if search.record else 0)
    values, tokens = log_probs.topk(min(shown, log_probs.shape[-1]), dim=-1)
    value_rows, token_rows = values.tolist(), tokens.tolist()  # (hypothesis, shown)
    if forced is not None and forced not in token_rows[0]:
        token_rows[0].append(forced)
        value_rows[0].append(float(log_probs[0, forced]))
    found = [
        (before + value, row, token, value)
        for row, before in enumerate([tree.nodes[parent].log_prob for parent in live])
        for token, value in zip(token_rows[row], value_rows[row], strict=True)
        if value > -math.inf
    ]
    found.sort(key=itemgetter(0), reverse=True)
    return found


def _extend(
    tree: Tree, search: Beam, live: list[int], candidates: list[Candidate], forced: int | None
) -> tuple[list[int], list[int]]:
    """Add the candidates to the tree; returns the new live nodes and their rows in the beam."""
    step = tree.nodes[live[0]].step + 1
    if forced is None:
        keep = [place < search.size for place in range(len(candidates))]
        bar = candidates[: search.size][-1][0] if candidates else 0.0
        why = f"outside the best {search.size} at step {step}, of which the last has {bar:.2f}"
    else:
        keep = [token == forced for _, _, token, _ in candidates]
        why = "another word was forced here"
        if not any(keep):
            raise ValueError(f"The word forced at step {step} has probability 0: choose another.")
    share = search.score(1.0, step)  # of the log-probability: all of one step are equally long
    survivors: list[int] = []
    rows: list[int] = []
    nodes, exp = tree.nodes, math.exp
    for (total, row, token, own), kept in zip(candidates, keep, strict=True):
        status: Status = "kept"
        if not kept:
            if not search.record:
                continue
            status = "pruned"
        elif token == END:
            status = "finished"
            tree.finished.append(len(nodes))
        else:
            survivors.append(len(nodes))
            rows.append(row)
        reason = "" if kept else why
        at = (step - 1, row)
        nodes.append(
            Node(live[row], step, token, total, total * share, exp(own), status, reason, at)
        )
    return survivors, rows


def _settled(tree: Tree, search: Beam, live: list[int]) -> bool:
    """No live hypothesis can overtake the best finished one."""
    done = max((tree.nodes[i].score for i in tree.finished), default=-math.inf)
    return done >= max(search.hope(tree.nodes[i].log_prob) for i in live)


def _conclude(tree: Tree, search: Beam, live: list[int]) -> None:
    """Name the winner, and say of everyone else why not."""
    tree.complete = bool(tree.finished)
    tree.best = max(tree.finished or live or [0], key=lambda i: tree.nodes[i].score)
    best = tree.nodes[tree.best]
    for node in (tree.nodes[i] for i in tree.finished if i != tree.best):
        node.reason = f"finished with {node.score:.2f}, beaten by {best.score:.2f}"
    for node in (tree.nodes[i] for i in live if i != tree.best):
        node.status = "pruned"
        node.reason = (
            f"could not reach {best.score:.2f} any more"
            if tree.complete
            else f"unfinished at the limit of {search.limit} tokens"
        )

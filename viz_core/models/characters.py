"""Networks that read one character at a time: a plain one, and an LSTM and a GRU gate by gate.

    plain   h_t = tanh(W_hh h_{t-1} + W_xh x_t),  p = softmax(W_hy h_t)    Elman 1990
    LSTM    c_t = f_t * c_{t-1} + i_t * g_t,      h_t = o_t * tanh(c_t)    Gers et al. 2000
    GRU     h_t = z_t * h_{t-1} + (1 - z_t) * n_t                          Cho et al. 2014

x_t is one-hot, so W x_t is a row of a table: nn.Embedding holds W and its bias at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

Cell = Literal["lstm", "gru"]
GATES: dict[Cell, tuple[str, ...]] = {
    "lstm": ("input", "forget", "output"),
    "gru": ("reset", "update"),
}


class Plain(nn.Module):
    """The smallest recurrent network, without biases, to be written out on a blackboard."""

    def __init__(self, letters: int, units: int, seed: int) -> None:
        super().__init__()
        draw = torch.Generator().manual_seed(seed)  # its own: visitors train at the same time

        def random(*shape: int) -> nn.Parameter:
            return nn.Parameter(0.5 * torch.randn(*shape, generator=draw))

        self.hh, self.xh = random(units, units), random(units, letters)
        self.hy = random(letters, units)

    def forward(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """States (time + 1, unit), the first one empty, and logits (time, letter)."""
        states = [self.hh.new_zeros(len(self.hh))]
        for x in self.xh.T[ids]:  # W_xh x_t
            states.append(torch.tanh(self.hh @ states[-1] + x))
        found = torch.stack(states)
        return found, found[1:] @ self.hy.T


@dataclass(frozen=True, slots=True, kw_only=True)
class CharactersConfig:
    vocabulary: int
    cell: Cell
    width: int = 160

    def __post_init__(self) -> None:
        if self.cell not in GATES:
            raise ValueError(f"{self.cell!r} is no cell. Known: {', '.join(GATES)}.")


class State(NamedTuple):
    hidden: Tensor  # (batch, unit): what the output layer and the next step see
    memory: Tensor  # (batch, unit): what the gates keep or overwrite; a GRU's is its hidden state


class Reading(NamedTuple):
    """Everything that happened while a text was read."""

    logits: Tensor  # (batch, time, vocabulary)
    gates: Tensor  # (batch, time, gate, unit), in the order of GATES
    candidates: Tensor  # (batch, time, unit): what would be written
    memory: Tensor  # (batch, time, unit): after the step
    state: State


class Characters(nn.Module):
    """A character language model with one recurrent layer."""

    def __init__(self, config: CharactersConfig) -> None:
        super().__init__()
        self.config = config
        blocks = len(GATES[config.cell]) + 1  # the gates and the candidate
        self.read = nn.Embedding(config.vocabulary, blocks * config.width)
        self.recall = nn.Linear(config.width, blocks * config.width)
        self.write = nn.Linear(config.width, config.vocabulary)
        self.step = lstm if config.cell == "lstm" else gru
        reach = config.width**-0.5
        nn.init.uniform_(self.read.weight, -reach, reach)
        nn.init.orthogonal_(self.recall.weight)
        if config.cell == "lstm":  # begin by remembering (Gers et al. 2000)
            nn.init.ones_(self.recall.bias[config.width : 2 * config.width])

    def start(self, batch: int) -> State:
        empty = self.write.weight.new_zeros(batch, self.config.width)
        return State(empty, empty)

    def forward(self, ids: Tensor, state: State | None = None) -> Reading:
        """Read ids (batch, time) on from a state; without one, from an empty memory."""
        state = state or self.start(len(ids))
        steps = []
        for x in self.read(ids).unbind(1):
            steps.append(self.step(x, self.recall(state.hidden), state))
            state = steps[-1].state
        logits = self.write(torch.stack([step.state.hidden for step in steps], 1))
        return Reading(
            logits,
            torch.stack([torch.stack(step.gates, 1) for step in steps], 1),
            torch.stack([step.candidate for step in steps], 1),
            torch.stack([step.state.memory for step in steps], 1),
            state,
        )


class Step(NamedTuple):
    state: State
    gates: tuple[Tensor, ...]  # each (batch, unit), in [0, 1]
    candidate: Tensor  # (batch, unit), in [-1, 1]


def lstm(x: Tensor, h: Tensor, before: State) -> Step:
    """x and h are W x_t + b and U h_{t-1} + b for i, f, g, o, (batch, 4 * unit)."""
    i, f, g, o = (x + h).chunk(4, dim=-1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    memory = f * before.memory + i * g
    return Step(State(o * memory.tanh(), memory), (i, f, o), g)


def gru(x: Tensor, h: Tensor, before: State) -> Step:
    """x and h are W x_t + b and U h_{t-1} + b for r, z, n, (batch, 3 * unit)."""
    (x_r, x_z, x_n), (h_r, h_z, h_n) = x.chunk(3, dim=-1), h.chunk(3, dim=-1)
    r, z = (x_r + h_r).sigmoid(), (x_z + h_z).sigmoid()
    n = (x_n + r * h_n).tanh()
    memory = z * before.memory + (1 - z) * n
    return Step(State(memory, memory), (r, z), n)

"""The neural Turing machine: an LSTM with a memory beside it, which it reads and writes by weight.

    r_t = sum_i w_t(i) M_t(i)                               read       Graves et al. 2014, eq. 2
    M_t(i) = M_{t-1}(i) * (1 - w_t(i) e_t) + w_t(i) a_t     write      eq. 3 and 4

A weighting w_t says how much every place of the memory takes part; each of the two heads finds its
own in four steps: by content, by the weighting before, by a shift, and sharpened (eq. 5 to 9).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import softplus

HEADS = ("write", "read")
SHIFTS = (-1, 0, 1)  # places that a head can move in one step
EMPTY = 1e-6  # what every number of the memory is at the start (Collier and Beel 2018)


@dataclass(frozen=True, slots=True, kw_only=True)
class NTMConfig:
    bits: int = 8  # of one input; the end mark has a channel of its own
    places: int = 128
    width: int = 20  # numbers at a place
    units: int = 100  # of the controller
    longest: int = 20  # inputs of a pattern in training, as in the paper


class Addressing(NamedTuple):
    """How the heads came to their weightings; every weighting sums to one over the places."""

    key: Tensor  # k (batch, head, width)
    strength: Tensor  # beta (batch, head, 1)
    similarity: Tensor  # K (batch, head, place)
    content: Tensor  # w^c (batch, head, place)
    gate: Tensor  # g (batch, head, 1)
    gated: Tensor  # w^g (batch, head, place)
    shift: Tensor  # s (batch, head, shift), in the order of SHIFTS
    shifted: Tensor  # w~ (batch, head, place)
    sharpness: Tensor  # gamma (batch, head, 1)
    weights: Tensor  # w (batch, head, place)


class Working(NamedTuple):
    """Everything that happened; each step of Addressing has a time axis before its last one."""

    logits: Tensor  # (batch, time, bit): above nothing means 1
    addressing: Addressing  # (batch, head, time, ...)
    reads: Tensor  # r (batch, time, width)
    erases: Tensor  # e (batch, time, width)
    adds: Tensor  # a (batch, time, width)
    memory: Tensor  # M (batch, time, place, width), after the step was written


class NTM(nn.Module):
    def __init__(self, config: NTMConfig) -> None:
        super().__init__()
        self.config = config
        self.sizes = [config.width, 1, 1, len(SHIFTS), 1]  # k, beta, g, s, gamma
        self.controller = nn.LSTMCell(config.bits + 1 + config.width, config.units)
        self.heads = nn.Linear(config.units, len(HEADS) * sum(self.sizes))
        self.change = nn.Linear(config.units, 2 * config.width)  # e and a
        self.answer = nn.Linear(config.units + config.width, config.bits)
        self.first_weights = nn.Parameter(torch.zeros(len(HEADS), config.places))
        self.first_read = nn.Parameter(torch.zeros(config.width))
        self.begin()

    @torch.no_grad()
    def begin(self) -> None:
        """As a tape: heads at the first place, by place more than by content, and the write head
        going on by one place a step. Else training finds to heap all inputs on a single place."""
        self.first_weights[:, 0] = 6.0
        write, read = self.heads.bias.view(len(HEADS), -1)
        for bias in (write, read):
            _, _, gate, _, sharpness = bias.split(self.sizes)
            gate.fill_(-2.0)
            sharpness.fill_(2.0)
        write.split(self.sizes)[3][SHIFTS.index(1)] = 3.0

    def forward(self, inputs: Tensor) -> Working:
        """Inputs (batch, time, bit + 1), the last channel being the end mark."""
        batch, size = len(inputs), self.config
        h = c = inputs.new_zeros(batch, size.units)
        memory = inputs.new_full((batch, size.places, size.width), EMPTY)
        weights = self.first_weights.softmax(-1).expand(batch, -1, -1)
        read = self.first_read.tanh().expand(batch, -1)
        steps = []
        for x in inputs.unbind(1):
            h, c = self.controller(torch.cat((x, read), -1), (h, c))
            found = address(self.heads(h).view(batch, len(HEADS), -1), self.sizes, memory, weights)
            weights = found.weights
            writing, reading = weights.unbind(1)  # (batch, place) each
            erase, add = self.change(h).chunk(2, -1)
            erase, add = erase.sigmoid(), add.tanh()
            memory = memory * (1 - outer(writing, erase))  # eq. 3
            memory = memory + outer(writing, add)  # eq. 4
            read = (reading[:, None] @ memory)[:, 0]  # eq. 2
            logits = self.answer(torch.cat((h, read), -1))
            steps.append((logits, found, read, erase, add, memory))
        answers, addresses, *others = zip(*steps, strict=True)
        over_time = [torch.stack(part, -2) for part in zip(*addresses, strict=True)]
        stacked = [torch.stack(part, 1) for part in others]
        return Working(torch.stack(answers, 1), Addressing(*over_time), *stacked)


def address(raw: Tensor, sizes: list[int], memory: Tensor, before: Tensor) -> Addressing:
    """From what the controller says, raw (batch, head, number), to a weighting for each head."""
    key, strength, gate, shift, sharpness = raw.split(sizes, -1)
    key, gate = key.tanh(), gate.sigmoid()
    strength, sharpness = softplus(strength), 1 + softplus(sharpness)
    shift = shift.softmax(-1)
    similarity = cosine(key, memory)  # eq. 6
    content = (strength * similarity).softmax(-1)  # eq. 5
    gated = gate * content + (1 - gate) * before  # eq. 7
    shifted = convolved(gated, shift)  # eq. 8
    weights = (sharpness * shifted.clamp_min(1e-20).log()).softmax(-1)  # eq. 9, in logarithms
    return Addressing(
        key=key,
        strength=strength,
        similarity=similarity,
        content=content,
        gate=gate,
        gated=gated,
        shift=shift,
        shifted=shifted,
        sharpness=sharpness,
        weights=weights,
    )


def cosine(key: Tensor, memory: Tensor) -> Tensor:
    """K[u, v] = u v / (|u| |v|) for each head and place (batch, head, place)."""
    lengths = key.norm(dim=-1)[..., None] * memory.norm(dim=-1)[:, None]
    return key @ memory.mT / (lengths + 1e-8)


def convolved(weights: Tensor, shift: Tensor) -> Tensor:
    """w~(i) = sum_j w(j) s(i - j), eq. 8, on a ring: after the last place comes the first."""
    moved = [weights.roll(by, -1) for by in SHIFTS]
    return sum((w * s for w, s in zip(moved, shift.split(1, -1), strict=True)), torch.zeros(()))


def outer(weights: Tensor, vector: Tensor) -> Tensor:
    return weights[..., None] * vector[:, None]  # (batch, place, width)


def copying(bits: Tensor) -> Tensor:
    """The copy task (section 4.1): the bits, the end mark, and as many empty steps to answer in.

    bits (batch, length, bit) -> inputs (batch, 2 * length + 1, bit + 1)
    """
    batch, length, width = bits.shape
    inputs = bits.new_zeros(batch, 2 * length + 1, width + 1)
    inputs[:, :length, :width] = bits
    inputs[:, length, width] = 1
    return inputs

"""How much of an early input a later loss still hears: gradients of untrained networks.

    plain      h_t = tanh(s Q h_{t-1} + x_t)             Elman 1990; Q orthogonal, s the scale
    GRU        h_t = z_t h_{t-1} + (1 - z_t) n_t         Cho et al. 2014, its matrices s Q too
    attention  c = sum_t a_t x_t,  a = softmax(q . x_t)  no state between an input and the loss

The loss is the cross-entropy of a random output layer at the last step T; what is drawn is
|d loss_T / d x_t|, the mean over some random networks. With s < 1 the product of so many matrices
vanishes, with s > 1 it may explode (Bengio et al. 1994; Pascanu et al. 2013, section 2).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from viz_core.traces.gradients import GradientTrace

WIDTH, CLASSES, NETWORKS = 24, 8, 12
LONGEST = 80


def gradient_reach(scale: float, length: int, linear: bool = False) -> GradientTrace:
    """The three curves; linear leaves the tanh of the plain net out."""
    if not 2 <= length <= LONGEST:
        raise ValueError(f"Take 2 to {LONGEST} steps: {length} cannot be shown.")
    rng = torch.Generator().manual_seed(1)  # its own: visitors draw at the same time
    found = torch.zeros(3, length)
    for _ in range(NETWORKS):
        x = torch.randn(length, WIDTH, generator=rng) * 0.5
        wanted = torch.randint(CLASSES, (1,), generator=rng)
        out = torch.randn(CLASSES, WIDTH, generator=rng) / WIDTH**0.5
        mixes = [_orthogonal(rng) * scale for _ in range(4)]
        for row, read in enumerate((_plain, _gru, _attention)):
            given = x.clone().requires_grad_()
            state = read(given, mixes, linear)
            loss = nn.functional.cross_entropy((out @ state)[None], wanted)
            (slope,) = torch.autograd.grad(loss, given)
            found[row] += slope.norm(dim=-1) / NETWORKS
    return GradientTrace(
        scale=scale, names=("plain RNN", "GRU", "attention"), norms=found.double().numpy()
    )


def _orthogonal(rng: torch.Generator) -> Tensor:
    """A random matrix that keeps lengths: whatever grows or fades is due to the scale."""
    found, _ = torch.linalg.qr(torch.randn(WIDTH, WIDTH, generator=rng))
    return found


def _plain(x: Tensor, mixes: list[Tensor], linear: bool) -> Tensor:
    state = torch.zeros(WIDTH)
    for given in x:
        state = mixes[0] @ state + given
        state = state if linear else state.tanh()
    return state


def _gru(x: Tensor, mixes: list[Tensor], linear: bool) -> Tensor:
    reset, update, new, read = mixes
    state = torch.zeros(WIDTH)
    for given in x:
        z = (update @ state + read @ given + 1.0).sigmoid()  # it begins by remembering
        r = (reset @ state + read @ given).sigmoid()
        state = z * state + (1 - z) * (new @ (r * state) + given).tanh()
    return state


def _attention(x: Tensor, mixes: list[Tensor], linear: bool) -> Tensor:
    weights = (x @ (mixes[0] @ x[-1]) / WIDTH**0.5).softmax(0)
    return weights @ x

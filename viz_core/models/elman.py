"""A small Elman network with biases, one to three layers deep (Elman 1990).

    h_t^l = tanh(W^l [h_{t-1}^l; h_t^{l-1}] + b^l),  h_t^0 = x_t,  p_t = softmax(V h_t^L + c)

[h; x] are joined and multiplied by one matrix, which is the same as W_hh h + W_xh x.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Elman(nn.Module):
    def __init__(self, symbols: int, width: int, depth: int, seed: int) -> None:
        super().__init__()
        self.symbols, self.width = symbols, width
        sizes = [symbols, *[width] * (depth - 1)]
        self.layers = nn.ModuleList(nn.Linear(width + size, width) for size in sizes)
        self.out = nn.Linear(width, symbols)
        draw = torch.Generator().manual_seed(seed)  # its own: visitors train at the same time
        with torch.no_grad():
            for parameter in self.parameters():
                reach = width**-0.5
                parameter.uniform_(-reach, reach, generator=draw)
            for layer, size in zip(self.layers, sizes, strict=True):
                assert isinstance(layer, nn.Linear)
                nn.init.orthogonal_(layer.weight[:, :width], generator=draw)  # begin by keeping
                if size == symbols:  # one sign of many is not zero: let it be heard
                    layer.weight[:, width:] *= 3

    def forward(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """ids (batch, time) to states (batch, layer, time, width), logits (batch, time, symbol)."""
        below = nn.functional.one_hot(ids, self.symbols).float()  # (batch, time, symbol)
        stacked = []
        for layer in self.layers:
            state = below.new_zeros(len(ids), self.width)
            states = []
            for given in below.unbind(1):
                state = layer(torch.cat((state, given), -1)).tanh()
                states.append(state)
            below = torch.stack(states, 1)
            stacked.append(below)
        return torch.stack(stacked, 1), self.out(below)

"""One layer of each kind, timed where the page runs."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch
from torch import Tensor, nn

from viz_core.attention import attend, scaled_dot

BUDGET = 0.06  # seconds for each kind of layer
LONGEST_LAYER, WIDEST_LAYER = 1024, 1024


@torch.inference_mode()
def layer_times(n: int, d: int, k: int) -> dict[str, float]:
    """Milliseconds for n words of d numbers: a recurrence step by step, a convolution over k words
    and self-attention, each in its plainest form; the fastest of several runs."""
    if not (1 <= n <= LONGEST_LAYER and 1 <= d <= WIDEST_LAYER and 1 <= k <= 31):
        raise ValueError(f"Choose up to {LONGEST_LAYER} words of up to {WIDEST_LAYER} numbers.")
    generator = torch.Generator().manual_seed(0)
    words = torch.randn(n, d, generator=generator)
    matrix = torch.randn(d, d, generator=generator) / d**0.5
    kernel = torch.randn(d, d, k, generator=generator) / (k * d) ** 0.5

    def recurrence() -> Tensor:
        state = torch.zeros(d)
        for word in words:
            state = torch.tanh(matrix @ state + word)
        return state

    def convolution() -> Tensor:
        return nn.functional.conv1d(words.T[None], kernel, padding=k // 2)

    def self_attention() -> Tensor:
        return attend(scaled_dot(words[None], words[None]), words[None])[0]

    layers: dict[str, Callable[[], Tensor]] = {
        "recurrence": recurrence,
        "convolution": convolution,
        "self-attention": self_attention,
    }
    return {name: 1000 * _seconds(layer) for name, layer in layers.items()}


def _seconds(layer: Callable[[], Tensor]) -> float:
    layer()  # once before the clock runs
    times: list[float] = []
    while sum(times) < BUDGET and len(times) < 200:
        began = time.perf_counter()
        layer()
        times.append(time.perf_counter() - began)
    return min(times)

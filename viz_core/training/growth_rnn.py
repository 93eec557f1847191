"""RNNsearch that begins with what a smaller recurrent translator has learned.

Every coordinate becomes two copies, each read by half (Net2Net, Chen et al. 2016; growth.py does
the same for the Transformer). The embedding, both readers and the keys of the score are alike in
both models and are taken over. The decoder's one GRU begins as the one that read the French so far;
what it makes of the context is new, and so is most of the readout.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from viz_core.models.rnn import RNN
from viz_core.models.rnn_search import RNNSearch
from viz_core.text import Tokenizer
from viz_core.training.growth import respelt, shake


@torch.no_grad()
def grow(small: RNN, old: Tokenizer, large: RNNSearch, new: Tokenizer) -> None:
    """Fill `large`, twice as wide, with what `small` knows."""
    assert large.config.width == 2 * small.config.width
    assert large.config.embedding == 2 * small.config.embedding
    large.embedding.weight.copy_(twice(respelt(small.embedding.weight, old, new), 1))
    large.bias.copy_(respelt(small.bias.unsqueeze(1), old, new)[:, 0])
    for end in ("l0", "l0_reverse"):
        for side in ("ih", "hh"):
            widen_gates(small.encoder, large.encoder, f"{side}_{end}", f"{side}_{end}")
    for side in ("ih", "hh"):
        widen_gates(small.reader, large.decoder, f"{side}_l0", side)
    score: Any = small.score
    large.score.w_query.copy_(twice(twice(score.w_query, 0) / 2, 1))
    large.score.w_key.copy_(twice(twice(score.w_key, 0) / 2, 1))
    large.score.vector.copy_(twice(score.vector, 0) / 2)
    widen_readout(small.readout, large.readout, large.config.width)
    shake(large)
    large.embedding.weight[large.config.pad].zero_()


def twice(values: Tensor, dim: int) -> Tensor:
    return values.repeat_interleave(2, dim)


def widen_gates(small: nn.Module, large: nn.Module, name: str, other: str) -> None:
    """A GRU's matrix and bias: three gates one above the other; what it did not read stays new."""
    weight, target = getattr(small, f"weight_{name}"), getattr(large, f"weight_{other}")
    known = 2 * weight.shape[1]
    target[:, :known] = twice(twice(weight, 0), 1) / 2
    if known < target.shape[1]:
        target[:, known:] *= 0.5  # the context, new to it, begins softly
    getattr(large, f"bias_{other}").copy_(twice(getattr(small, f"bias_{name}"), 0))


def widen_readout(small: nn.Linear, large: nn.Linear, width: int) -> None:
    """[state; word; context] here, [state; context; word] there; both halves of a maxout alike.

    The embedding, doubled, counts every feature twice.
    """
    _, context, word = small.weight.split(
        (width // 2, width // 2, large.in_features // 2 - width), 1
    )
    told = torch.cat((word, context), 1)  # (embedding, ...)
    large.weight[:, width:] = twice(twice(twice(told, 1) / 2, 0) / 2, 0)
    large.weight[:, :width] *= 0.5
    large.bias.copy_(twice(twice(small.bias, 0) / 2, 0))

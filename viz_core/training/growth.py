"""A larger Transformer that begins where a smaller one stands, with a tokeniser of its own.

Every coordinate of the wider stream is a copy of a coordinate of the narrower one, so that layer
norms see the same numbers (Net2Net, Chen et al. 2016); who reads a coordinate that has two copies
takes half of each. What is new in a head or a feed-forward net adds nothing at first. A new
sub-word begins as the mean of the old ones that spell it. Positions are sines of other wavelengths
in a wider model, so a copy is taken from the coordinate whose wavelength is the nearest.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from viz_core.attention import MultiHead
from viz_core.models.transformer import Transformer
from viz_core.text import Tokenizer

NOISE = 0.02  # of a matrix's own spread: two copies must not stay the same for ever


@torch.no_grad()
def grow(small: Transformer, old: Tokenizer, large: Transformer, new: Tokenizer) -> None:
    """Fill `large` with what `small` knows; the number of layers and heads is the same."""
    place = copied_from(small.config.width, large.config.width)  # (large width,)
    share = 1.0 / torch.bincount(place)[place]  # of a coordinate that has copies
    scale = (large.config.width / small.config.width) ** 0.5  # embeddings are multiplied by it
    large.embedding.weight.copy_(respelt(small.embedding.weight, old, new)[:, place] / scale)
    large.bias.copy_(respelt(small.bias.unsqueeze(1), old, new)[:, 0])
    for block, wider in zip(
        [*small.encoder, *small.decoder], [*large.encoder, *large.decoder], strict=True
    ):
        widen_block(block, wider, place, share)
    widen_norm(small.encoder_norm, large.encoder_norm, place)
    widen_norm(small.decoder_norm, large.decoder_norm, place)
    # The stream is compared with the embedding, copy by copy: each counts for its share.
    large.decoder_norm.weight.mul_(share * scale)
    large.decoder_norm.bias.mul_(share * scale)
    large.encoder_norm.weight.mul_(share)
    large.encoder_norm.bias.mul_(share)
    shake(large)
    large.embedding.weight[large.config.pad].zero_()


def shake(model: nn.Module) -> None:
    """A little noise, so that copies learn apart."""
    for name, weight in model.named_parameters():
        if weight.dim() > 1 and name != "embedding.weight":
            weight.add_(torch.randn_like(weight) * weight.std() * NOISE)


def copied_from(small: int, large: int) -> Tensor:
    """For each coordinate of the wider stream the one it copies: a sine a sine, a cosine a cosine.

    Coordinate 2k waves with the wavelength 10000^(2k / width).
    """
    pairs = torch.arange(large // 2) * small // large  # never past the last one
    return (2 * pairs.repeat_interleave(2) + torch.arange(large) % 2).long()


def respelt(rows: Tensor, old: Tokenizer, new: Tokenizer) -> Tensor:
    """A row for each new sub-word: the mean of the old sub-words that spell it."""
    known = old.engine.get_vocab()
    grown = rows.new_zeros(new.size, rows.shape[1])
    for token, place in new.engine.get_vocab().items():
        ids = [known[token]] if token in known else old.engine.encode(token).ids
        grown[place] = rows[ids].mean(0) if ids else 0.0
    return grown


def widen_block(block: Any, wider: Any, place: Tensor, share: Tensor) -> None:
    widen_norm(block.self_norm, wider.self_norm, place)
    widen_heads(block.self_attention, wider.self_attention, place, share, share)
    if block.cross_norm is not None:
        widen_norm(block.cross_norm, wider.cross_norm, place)
        # Its keys come from the encoder's last norm, which has shared out the copies itself.
        whole = torch.ones_like(share)
        widen_heads(block.cross_attention, wider.cross_attention, place, share, whole)
    widen_norm(block.inner_norm, wider.inner_norm, place)
    widen_inner(block.inner, wider.inner, place, share)


def widen_norm(small: nn.LayerNorm, large: nn.LayerNorm, place: Tensor) -> None:
    large.weight.copy_(small.weight[place])
    large.bias.copy_(small.bias[place])


def widen_inner(small: Any, large: Any, place: Tensor, share: Tensor) -> None:
    """New hidden units listen at random and say nothing yet."""
    first, last = small[0], small[2]
    count = len(first.bias)
    large[0].weight[:count] = first.weight[:, place] * share
    large[0].bias[:count] = first.bias
    large[2].weight.zero_()
    large[2].weight[:, :count] = last.weight[place]
    large[2].bias.copy_(last.bias[place])


def widen_heads(
    small: MultiHead, large: MultiHead, place: Tensor, of_query: Tensor, of_key: Tensor
) -> None:
    """A head gets new coordinates: new queries meet keys of zero, new values are not heard."""
    heads = small.heads
    narrow = len(small.query.bias) // heads
    wide = len(large.query.bias) // heads
    kept = torch.arange(heads * wide).view(heads, wide)[:, :narrow].flatten()
    # Scores are divided by the root of a head's width.
    for name, share, factor in (
        ("query", of_query, (wide / narrow) ** 0.5),
        ("key", of_key, 1.0),
        ("value", of_key, 1.0),
    ):
        source, target = getattr(small, name), getattr(large, name)
        if name == "key":
            target.weight.zero_()
        target.weight[kept] = source.weight[:, place] * share * factor
        target.bias[kept] = source.bias * factor
    large.out.weight.zero_()
    large.out.weight[:, kept] = small.out.weight[place]
    large.out.bias.copy_(small.out.bias[place])

"""The heads of a Transformer, by (part, layer, head): how many there are, and who is silent."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from viz_core.checkpoints import Bundle
from viz_core.models.transformer import Keep, Transformer

Head = tuple[str, int, int]  # part, layer, head, counted from 0


PARTS = ("encoder", "decoder", "cross")


def as_transformer(bundle: Bundle) -> Transformer:
    if not isinstance(bundle.model, Transformer):
        raise ValueError(f"{bundle.card.name} has no layers of heads: choose the transformer.")
    return bundle.model


def head_counts(bundle: Bundle) -> list[tuple[str, int, int]]:
    """(part, layers, heads) of each of the three attentions."""
    config = as_transformer(bundle).config
    layers = (config.encoder_layers, config.decoder_layers, config.decoder_layers)
    return [(part, count, config.heads) for part, count in zip(PARTS, layers, strict=True)]


def silence(bundle: Bundle, heads: Sequence[Head]) -> Keep:
    """Everyone speaks but these (part, layer, head)."""
    counts = head_counts(bundle)
    keep = Keep(*(torch.ones(layers, count) for _, layers, count in counts))
    for part, layer, head in heads:
        table = keep[PARTS.index(part)]
        if not (0 <= layer < len(table) and 0 <= head < table.shape[1]):
            raise ValueError(f"There is no head {head + 1} in layer {layer + 1} of the {part}.")
        table[layer, head] = 0
    return keep

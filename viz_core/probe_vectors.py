"""Vectors out of a trained model: what a head's weights are made of, and learned positions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from viz_core.attention import dot
from viz_core.checkpoints import Bundle
from viz_core.models.bert import Bert
from viz_core.models.transformer import Transformer
from viz_core.text import Encoded
from viz_core.traces import Vectors
from viz_core.worked import VectorTrace


@torch.inference_mode()
def head_vectors(bundle: Bundle, source: Encoded, layer: int, head: int) -> VectorTrace:
    """One encoder head of the Transformer; the inputs are what its layer norm hands over."""
    model = bundle.model
    if not isinstance(model, Transformer):
        raise ValueError(f"{bundle.card.name} has no heads to open: choose the transformer.")
    if not (0 <= layer < model.config.encoder_layers and 0 <= head < model.config.heads):
        raise ValueError(f"There is no head {head + 1} in layer {layer + 1} of the encoder.")
    ids = torch.tensor([source.ids])
    blocks = model.encode(ids).encoder
    block: Any = model.encoder[layer]
    inputs = block.self_norm(blocks[layer - 1].states if layer else model.embed(ids))
    attention = block.self_attention
    query = attention.split(attention.query(inputs))  # (batch, head, token, n)
    keys, values = attention.project(inputs)
    return VectorTrace(
        tokens=source.tokens,
        inputs=inputs[0].numpy(),
        queries=query[0, head].numpy(),
        keys=keys[0, head].numpy(),
        values=values[0, head].numpy(),
        scores=dot(query, keys)[0, head].numpy(),
        allowed=np.ones((len(source.tokens),) * 2, dtype=bool),
        weights=blocks[layer].weights[0, head].numpy(),
        divisor=math.sqrt(query.shape[-1]),
    )


def learned_positions(bundle: Bundle) -> Vectors:
    """(position, dimension): what a BERT adds to a word for its place, learned and not given."""
    if not isinstance(bundle.model, Bert):
        raise ValueError(f"{bundle.card.name} has no learned positions: choose bert-mini.")
    found: Vectors = bundle.model.position.weight.numpy()
    return found

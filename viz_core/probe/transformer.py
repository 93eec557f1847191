"""The Transformer's heads and its residual stream: what to silence, and what a token carries."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch.nn.functional import conv1d

from viz_core import decoding
from viz_core.attention import attend, dot, scaled_dot
from viz_core.checkpoints import Bundle
from viz_core.models.transformer import Transformer
from viz_core.probe.heads import as_transformer
from viz_core.probe.translation import as_trace
from viz_core.probe.translator import Translating, read, room
from viz_core.text import START, Encoded
from viz_core.traces import AttentionTrace
from viz_core.traces.by_hand import VectorTrace
from viz_core.traces.split import SplitTrace
from viz_core.traces.transformer import PositionWise, StreamTrace

NEAREST = 5


@torch.inference_mode()
def stream(bundle: Bundle, text: str, decoder: bool = False) -> StreamTrace:
    """The residual stream: after the embedding, and after every part of every block.

    The encoder's over the sentence, or the decoder's over what it reads of its own translation.
    Nearest words are read through the tied embedding, as if the stream stopped there
    (nostalgebraist 2020, the logit lens).
    """
    model, source = as_transformer(bundle), read(bundle, text)
    memory = model.encode(torch.tensor([source.ids]))
    blocks, tokens, norm = memory.encoder, source, model.encoder_norm
    if decoder:
        written = decoding.greedy(Translating(bundle, torch.tensor([source.ids])), 1, room(source))
        tokens = bundle.tokenizer.show([START, *written[0].ids[:-1]])
        blocks = model.decode(memory, (), torch.tensor([tokens.ids])).blocks
        norm = model.decoder_norm
    names, states = ["embedding + position"], [model.embed(torch.tensor([tokens.ids]))[0]]
    for number, block in enumerate(blocks, start=1):
        names.append(f"layer {number}: after {'masked ' * decoder}attention")
        states.append(block.stream[0][0])
        if decoder:
            names.append(f"layer {number}: after cross-attention")
            states.append(block.stream[1][0])
        names.append(f"layer {number}: after feed-forward")
        states.append(block.states[0])
    stack = torch.stack(states)  # (stage, token, width)
    logits = model.logits(norm(stack))  # (stage, token, vocabulary)
    values, best = logits.softmax(-1).topk(NEAREST, dim=-1)
    nearest = tuple(
        tuple(tuple(map(bundle.tokenizer.label, row)) for row in stage) for stage in best.tolist()
    )
    before = torch.cat((torch.zeros_like(stack[:1]), stack[:-1]))
    return StreamTrace(
        stages=tuple(names),
        tokens=tokens.tokens,
        norms=stack.norm(dim=-1).numpy(),
        added=(stack - before).norm(dim=-1).numpy(),
        nearest=nearest,
        probabilities=values.numpy().astype(np.float32),
    )


@torch.inference_mode()
def position_wise(bundle: Bundle, text: str) -> PositionWise:
    """The feed-forward net of the last encoder block on this sentence: the words reversed, and as
    two convolutions of width 1 (Vaswani et al. 2017, section 3.3)."""
    model, source = as_transformer(bundle), read(bundle, text)
    memory = model.encode(torch.tensor([source.ids]))
    block: Any = model.encoder[-1]
    given = block.inner_norm(memory.encoder[-1].stream[1][0])  # (token, width)
    made = block.inner(given)
    rise, _, fall = block.inner
    lines = given.T.unsqueeze(0)  # (1, width, token)
    inner = conv1d(lines, rise.weight.unsqueeze(-1), rise.bias).relu()
    twice = conv1d(inner, fall.weight.unsqueeze(-1), fall.bias)[0].T
    return PositionWise(
        words=len(source.tokens),
        width=given.shape[1],
        inner=inner.shape[1],
        largest=float(made.abs().max()),
        reversed=float((block.inner(given.flip(0)).flip(0) - made).abs().max()),
        convolved=float((twice - made).abs().max()),
    )


@torch.inference_mode()
def encoded(bundle: Bundle, text: str) -> AttentionTrace:
    """The encoder's self-attention alone: what it makes of a sentence before any translation."""
    source = read(bundle, text)
    memory = as_transformer(bundle).encode(torch.tensor([source.ids]))
    weights = torch.stack([block.weights[0] for block in memory.encoder])
    return as_trace("self", source, source, weights)


def vectors(bundle: Bundle, text: str, layer: int = 0, head: int = 0) -> VectorTrace:
    """One encoder head with its queries, keys and values: what the weights are made of."""
    return head_vectors(bundle, read(bundle, text), layer, head)


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


@torch.inference_mode()
def split_heads(bundle: Bundle, text: str, layer: int = 0) -> SplitTrace:
    """An encoder layer's queries split into heads, attended, joined and times W_O."""
    source = read(bundle, text)
    model = as_transformer(bundle)
    if not 0 <= layer < model.config.encoder_layers:
        raise ValueError(f"There is no layer {layer + 1} in the encoder.")
    ids = torch.tensor([source.ids])
    blocks = model.encode(ids).encoder
    block: Any = model.encoder[layer]
    inputs = block.self_norm(blocks[layer - 1].states if layer else model.embed(ids))
    attention = block.self_attention
    queries = attention.query(inputs)  # (batch, token, width)
    heads = attention.split(queries)  # (batch, head, token, n/h)
    keys, values = attention.project(inputs)
    contexts, weights = attend(scaled_dot(heads, keys), values)
    joined = contexts.transpose(1, 2).flatten(-2)  # (batch, token, width)
    rows, columns = queries.stride()[1:]
    first, second, third = heads.stride()[1:]
    return SplitTrace(
        tokens=source.tokens,
        queries=queries[0].numpy(),
        heads=heads[0].numpy(),
        weights=weights[0].numpy(),
        contexts=contexts[0].numpy(),
        joined=joined[0].numpy(),
        outputs=attention.out(joined)[0].numpy(),
        strides=(rows, columns),
        split_strides=(first, second, third),
        shares_memory=queries.data_ptr() == heads.data_ptr(),
    )

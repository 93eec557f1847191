"""The attention of any model, as its library hands it over, as a record for every view.

Hugging Face returns a tuple with one array a layer, (1, head, query, key): a model called with
output_attentions=True, in a transformers that computes them (attn_implementation="eager").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from viz_core.traces.attention import AttentionTrace, Kind, Weights

ASKED = (
    "Load the model with attn_implementation='eager', call it with output_attentions=True and take "
    "outputs.attentions: one array a layer, (1, head, query, key)."
)
OPENING, CONTINUING = ("Ġ", "▁"), "##"


def attention_trace(
    attention: Sequence[Any],
    tokens: Sequence[str],
    keys: Sequence[str] | None = None,
    *,
    kind: Kind = "self",
    sentence_b_start: int | None = None,
    prettify_tokens: bool = True,
) -> AttentionTrace:
    """A record from a tuple of attentions and their tokens; keys, where others are looked at.

    sentence_b_start is the first token of a second sentence. Marks of sub-words (Ġ, ▁, </w>) are
    taken off unless told otherwise; `.words()` of the record merges them.
    """
    weights = _stacked(attention)
    looked = tokens if keys is None else keys
    shown = [_pretty(side) if prettify_tokens else tuple(side) for side in (tokens, looked)]
    segments: tuple[int, ...] = ()
    if sentence_b_start is not None:
        segments = tuple(int(place >= sentence_b_start) for place in range(len(tokens)))
    return AttentionTrace(
        kind=kind,
        queries=shown[0],
        keys=shown[1],
        weights=weights,
        query_words=_words(tokens),
        key_words=_words(looked),
        segments=segments,
    )


def encoder_decoder_traces(
    *,
    encoder_attention: Sequence[Any] | None = None,
    decoder_attention: Sequence[Any] | None = None,
    cross_attention: Sequence[Any] | None = None,
    encoder_tokens: Sequence[str] = (),
    decoder_tokens: Sequence[str] = (),
    prettify_tokens: bool = True,
) -> dict[str, AttentionTrace]:
    """The same of a model that translates: "encoder", "decoder" and "cross", those that are there.

    outputs.encoder_attentions, outputs.decoder_attentions and outputs.cross_attentions.
    """
    given: list[tuple[str, Kind, Sequence[Any] | None, Sequence[str], Sequence[str]]] = [
        ("encoder", "self", encoder_attention, encoder_tokens, encoder_tokens),
        ("decoder", "masked", decoder_attention, decoder_tokens, decoder_tokens),
        ("cross", "cross", cross_attention, decoder_tokens, encoder_tokens),
    ]
    return {
        name: attention_trace(attention, queries, keys, kind=kind, prettify_tokens=prettify_tokens)
        for name, kind, attention, queries, keys in given
        if attention is not None
    }


def _stacked(attention: Sequence[Any]) -> Weights:
    """(layer, head, query, key) of plain arrays or tensors of any precision."""
    if attention is None or not len(attention) or any(layer is None for layer in attention):
        raise ValueError(f"There is no attention. {ASKED}")
    if any(isinstance(layer, (tuple, list)) and not np.isscalar(layer[0]) for layer in attention):
        raise ValueError(
            "These are attentions step by step, as generate() returns them. Call the model once on "
            "the whole text instead."
        )
    layers = [_array(layer) for layer in attention]
    for layer in layers:
        if layer.ndim != 4 or layer.shape[0] != 1:
            raise ValueError(f"The attention of a layer has the shape {layer.shape}. {ASKED}")
    shapes = {layer.shape for layer in layers}
    if len(shapes) > 1:
        raise ValueError(f"The layers have different shapes: {sorted(shapes)}. Show them apart.")
    return np.concatenate(layers)


def _array(layer: Any) -> Weights:
    if hasattr(layer, "detach"):  # a tensor; numpy knows no bfloat16
        layer = layer.detach().float().cpu()
    return np.asarray(layer, dtype=np.float32)


def _pretty(tokens: Sequence[str]) -> tuple[str, ...]:
    bare = (token.replace("</w>", "").lstrip("".join(OPENING)) for token in tokens)
    return tuple(plain or token for plain, token in zip(bare, tokens, strict=True))


def _words(tokens: Sequence[str]) -> tuple[int, ...]:
    """The number of the word that each token belongs to, by the marks of its tokeniser."""
    if any(token.startswith(OPENING) for token in tokens):
        opens = [
            token.startswith(OPENING) or not token.isalnum() or not before.strip("Ġ▁").isalnum()
            for before, token in zip(["", *tokens], tokens, strict=False)
        ]
    elif any(token.endswith("</w>") for token in tokens):
        opens = [before.endswith("</w>") for before in ["</w>", *tokens][: len(tokens)]]
    else:
        opens = [not token.startswith(CONTINUING) for token in tokens]
    numbers = np.cumsum(opens)
    return tuple(int(number) - int(numbers[0]) for number in numbers)

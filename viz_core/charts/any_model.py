"""The head view with the arguments of BertViz: whoever calls that one changes the import alone.

from bertviz import head_view                   # before
from viz_core.charts.any_model import head_view    # after
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from viz_core.charts import heads as head_lines
from viz_core.charts.kit import style
from viz_core.charts.kit.room import PAGE, Room
from viz_core.traces import AttentionTrace
from viz_core.traces.outside import attention_trace, encoder_decoder_traces


def head_view(
    attention: Sequence[Any] | None = None,
    tokens: Sequence[str] | None = None,
    sentence_b_start: int | None = None,
    prettify_tokens: bool = True,
    layer: int | None = None,
    heads: Sequence[int] | None = None,
    encoder_attention: Sequence[Any] | None = None,
    decoder_attention: Sequence[Any] | None = None,
    cross_attention: Sequence[Any] | None = None,
    encoder_tokens: Sequence[str] | None = None,
    decoder_tokens: Sequence[str] | None = None,
    *,
    show: str = "",
    room: Room = PAGE,
) -> style.AnyChart:
    """Lines between words, of any model. One layer a chart: layer 0 unless told; lit are `heads`.

    Of an encoder and decoder, `show` says which attention is drawn, "encoder", "decoder" or
    "cross"; unless told, the last of these that was given.
    """
    if attention is not None:
        if tokens is None:
            raise ValueError("'tokens' is required: one for each position of the attention.")
        trace = attention_trace(
            attention,
            tokens,
            sentence_b_start=sentence_b_start,
            prettify_tokens=prettify_tokens,
        )
    else:
        given = encoder_decoder_traces(
            encoder_attention=encoder_attention,
            decoder_attention=decoder_attention,
            cross_attention=cross_attention,
            encoder_tokens=encoder_tokens or (),
            decoder_tokens=decoder_tokens or (),
            prettify_tokens=prettify_tokens,
        )
        if not given:
            raise ValueError("Give 'attention' and 'tokens', or those of an encoder and decoder.")
        if show and show not in given:
            raise ValueError(f"There is no {show!r} attention here: only {', '.join(given)}.")
        trace = given[show or list(given)[-1]]
    return lines(trace, layer or 0, heads, room)


def lines(
    trace: AttentionTrace, layer: int, heads: Sequence[int] | None, room: Room
) -> style.AnyChart:
    """All heads of a layer, those named alight."""
    if not -trace.layers <= layer < trace.layers:
        raise ValueError(f"There is no layer {layer}: the attention has {trace.layers}, from 0.")
    gone = [head for head in heads or () if not 0 <= head < trace.heads]
    if gone:
        raise ValueError(f"There is no head {gone[0]}: each layer has {trace.heads}, from 0.")
    every = list(range(trace.heads))
    chart: style.AnyChart = head_lines.head_view(
        trace, layer % trace.layers, every, lit=every if heads is None else list(heads), room=room
    )
    return chart

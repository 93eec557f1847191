"""Decoders alone, as a machine: what each says, and what is inside a block."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

import torch
from torch import Tensor
from torch.nn.functional import silu

from viz_core.checkpoints import Bundle
from viz_core.models.gpt import GPT, GPTBlock, Past, turned
from viz_core.probe import gpt, machine_parts as parts
from viz_core.probe.machine_parts import EMBEDDING, OUTPUT, SHOWN
from viz_core.text import END
from viz_core.traces.machine import MachineTrace, Row, Stack

WRITTEN = 10  # tokens that it writes on


def writing(bundle: Bundle, text: str, forced: bool) -> tuple[MachineTrace, Tensor]:
    """Radford et al. 2018: decoders only. It writes on; in training it guesses the text itself.

    Also what it has read, (1, token).
    """
    model, tokenizer = gpt.gpt(bundle)
    beginning = gpt.read(bundle, text, WRITTEN)
    whole = list(beginning.ids)
    if forced and len(whole) < 2:
        raise ValueError("There is nothing to guess yet: type a sentence.")
    written = [] if forced else _written_on(model, whole)
    ids = torch.tensor([(whole + written)[:-1]])  # the last word is said and not read
    seen = model(ids)
    chances = gpt.chances(model.logits(seen.states[0]), 1.0)
    right = (whole + written)[1:]
    said, likely, wanted = parts.said(tokenizer, chances.log(), right, forced)
    formula = "x + masked attention(x), then + feed-forward"
    boxes = [parts.box(EMBEDDING, "embedding", seen.stream[0, 0], "E[word]")]
    for number, states in enumerate(seen.stream[0, 1:], start=1):
        boxes.append(parts.box(f"Decoder {number}", "decoder", states, formula))
    tokens = tokenizer.show(ids[0].tolist()).tokens
    trace = MachineTrace(
        model=bundle.card.name,
        reader=None,
        writer=Stack(tokens=tokens, boxes=(*boxes, parts.output(chances.log()))),
        said=said,
        chances=likely,
        wanted=wanted,
        given=len(tokens) if forced else len(whole),
        together=forced,
    )
    return trace, ids


def _written_on(model: GPT, given: Sequence[int]) -> list[int]:
    """The likeliest words, one after the other."""
    written: list[int] = []
    unread, past = torch.tensor([list(given)]), cast(Past, ())
    while len(written) < WRITTEN and END not in written:
        found = model(unread, past)
        written.append(int(gpt.chances(model.logits(found.states[0, -1]), 0.0).argmax()))
        unread, past = torch.tensor([written[-1:]]), found.past
    return written


def opened(model: GPT, ids: Tensor) -> dict[str, tuple[Row, ...]]:
    states = model.embedding(ids)
    found = {EMBEDDING: parts.looked_up(states[0])}
    for number, block in enumerate(model.blocks, start=1):
        assert isinstance(block, GPTBlock)
        found[f"Decoder {number}"], states = gated_block(block, states)
    normed = model.norm(states)[0]
    log_probs = gpt.chances(model.logits(normed), 1.0).log()
    found[OUTPUT] = parts.chosen(states[0], normed, log_probs, SHOWN)
    return found


def gated_block(block: GPTBlock, states: Tensor) -> tuple[tuple[Row, ...], Tensor]:
    """A block of the GPT: the norm first and a root mean square, places by turning, a gate."""
    normed = block.norm(states)
    turn = partial(turned, start=0)
    columns, out = parts.heads_of(block.attention, normed, normed, True, turn)
    rms = "x / root mean square"
    first = parts.added("masked self-attention", states, normed, columns, out, rms)
    states = states + out
    normed = block.inner_norm(states)
    inner = silu(block.gate(normed)) * block.rise(normed)
    columns = parts.feed_forward(inner, out := block.fall(inner), "SiLU(x W_g) · x W₁")
    return (first, parts.added("feed-forward", states, normed, columns, out, rms)), states + out

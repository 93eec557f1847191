"""A plain GRU, run for a view: its verdict after each word of a review."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from viz_core.checkpoints import Bundle
from viz_core.models.gru_last import GRULast
from viz_core.probe.han import keeping, split
from viz_core.traces.document import RunningTrace


@torch.inference_mode()
def last_state(bundle: Bundle, text: str, without: Sequence[int] = ()) -> RunningTrace:
    """P(positive) from the state after each word; the last one is the verdict."""
    model = bundle.model
    if not isinstance(model, GRULast):
        raise ValueError(f"{bundle.card.name} is no plain reader of reviews: choose gru-last.")
    read = split(bundle, text)
    kept = keeping(read, without)
    words = tuple(word for place in kept for word in read[place])
    logits = model(torch.tensor([bundle.tokenizer.numbers(words)])).logits[0]
    return RunningTrace(
        words=words,
        sentence=tuple(place for place in kept for _ in read[place]),
        positive=logits.softmax(-1)[:, model.config.labels.index("positive")].numpy(),
    )

"""The LSTMN, run for a view: what each word looked back at."""

from __future__ import annotations

import numpy as np
import torch

from viz_core.checkpoints import Bundle
from viz_core.models.lstmn import LSTMN
from viz_core.probe.language import text_ids
from viz_core.text import CONTINUED, Encoded
from viz_core.text.wordpiece import WordPiece
from viz_core.traces import AttentionTrace
from viz_core.traces.states import TapeTrace

LONGEST_READ = 200  # tokens of a text that is looked at word by word


def read(bundle: Bundle, text: str) -> AttentionTrace:
    """What each token looked back at: row t over the tokens before it, the first row empty."""
    return tape(bundle, text).attention


@torch.inference_mode()
def tape(bundle: Bundle, text: str) -> TapeTrace:
    """The same with the scores, the states on the tape, and how surprising each token was."""
    model, tokenizer = bundle.model, bundle.tokenizer
    if not isinstance(model, LSTMN) or not isinstance(tokenizer, WordPiece):
        raise ValueError(f"{bundle.card.name} keeps no tape of its states: choose lstmn.")
    ids = text_ids(bundle, text)
    if len(ids) > LONGEST_READ:
        raise ValueError(
            f"This text has {len(ids):,} tokens; {LONGEST_READ} can be looked at. Shorten it to "
            "one or two sentences."
        )
    encoded = tokenizer.encode(text)
    found = model(torch.tensor([ids]))
    count = len(ids)
    scores = np.full((count, count), -np.inf, dtype=np.float32)
    weights = np.zeros((count, count), dtype=np.float32)
    for t, row in enumerate(found.scores):
        last = slice(t - row.shape[1], t)  # the tape holds the last states only
        scores[t, last], weights[t, last] = row[0].numpy(), row[0].softmax(-1).numpy()
    tokens, words = as_typed(encoded, text)[1:-1], encoded.words[1:-1]
    return TapeTrace(
        attention=AttentionTrace(
            kind="masked",
            queries=tokens,
            keys=tokens,
            weights=weights[None, None],
            query_words=words,
            key_words=words,
        ),
        scores=scores,
        states=found.states[0, 1:].numpy(),
        nats=model.nats(torch.tensor([ids]))[0].numpy(),
    )


def as_typed(encoded: Encoded, text: str) -> tuple[str, ...]:
    """The tokens with the capitals and accents that they were typed with."""
    return tuple(
        (CONTINUED if token.startswith(CONTINUED) else "") + text[start:end] if end else token
        for token, (start, end) in zip(encoded.tokens, encoded.offsets, strict=True)
    )

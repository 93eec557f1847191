"""What the encoder of a recurrent translator keeps: each word blanked out, and read again."""

from __future__ import annotations

import numpy as np
import torch

from viz_core import probe
from viz_core.checkpoints import Bundle
from viz_core.models.rnn import RNN
from viz_core.rnn_traces import MemoryTrace
from viz_core.text import merge_words


@torch.inference_mode()
def memory(bundle: Bundle, text: str) -> MemoryTrace:
    """How much of every word is left in every state of both readers."""
    model, source = bundle.model, probe.read(bundle, text)
    if not isinstance(model, RNN):
        raise ValueError(f"{bundle.card.name} has no recurrent states: choose an RNN.")
    # words are numbered from 0 without gaps, </s> among them
    numbers = np.unique(np.array(source.words), return_inverse=True)[1]
    count = int(numbers.max()) + 1
    embedded = model.embedding(torch.tensor(source.ids)).repeat(count + 1, 1, 1)
    for word in range(count):  # row 0 reads everything, row j + 1 a blank in the place of word j
        embedded[word + 1, torch.from_numpy(numbers == word)] = 0.0
    states, _ = model.encoder(embedded)  # (reading, token, 2 * half)
    forward, backward = (states[1:] - states[:1]).chunk(2, dim=-1)
    first = np.searchsorted(numbers, np.arange(count))
    last = np.searchsorted(numbers, np.arange(count), side="right") - 1
    return MemoryTrace(
        words=merge_words(source.tokens, source.words),
        forward=forward.norm(dim=-1)[:, last].T.numpy(),  # (state, word)
        backward=backward.norm(dim=-1)[:, first].T.numpy(),
    )

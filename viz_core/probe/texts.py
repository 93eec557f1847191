"""Short texts as vectors: keys of a search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from viz_core.checkpoints import Bundle
from viz_core.probe.bert import bert, read, run
from viz_core.traces import Vectors

MOST_TEXTS = 16


@torch.inference_mode()
def text_vectors(bundle: Bundle, texts: Sequence[str]) -> Vectors:
    """(text, width): the mean of a text's states under the last layer, without [CLS] and [SEP]."""
    model, _ = bert(bundle)
    if not 1 <= len(texts) <= MOST_TEXTS:
        raise ValueError(f"Give 1 to {MOST_TEXTS} texts.")
    states = [run(model, read(bundle, text)).inputs[-1][0, 1:-1] for text in texts]
    return np.stack([each.mean(0).numpy() for each in states])

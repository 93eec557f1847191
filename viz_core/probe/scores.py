"""The score functions of attention.py on numbers that somebody typed."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from viz_core import attention
from viz_core.by_hand.numbers import Numbers
from viz_core.traces.rnn import ScoresTrace


def by_hand(
    query: Numbers,
    keys: Numbers,
    w_general: Numbers,
    w_query: Numbers,
    w_key: Numbers,
    vector: Numbers,
    w_location: Numbers,
) -> ScoresTrace:
    """One query, a few keys, six scores. What does not fit together is named with both sizes."""
    width, count = keys.shape[1], len(keys)
    asked, joined = query.ravel(), vector.ravel()
    _fits("The query", (asked.size,), (width,), "one number for each of a key's")
    _fits("W of general", w_general.shape, (width, width), "query by key")
    _fits("W of additive", w_query.shape, (width, joined.size), "query by v")
    _fits("U of additive", w_key.shape, (width, joined.size), "key by v")
    _fits("W of location", w_location.shape, (width, count), "query by number of keys")
    s, h = _tensor(asked[None]), _tensor(keys)
    scores = torch.cat(
        (
            attention.content(s, h),
            attention.additive(s, h, _tensor(w_query), _tensor(w_key), _tensor(joined)),
            attention.location(s, _tensor(w_location), count),
            attention.general(s, h, _tensor(w_general)),
            attention.dot(s, h),
            attention.scaled_dot(s, h),
        )
    )  # (function, key), as in SCORES
    _, weights = attention.attend(scores, h)
    return ScoresTrace(
        query=asked,
        keys=keys,
        w_general=w_general,
        w_query=w_query,
        w_key=w_key,
        vector=joined,
        w_location=w_location,
        scores=scores.numpy(),
        weights=weights.numpy(),
    )


def _tensor(values: Numbers) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(values, dtype=np.float64))


def _fits(name: str, found: tuple[int, ...], wanted: tuple[int, ...], why: str) -> None:
    if found != wanted:
        sizes = [" x ".join(map(str, size)) for size in (found, wanted)]
        raise ValueError(f"{name} has {sizes[0]} numbers, and {sizes[1]} are needed: {why}.")

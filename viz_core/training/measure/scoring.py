"""Running a translator over many sentences: translations and probabilities, in batches."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import torch
from torch import Tensor

from viz_core import decoding, probe
from viz_core.checkpoints import Bundle
from viz_core.models.transformer import Keep
from viz_core.text import PAD
from viz_core.training import data
from viz_core.training.data import Batch, Example

BATCH = 64
TOKENS = 2000


@torch.inference_mode()
def translations(bundle: Bundle, sources: Sequence[str]) -> list[str]:
    """Greedy, in batches of like length."""
    encoded = bundle.tokenizer.encode_batch([bundle.tokenizer.as_read(text) for text in sources])
    order = sorted(range(len(sources)), key=lambda i: len(encoded[i]))
    out = [""] * len(sources)
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        longest = max(len(encoded[i]) for i in rows)
        table = torch.full((len(rows), longest), PAD)
        for row, i in enumerate(rows):
            table[row, : len(encoded[i])] = torch.tensor(encoded[i])
        written = decoding.greedy(probe.Translating(bundle, table), len(rows), 2 * longest + 8)
        for i, one in zip(rows, written, strict=True):
            out[i] = bundle.tokenizer.decode(one.ids)
    return out


def token_losses(bundle: Bundle, batch: Batch, keep: Keep | None = None) -> Tensor:
    """Negative log-probability of every wanted token, (batch, query), 0 at padding."""
    model = bundle.model
    if keep is None:
        features = model(batch.source, batch.target)[0]
    else:
        memory, state = model.start(batch.source, keep)
        features = model.decode(memory, state, batch.target, keep).features
    logits = model.logits(features)  # (batch, query, vocabulary)
    return torch.nn.functional.cross_entropy(
        logits.mT, batch.wanted, reduction="none", ignore_index=PAD
    )


def batches(examples: list[Example]) -> list[Batch]:
    return [data.collate(rows) for rows in data.bucketed(examples, TOKENS, random.Random(0))]


@torch.inference_mode()
def mean_loss(bundle: Bundle, examples: list[Example], keep: Keep | None = None) -> float:
    """Nats a token."""
    total = count = 0.0
    for batch in batches(examples):
        total += float(token_losses(bundle, batch, keep).sum())
        count += batch.count
    return total / max(count, 1)


def perplexity(bundle: Bundle, pairs: Sequence[data.Pair]) -> float:
    """exp of the mean negative log-probability of a token."""
    return math.exp(mean_loss(bundle, data.encode(bundle.tokenizer, pairs)))


@torch.inference_mode()
def log_probs(bundle: Bundle, pairs: Sequence[data.Pair]) -> list[float]:
    """Total log-probability of each French side, as probe.log_prob gives it one by one."""
    examples = data.encode(bundle.tokenizer, pairs, longest=10_000)
    order = sorted(range(len(examples)), key=lambda i: len(examples[i].target))
    totals = [0.0] * len(examples)
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        losses = token_losses(bundle, data.collate([examples[i] for i in rows]))
        for i, total in zip(rows, losses.sum(1).tolist(), strict=True):
            totals[i] = -total
    return totals

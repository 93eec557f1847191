"""(bundle, text) -> trace for BERT: attention, embeddings, masks and sentence pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from viz_core.bert_traces import EmbeddingTrace, MaskingSample, QueryKey
from viz_core.checkpoints import Bundle
from viz_core.masking import FATES, Masking
from viz_core.models.bert import Bert, Seen, Task
from viz_core.text import Encoded
from viz_core.traces import AttentionTrace
from viz_core.wordpiece import MASK, WordPiece

WHO: dict[Task, str] = {
    "pretraining": "bert-mini",
    "classify": "bert-sentiment",
    "tag": "bert-entities",
    "answer": "bert-answers",
}


def bert(bundle: Bundle, task: Task | None = None) -> tuple[Bert, WordPiece]:
    """Model and tokeniser, if this is a BERT with the head that is needed."""
    model, tokenizer = bundle.model, bundle.tokenizer
    if not isinstance(model, Bert) or not isinstance(tokenizer, WordPiece):
        raise ValueError(f"{bundle.card.name} is not a BERT: choose {WHO[task or 'pretraining']}.")
    if task and model.config.task != task:
        raise ValueError(f"{bundle.card.name} was not trained for this: choose {WHO[task]}.")
    return model, tokenizer


def read(bundle: Bundle, text: str, pair: str | None = None) -> Encoded:
    """The text as the model reads it; a sentence that a person can act on if it cannot."""
    model, tokenizer = bert(bundle)
    encoded = tokenizer.encode(text, pair)
    for side, what in enumerate(["sentence"] if pair is None else ["first", "second"]):
        if not any(
            segment == side and end > start
            for segment, (start, end) in zip(encoded.segments, encoded.offsets, strict=True)
        ):
            named = "a sentence" if what == "sentence" else f"the {what} sentence"
            raise ValueError(f"There is nothing to read yet: type {named}.")
    if len(encoded.ids) > model.config.max_length:
        raise ValueError(
            f"This text has {len(encoded.ids)} tokens; the model reads {model.config.max_length} "
            "at most. Shorten it."
        )
    return encoded


def run(model: Bert, encoded: Encoded, keep: Tensor | None = None) -> Seen:
    seen: Seen = model(torch.tensor([encoded.ids]), torch.tensor([encoded.segments]), keep=keep)
    return seen


# ---- what it attends to -----------------------------------------------------------------------


@torch.inference_mode()
def encode(
    bundle: Bundle,
    text: str,
    pair: str | None = None,
    silent: Sequence[tuple[int, int]] = (),
) -> AttentionTrace:
    """Every layer and head on one sentence or two; silent heads are (layer, head)."""
    model, _ = bert(bundle)
    encoded = read(bundle, text, pair)
    return trace(encoded, run(model, encoded, _keep(model, silent)))


def trace(encoded: Encoded, seen: Seen) -> AttentionTrace:
    first = seen.weights[0]
    weights = np.empty((len(seen.weights), *first.shape[1:]), dtype=np.float32)
    for layer, found in enumerate(seen.weights):
        weights[layer] = found[0].numpy()  # (head, query, key)
    return AttentionTrace(
        kind="bert",
        queries=encoded.tokens,
        keys=encoded.tokens,
        weights=weights,
        query_words=encoded.words,
        key_words=encoded.words,
        segments=encoded.segments,
    )


def _keep(model: Bert, silent: Sequence[tuple[int, int]]) -> Tensor | None:
    if not silent:
        return None
    keep = torch.ones(model.config.layers, model.config.heads)
    for layer, head in silent:
        if not (0 <= layer < len(keep) and 0 <= head < keep.shape[1]):
            raise ValueError(f"There is no head {head + 1} in layer {layer + 1}.")
        keep[layer, head] = 0
    return keep


@torch.inference_mode()
def query_key(
    bundle: Bundle, text: str, layer: int, head: int, pair: str | None = None
) -> QueryKey:
    """The queries and keys behind one head's weights."""
    model, _ = bert(bundle)
    _keep(model, [(layer, head)])  # says so if there is no such head
    encoded = read(bundle, text, pair)
    query, key = model.vectors(run(model, encoded), layer)
    return QueryKey(tokens=encoded.tokens, query=query[0, head].numpy(), key=key[0, head].numpy())


@torch.inference_mode()
def embeddings(bundle: Bundle, text: str, pair: str | None = None) -> EmbeddingTrace:
    """Figure 2 of the paper with this input's own numbers."""
    model, _ = bert(bundle)
    encoded = read(bundle, text, pair)
    ids, segments = torch.tensor([encoded.ids]), torch.tensor([encoded.segments])
    token, segment, position = (part[0].numpy() for part in model.parts(ids, segments))
    return EmbeddingTrace(
        tokens=encoded.tokens,
        segments=encoded.segments,
        token=token,
        segment=segment,
        position=position,
        total=model.embed(ids, segments)[0].numpy(),
    )


# ---- pre-training: masks and pairs ------------------------------------------------------------


@torch.inference_mode()
def fill_mask(
    bundle: Bundle, text: str, top: int = 5, pair: str | None = None
) -> list[list[tuple[str, float]]]:
    """For each [MASK] the most probable tokens, with their probabilities."""
    model, tokenizer = bert(bundle, "pretraining")
    encoded = read(bundle, text, pair)
    places = [i for i, token in enumerate(encoded.ids) if token == tokenizer.special[MASK]]
    if not places:
        raise ValueError(f"There is nothing to fill in: write {MASK} where a word is missing.")
    if top < 1:
        raise ValueError(f"The {top} best are none: choose 1 or more.")
    logits = model.mask_logits(run(model, encoded).states[0, places])  # (mask, vocabulary)
    values, tokens = logits.softmax(-1).topk(min(top, tokenizer.size))
    return [
        list(zip(map(tokenizer.label, row), numbers, strict=True))
        for row, numbers in zip(tokens.tolist(), values.tolist(), strict=True)
    ]


@torch.inference_mode()
def next_sentence(bundle: Bundle, first: str, second: str) -> float:
    """The probability that the second sentence follows the first."""
    model, _ = bert(bundle, "pretraining")
    logits = model.task_logits(run(model, read(bundle, first, second)).states)
    return float(logits.softmax(-1)[0, model.config.labels.index("next")])


def masking_sample(bundle: Bundle, text: str, seed: int) -> MaskingSample:
    """The 80/10/10 rule on this text, drawn once."""
    _, tokenizer = bert(bundle)
    encoded = read(bundle, text)
    rng = np.random.default_rng(abs(seed))
    found = Masking(tokenizer)(np.array([encoded.ids]), rng)
    fates = [""] * len(encoded.ids)
    for place, fate in zip(found.places[0], found.fates[0], strict=True):
        fates[place] = FATES[fate]
    after = [
        token if fate in ("", "kept") else tokenizer.label(int(number))
        for token, fate, number in zip(encoded.tokens, fates, found.ids[0], strict=True)
    ]
    return MaskingSample(before=encoded.tokens, after=tuple(after), fates=tuple(fates))

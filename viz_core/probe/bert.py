"""(bundle, text) -> trace for BERT: attention, embeddings, masks and sentence pairs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import torch
from torch import Tensor

from viz_core.checkpoints import Bundle
from viz_core.models.bert import Bert, Seen, Task
from viz_core.text import Encoded, merge_words
from viz_core.text.masking import FATES, Masking
from viz_core.text.wordpiece import CLS, MASK, SEP, WordPiece
from viz_core.traces import AttentionTrace, Prediction, Vectors
from viz_core.traces.bert import EmbeddingTrace, Filled, MaskingSample, QueryKey

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


def unknown_words(bundle: Bundle, text: str) -> tuple[str, ...]:
    """What the tokeniser has no token for."""
    return read(bundle, text).unknown if text.strip() else ()


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
    ids, segments = torch.tensor(encoded.ids), torch.tensor(encoded.segments)
    return _record(encoded, model.weights(ids, segments, _keep(model, silent)))


def trace(encoded: Encoded, seen: Seen) -> AttentionTrace:
    return _record(encoded, torch.cat(seen.weights))


def _record(encoded: Encoded, weights: Tensor) -> AttentionTrace:
    """weights is (layer, head, query, key)."""
    return AttentionTrace(
        kind="self",
        queries=encoded.tokens,
        keys=encoded.tokens,
        weights=weights.numpy(),
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
    _check_top(top)
    logits = model.mask_logits(run(model, encoded).states[0, places])  # (mask, vocabulary)
    values, tokens = logits.softmax(-1).topk(min(top, tokenizer.size))
    return [
        list(zip(map(tokenizer.label, row), numbers, strict=True))
        for row, numbers in zip(tokens.tolist(), values.tolist(), strict=True)
    ]


def _check_top(top: int) -> None:
    if top < 1:
        raise ValueError(f"The {top} best are none: choose 1 or more.")


def words(bundle: Bundle, text: str) -> tuple[str, ...]:
    """The words of a text as they can be hidden, [CLS] in front and [SEP] behind."""
    encoded = read(bundle, text)
    return merge_words(encoded.tokens, encoded.words)


def with_holes(
    encoded: Encoded, mask: int, hidden: Collection[int], left_out: Collection[int] = ()
) -> tuple[Encoded, dict[int, int]]:
    """Each hidden word becomes one [MASK], each left out none; and which word a place hides."""
    kept: list[int] = []
    holes: dict[int, int] = {}
    for i, word in enumerate(encoded.words):
        opens = i == 0 or encoded.words[i - 1] != word
        if word in left_out or (word in hidden and not opens):
            continue
        if word in hidden:
            holes[len(kept)] = word
        kept.append(i)
    changed = Encoded(
        ids=tuple(mask if place in holes else encoded.ids[i] for place, i in enumerate(kept)),
        tokens=tuple(MASK if place in holes else encoded.tokens[i] for place, i in enumerate(kept)),
        words=tuple(encoded.words[i] for i in kept),
        segments=tuple(encoded.segments[i] for i in kept),
    )
    return changed, holes


@torch.inference_mode()
def filled(
    bundle: Bundle,
    text: str,
    hidden: Collection[int] = (),
    left_out: Collection[int] = (),
    top: int = 10,
) -> Filled:
    """Guesses for every [MASK], typed or laid over a word, while other words are left out."""
    model, tokenizer = bert(bundle, "pretraining")
    whole, mask = read(bundle, text), tokenizer.special[MASK]
    names = merge_words(whole.tokens, whole.words)
    ends = {0, len(names) - 1}  # [CLS] and [SEP] always stay
    asked = {word for i, word in zip(whole.ids, whole.words, strict=True) if i == mask}
    left_out = {*left_out} - {*hidden} - ends - asked  # what is asked for cannot be left out
    encoded, holes = with_holes(whole, mask, {*hidden} - ends, left_out)
    places = [i for i, token in enumerate(encoded.ids) if token == mask]
    if not places:
        raise ValueError("There is nothing to fill in: click a word to hide it, or type [MASK].")
    _check_top(top)
    seen = run(model, encoded)
    chances = model.mask_logits(seen.states[0, places]).softmax(-1)  # (mask, vocabulary)
    values, tokens = chances.topk(min(top, tokenizer.size))
    pieces = [
        [i for i, w in zip(whole.ids, whole.words, strict=True) if w == holes.get(place)]
        for place in places
    ]
    return Filled(
        places=tuple(places),
        guesses=tuple(
            Prediction(tokens=tuple(map(tokenizer.label, row)), probabilities=tuple(numbers))
            for row, numbers in zip(tokens.tolist(), values.tolist(), strict=True)
        ),
        ids=tuple(map(tuple, tokens.tolist())),
        wanted=tuple(names[holes[place]] if place in holes else "" for place in places),
        wanted_ids=tuple(found[0] if len(found) == 1 else -1 for found in pieces),
        probabilities=chances.numpy(),
        trace=trace(encoded, seen),
    )


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


def masking_counts(bundle: Bundle, text: str, draws: int, seed: int = 0) -> dict[str, float]:
    """The share of tokens that met each fate in many draws; [CLS] and [SEP] take no part."""
    _, tokenizer = bert(bundle)
    encoded = read(bundle, text)
    rng = np.random.default_rng(abs(seed))
    found = Masking(tokenizer)(np.repeat([encoded.ids], draws, axis=0), rng)
    ends = (tokenizer.special[CLS], tokenizer.special[SEP])
    total = draws * sum(token not in ends for token in encoded.ids)
    return {fate: float((found.fates == i).sum() / total) for i, fate in enumerate(FATES)}


def learned_positions(bundle: Bundle) -> Vectors:
    """(position, dimension): what a BERT adds to a word for its place, learned and not given."""
    if not isinstance(bundle.model, Bert):
        raise ValueError(f"{bundle.card.name} has no learned positions: choose bert-mini.")
    found: Vectors = bundle.model.position.weight.numpy()
    return found

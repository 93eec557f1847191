"""The GPT, run for a view: written on token by token, its attention, and what each layer says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from viz_core import decoding, interruption
from viz_core.checkpoints import Bundle
from viz_core.decoding import Next, State
from viz_core.models.gpt import GPT, Past
from viz_core.probe.search import check_size, record
from viz_core.text import END, PAD, START, UNKNOWN, Encoded, Tokenizer
from viz_core.traces import AttentionTrace, Prediction
from viz_core.traces.search import BeamTrace
from viz_core.traces.transformer import StreamTrace
from viz_core.traces.writing import Generated

LONGEST_WRITING = 120  # tokens written on at once
COLDEST = 1e-4  # below that it is greedy
GUESSES = 10  # kept for each written token
NEAREST = 8  # words that the lens reads in every place
NEVER = [PAD, UNKNOWN, START]  # what is not written


def gpt(bundle: Bundle) -> tuple[GPT, Tokenizer]:
    model, tokenizer = bundle.model, bundle.tokenizer
    if not isinstance(model, GPT):
        raise ValueError(f"{bundle.card.name} does not write on: choose gpt.")
    return model, tokenizer


def read(bundle: Bundle, text: str, room: int = 0) -> Encoded:
    """<s> and the text as the model reads it, with room for what is to be written."""
    model, tokenizer = gpt(bundle)
    encoded = tokenizer.encode(text)
    ids, most = (START, *encoded.ids[:-1]), model.config.context
    known = sum(i not in (UNKNOWN, tokenizer.vocabulary.index("▁")) for i in ids[1:])
    if len(ids) > 1 and not known:
        raise ValueError("The model has never seen these signs: it reads English. Type some words.")
    if len(ids) + room > most:
        raise ValueError(
            f"This text has {len(ids) - 1:,} tokens; the model reads {most}"
            + (f", of which {room} are to be written. " if room else " at most. ")
            + "Shorten it."
        )
    tokens = ("<s>", *encoded.tokens[:-1])
    words = (0, *(word + 1 for word in encoded.words[:-1]))
    return Encoded(ids=ids, tokens=tokens, words=words, unknown=encoded.unknown)


def chances(logits: Tensor, temperature: float, top_k: int = 0) -> Tensor:
    """softmax(logits / T) over the k likeliest; T = 0 is greedy: the likeliest alone."""
    logits = logits.clone()
    logits[..., NEVER] = -math.inf
    if temperature < COLDEST:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).float()
    if top_k:
        least = logits.topk(min(top_k, logits.shape[-1])).values[..., -1:]
        logits = logits.masked_fill(logits < least, -math.inf)
    return (logits / temperature).softmax(-1)


@torch.inference_mode()
def generate(
    bundle: Bundle,
    prompt: str,
    tokens: int = 40,
    temperature: float = 1.0,
    top_k: int = 0,
    seed: int = 0,
) -> Generated:
    """Write on, each word drawn from what the model expects; it reads only what is new.

    Greedy takes the likeliest, and tells how likely the model held it, not that it was certain.
    """
    model, tokenizer = gpt(bundle)
    greedy = temperature < COLDEST
    _check(tokens, temperature, top_k)
    beginning = read(bundle, prompt, tokens)
    generator = torch.Generator().manual_seed(abs(seed))
    written: list[int] = []
    likely: list[float] = []
    guesses: list[Prediction] = []
    unread = torch.tensor([beginning.ids])
    past: Past = ()
    while len(written) < tokens and END not in written:
        interruption.point()
        found = model(unread, past)
        shares = chances(model.logits(found.states[0, -1]), 1.0 if greedy else temperature, top_k)
        drawn = shares.argmax() if greedy else torch.multinomial(shares, 1, generator=generator)
        written.append(int(drawn))
        likely.append(float(shares[written[-1]]))
        guesses.append(prediction(tokenizer, shares))
        unread, past = torch.tensor([written[-1:]]), found.past
    whole = (*beginning.ids, *written)
    shown = _shown(beginning, tokenizer, whole)
    return Generated(
        text=tokenizer.decode(whole),
        tokens=shown.tokens[len(beginning.ids) :],
        attention=_trace(shown, model(torch.tensor([whole])).weights[0]),
        predictions=tuple(guesses),
        probabilities=tuple(likely),
        unknown=beginning.unknown,
    )


def _check(tokens: int, temperature: float, top_k: int) -> None:
    if not 1 <= tokens <= LONGEST_WRITING:
        raise ValueError(f"Let it write 1 to {LONGEST_WRITING} tokens, not {tokens:,}.")
    if not 0 <= temperature <= 100:
        raise ValueError(f"The temperature must lie between 0 and 100, not {temperature}.")
    if top_k < 0:
        raise ValueError(f"The {top_k} likeliest words are none: choose 0 for all, or more.")


def prediction(tokenizer: Tokenizer, shares: Tensor) -> Prediction:
    values, numbers = shares.topk(min(GUESSES, len(shares)))
    return Prediction(
        tokens=tuple(map(tokenizer.label, numbers.tolist())), probabilities=tuple(values.tolist())
    )


def _shown(beginning: Encoded, tokenizer: Tokenizer, ids: Sequence[int]) -> Encoded:
    """All tokens for display; what was typed keeps its own letters."""
    shown = tokenizer.show(ids)
    own = len(beginning.tokens)
    # A sign that it never saw is a token by itself, and part of a word as it was typed.
    later = (word + beginning.words[-1] - shown.words[own - 1] for word in shown.words[own:])
    return Encoded(
        ids=shown.ids,
        tokens=(*beginning.tokens, *shown.tokens[own:]),
        words=(*beginning.words, *later),
    )


def _trace(shown: Encoded, weights: Tensor) -> AttentionTrace:
    """weights is (layer, head, query, key)."""
    return AttentionTrace(
        kind="masked",
        queries=shown.tokens,
        keys=shown.tokens,
        weights=weights.numpy(),
        query_words=shown.words,
        key_words=shown.words,
    )


@torch.inference_mode()
def triangle(
    bundle: Bundle, text: str, pair: str | None = None, silent: Sequence[tuple[int, int]] = ()
) -> AttentionTrace:
    """Every layer and head on a text: each token sees itself and what is before it."""
    model, _ = gpt(bundle)
    if pair is not None or silent:
        raise ValueError("A GPT reads one text, with all of its heads.")
    encoded = read(bundle, text)
    if len(encoded.ids) == 1:
        raise ValueError("There is nothing to read yet: type a sentence.")
    return _trace(encoded, model(torch.tensor([encoded.ids])).weights[0])


@torch.inference_mode()
def lens(bundle: Bundle, text: str) -> StreamTrace:
    """The residual stream read as words after every block (nostalgebraist 2020)."""
    model, tokenizer = gpt(bundle)
    encoded = read(bundle, text)
    stream = model(torch.tensor([encoded.ids])).stream[0]  # (stage, token, width)
    shares = chances(model.lens(stream), 1.0)
    values, numbers = shares.topk(NEAREST)
    added = torch.cat((stream[:1], stream.diff(dim=0)))
    return StreamTrace(
        stages=("embedding", *(f"block {i + 1}" for i in range(model.config.layers))),
        tokens=encoded.tokens,
        norms=stream.norm(dim=-1).numpy(),
        added=added.norm(dim=-1).numpy(),
        nearest=tuple(
            tuple(tuple(map(tokenizer.label, place)) for place in stage)
            for stage in numbers.tolist()
        ),
        probabilities=values.numpy(),
    )


# ---- several continuations ----------------------------------------------------------------------


class Writing:
    """A GPT bound to a beginning, as decoding.Steps: all of it is read but the last token."""

    def __init__(self, model: GPT, ids: Sequence[int]) -> None:
        self.model, self.last = model, ids[-1]
        self.past: Past = model(torch.tensor([ids[:-1]])).past if len(ids) > 1 else ()
        self.begun = False

    def first(self) -> State:
        return self.past

    def step(self, state: State, tokens: Tensor) -> Next:
        if not self.begun:  # a search begins with <s>; here that lies behind
            tokens, self.begun = torch.full_like(tokens, self.last), True
        found = self.model(tokens[:, None], state)
        logits = self.model.logits(found.states[:, -1])
        logits[:, NEVER] = -math.inf
        return Next(logits.log_softmax(-1), None, found.past)


@torch.inference_mode()
def continuations(bundle: Bundle, prompt: str, size: int = 4, tokens: int = 8) -> BeamTrace:
    """The likeliest ways to go on, as the tree of a beam search."""
    model, tokenizer = gpt(bundle)
    _check(tokens, 1.0, 0)
    check_size(size)
    beginning = read(bundle, prompt, tokens)
    search = decoding.Beam(size=min(size, tokenizer.size), limit=tokens)
    found = record(decoding.beam(Writing(model, beginning.ids), search), tokenizer.label)
    root = found.nodes[0]._replace(token=beginning.tokens[-1])  # the tree grows from there
    return replace(found, nodes=(root, *found.nodes[1:]))

"""A machine in motion: the moments of a sentence on its way, and what to see in each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from viz_core.cards import Card
from viz_core.text import CONTINUED, inside_english
from viz_core.text.wordpiece import MASK
from viz_core.traces.attention import Weights
from viz_core.traces.machine import InsideTrace, MachineTrace, Stack

END = "</s>"
WORD = re.compile(r"^[^<\[]*\w")  # not a sign of the tokeniser, and more than punctuation
UNKNOWN = (
    "Nobody told the right translation of this sentence, so the model's own stands in for it and "
    "every word is right. Type another one below to see where it errs."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lit:
    """How much of a stack is there by now: so many boxes from below, so many tokens."""

    boxes: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One press of an arrow key."""

    name: str
    reader: Lit
    writer: Lit
    writes: int | None = None  # the token of the writer that is computed now


def spoken(token: str) -> str:
    """A token inside a sentence: a piece of a word begins with a dot, as in the pictures."""
    piece = "·" + token.removeprefix(CONTINUED) if token.startswith(CONTINUED) else token
    return inside_english(piece)


def machines(cards: Iterable[Card]) -> dict[str, str]:
    """The checkpoint of each family that is drawn, in the order of history.

    Of several the first one counts that is nearest to the paper: Bahdanau's own model before ours.
    What visitors trained themselves stands at the end, by its name.
    """
    every = list(cards)
    wanted = {
        "RNN": [("rnn", "none")],
        "RNN with attention": [("rnn-search", ""), ("rnn", "additive")],
        "Transformer": [("transformer", "")],
        "BERT": [("bert", "pretraining")],
        "GPT": [("gpt", "")],
    }
    kinds: dict[tuple[str, str], str] = {}
    for card in every:
        if card.own:
            continue
        special = card.config.get("attention") or card.config.get("task") or ""
        kinds.setdefault((card.architecture, special), card.name)
    on_board = {
        family: kinds[next(kind for kind in choices if kind in kinds)]
        for family, choices in wanted.items()
        if any(kind in kinds for kind in choices)
    }
    return on_board | {f"{card.name} (yours)": card.name for card in every if card.own}


def unrolled(stack: Stack) -> bool:
    """Whether it reads token by token, each cell waiting for the one before."""
    return any(box.way for box in stack.boxes)


def known(trace: MachineTrace, stack: Stack) -> int:
    """How many tokens a stack will have, before it begins; 0 if only its own words can tell."""
    if stack is trace.reader or trace.wanted:
        return len(stack.tokens)
    return 0 if trace.reader else trace.given


def moments(trace: MachineTrace) -> list[Moment]:
    """First the sentence goes in, then the answer comes out, word by word or all at once."""
    found: list[Moment] = []
    nothing, read = Lit(), Lit()
    if trace.reader:
        read = _all(trace.reader)
        found += [
            Moment(name=name, reader=lit, writer=nothing)
            for name, lit in _into(trace.reader, len(trace.reader.tokens))
        ]
    if trace.writer:
        whole = _all(trace.writer)
        if trace.together or not trace.reader:  # box by box: all tokens that are given
            given = whole.tokens if trace.together else trace.given
            at_once = _into(trace.writer, given)[bool(trace.reader) :]
            found += [Moment(name=name, reader=read, writer=lit) for name, lit in at_once]
        if not trace.together:
            first = 0 if trace.reader else trace.given
            for token in range(first, whole.tokens):
                lit = Lit(boxes=whole.boxes, tokens=token + 1)
                name = f"writes {spoken(trace.said[token])}"
                found.append(Moment(name=name, reader=read, writer=lit, writes=token))
    return found


def _all(stack: Stack) -> Lit:
    return Lit(boxes=len(stack.boxes), tokens=len(stack.tokens))


def _into(stack: Stack, given: int) -> list[tuple[str, Lit]]:
    """A sentence goes in: token by token where states are handed on, else box by box."""
    if unrolled(stack):
        every = len(stack.boxes)
        return [
            (f"reads {spoken(token)}", Lit(boxes=every, tokens=count))
            for count, token in enumerate(stack.tokens[:given], start=1)
        ]
    steps = [("the words", Lit(boxes=0, tokens=given))]
    for count, box in enumerate(stack.boxes, start=1):
        steps.append((box.name, Lit(boxes=count, tokens=given)))
    return steps


def finding(trace: MachineTrace, step: int) -> str:
    """What happens at this step, in one sentence with its own numbers."""
    moment = moments(trace)[step]
    if moment.writes is not None:
        return _written(trace, moment.writes)
    stack, lit = (
        (trace.writer, moment.writer)
        if trace.writer and moment.writer.tokens
        else (trace.reader, moment.reader)
    )
    assert stack is not None
    count = f"{lit.tokens} token{'s' * (lit.tokens > 1)}"
    if unrolled(stack):
        token = spoken(stack.tokens[lit.tokens - 1])
        return (
            f"The forward reader has read {count}, up to “{token}”; the backward reader as many "
            "from the other end"
        )
    if not lit.boxes:
        return f"The sentence is {count} for {trace.model}"
    box = stack.boxes[lit.boxes - 1]
    if box.kind == "output":
        right = sum(a == b for a, b in zip(trace.said, trace.wanted, strict=False))
        judged = f"; {right} of {len(trace.wanted)} are the right ones" if trace.wanted else ""
        for said, token, chance in zip(trace.said, stack.tokens, trace.chances, strict=True):
            if token == MASK:
                judged = f"; for {MASK} it guesses {spoken(said)}, {chance:.2f}"
        return f"{box.name} scores {box.width:,} words at each of {count}{judged}"
    return f"{box.name} turns {count} into {lit.tokens} × {box.width} numbers, all at once"


def _written(trace: MachineTrace, token: int) -> str:
    said, chance = spoken(trace.said[token]), trace.chances[token]
    end = ", the end," if said == END else ""
    found = f"It writes “{said}”{end} with probability {chance:.2f}"
    wanted = spoken(trace.wanted[token]) if trace.wanted else said
    if wanted != said:
        found = f"It would write “{said}” ({chance:.2f}), the right word is “{wanted}”"
    elif trace.wanted:
        found = f"It would write “{said}” ({chance:.2f}), which is right"
    if trace.weights is not None and trace.reader:
        row = trace.weights[token]
        key = int(row.argmax())
        found += f" and looks most at “{spoken(trace.reader.tokens[key])}”, {row[key]:.2f}"
    elif trace.summary is not None:
        found += f"; all it has of the sentence are {trace.summary.size} numbers"
    return found


def _between_words(weights: Weights, queries: Sequence[str], keys: Sequence[str]) -> Weights:
    """The weights from one word to another: what a full stop or [SEP] looks at tells little.

    In a text without any word they all count, but for those of the first token: under a mask it
    has no choice.
    """
    asks, answers = (
        np.array([bool(WORD.search(each)) for each in side]) for side in (queries, keys)
    )
    kept: Weights = weights * asks[:, None] * answers
    if queries == keys:
        kept = kept * ~np.eye(len(keys), dtype=bool)
    if kept.any():
        return kept
    kept = weights.copy()
    kept[:, :1] *= len(queries) == 1
    return kept


def told(trace: InsideTrace) -> str:
    """What an opened box does to the sentence, with its own sizes."""
    first, last = trace.rows[0].columns[0][0], trace.rows[-1].columns[-1][-1]
    heads = [part for row in trace.rows for column in row.columns for part in column]
    seen = next((part for part in heads if part.values.ndim == 3), None)
    found = f"{trace.box}: from {first.shape} to {last.shape} numbers"
    if seen is None:
        return found
    keys = trace.keys if trace.kind == "context" else trace.tokens
    head, query, key = np.unravel_index(
        int(_between_words(seen.values, trace.tokens, keys).argmax()), seen.values.shape
    )
    where = f", head {head + 1}" if len(seen.values) > 1 else ""
    return (
        f"{found}; the heaviest weight is from “{spoken(trace.tokens[query])}” to "
        f"“{spoken(keys[key])}”, "
        f"{seen.values[head, query, key]:.2f}{where}"
    )

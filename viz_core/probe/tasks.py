"""(bundle, text) -> result for the three tasks on top of BERT: sentiment, entities, answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import torch

from viz_core.by_hand import softmax
from viz_core.checkpoints import Bundle
from viz_core.models.bert import Bert
from viz_core.probe.bert import bert, read, run
from viz_core.text import Encoded, merge_words
from viz_core.traces import Weights
from viz_core.traces.bert import Answer, AnswerTrace, Importance, Tagged

EXPLAINED = 128  # tokens: leaving out every word of a longer text takes too long for a page
ANSWER = 30  # tokens of the longest answer
OVERLAP = 128  # tokens that two windows of a long context share
_WORD = re.compile(r"\w+(?:[-'’.]\w+)*|[^\w\s]")


@torch.inference_mode()
def classify(bundle: Bundle, text: str) -> dict[str, float]:
    """Each label's probability."""
    model, _ = bert(bundle, "classify")
    chances = model.task_logits(run(model, read(bundle, text)).states).softmax(-1)[0]
    return dict(zip(model.config.labels, chances.tolist(), strict=True))


def log_odds(logits: torch.Tensor, label: int) -> torch.Tensor:
    """log(p / (1 - p)) of a label: unlike p, it still moves when the model is very sure."""
    others = [i for i in range(logits.shape[-1]) if i != label]
    return logits[..., label] - logits[..., others].logsumexp(-1)


def importance(bundle: Bundle, text: str) -> Importance:
    """Which word decided the label: by attention, by gradient times input, by leaving it out."""
    model, _ = bert(bundle, "classify")
    encoded = read(bundle, text)
    if len(encoded.ids) > EXPLAINED:
        raise ValueError(
            f"This text has {len(encoded.ids)} tokens; words are weighed in up to {EXPLAINED}. "
            "Shorten it to a few sentences."
        )
    ids, segments = torch.tensor([encoded.ids]), torch.tensor([encoded.segments])
    with torch.enable_grad():
        token, segment, position = model.parts(ids, segments)
        token = token.detach().requires_grad_()
        seen = model.encode(model.norm(token + segment + position))
        logits = model.task_logits(seen.states)
        label = int(logits.argmax())
        odds = log_odds(logits[0], label)
        (slope,) = torch.autograd.grad(odds, token)
    gradient = (slope * token)[0].sum(-1).detach().numpy()  # (token,)
    attention = seen.weights[-1][0, :, 0].mean(0).detach().numpy()  # (token,)
    words = np.array(encoded.words)
    size = int(words[-1]) + 1
    without = log_odds(_without_each_word(model, encoded), label)
    return Importance(
        words=merge_words(encoded.tokens, encoded.words),
        label=model.config.labels[label],
        probability=float(odds.detach().sigmoid()),
        attention=_per_word(attention, words, size),
        gradient=_per_word(gradient, words, size),
        left_out=(odds.detach() - without).numpy(),
    )


def _per_word(values: Weights, words: np.ndarray, size: int) -> Weights:
    return np.bincount(words, weights=values, minlength=size).astype(np.float32)


@torch.inference_mode()
def _without_each_word(model: Bert, encoded: Encoded) -> torch.Tensor:
    """(word, label): the logits with that word left out; [CLS] and [SEP] always stay."""
    size = encoded.words[-1] + 1
    rows = [
        [
            token
            for i, (token, its) in enumerate(zip(encoded.ids, encoded.words, strict=True))
            if its != word or i in (0, len(encoded.ids) - 1)
        ]
        for word in range(size)
    ]
    table = torch.zeros(size, len(encoded.ids), dtype=torch.long)
    mask = torch.zeros_like(table, dtype=torch.bool)
    for number, row in enumerate(rows):
        table[number, : len(row)] = torch.tensor(row)
        mask[number, : len(row)] = True
    found = []
    for start in range(0, size, 16):
        some = slice(start, start + 16)
        states = model(table[some], torch.zeros_like(table[some]), mask[some]).states
        found.append(model.task_logits(states))
    return torch.cat(found)


def split(text: str) -> list[str]:
    """Running text as words to tag; punctuation stands alone."""
    return _WORD.findall(text)


def tag(bundle: Bundle, words: Sequence[str]) -> list[str]:
    """One BIO tag per given word."""
    return list(tagged(bundle, words).tags)


@torch.inference_mode()
def tagged(bundle: Bundle, words: Sequence[str]) -> Tagged:
    """The same with probabilities; a word is tagged by its first piece."""
    model, tokenizer = bert(bundle, "tag")
    if not any(word.strip() for word in words):
        raise ValueError("There is nothing to read yet: type a sentence.")
    tags = ["O"] * len(words)
    sure = [1.0] * len(words)
    for pieces in tokenizer.word_windows(words, model.config.max_length):
        ids = torch.tensor([pieces.ids])
        logits = model.task_logits(model(ids, torch.zeros_like(ids)).states)[0]
        chances, best = logits.softmax(-1).max(-1)  # (token,)
        for place, word in pieces.firsts:
            tags[word] = model.config.labels[int(best[place])]
            sure[word] = float(chances[place])
    return Tagged(words=tuple(words), tags=tuple(valid_bio(tags)), probabilities=tuple(sure))


def entities(bundle: Bundle, text: str) -> Tagged:
    """The names in a running text."""
    return tagged(bundle, split(text))


def valid_bio(tags: Sequence[str]) -> list[str]:
    """An entity begins with B-: an I- that continues nothing of its kind becomes one."""
    found: list[str] = []
    for tag in tags:
        if tag.startswith("I-") and (not found or found[-1][2:] != tag[2:]):
            tag = "B-" + tag[2:]
        found.append(tag)
    return found


def answer(bundle: Bundle, question: str, context: str) -> Answer:
    """The part of the context that answers the question."""
    return answer_trace(bundle, question, context).answer


@torch.inference_mode()
def answer_trace(bundle: Bundle, question: str, context: str) -> AnswerTrace:
    """The same with every token's chances; a long context is read in overlapping windows."""
    model, tokenizer = bert(bundle, "answer")
    asked = tokenizer.encode(question)
    most = model.config.max_length
    if len(asked.ids) <= 2:
        raise ValueError("There is no question yet: type one.")
    if len(asked.ids) > most // 4:
        raise ValueError(
            f"This question has {len(asked.ids)} tokens; {most // 4} at most leave room for the "
            "text. Shorten it."
        )
    encoded = tokenizer.encode(question, context)
    opens = encoded.segments.index(1)
    inside = range(opens, len(encoded.ids) - 1)  # the context without its [SEP]
    if not inside:
        raise ValueError("There is no text to look into yet: paste a paragraph.")
    room = most - opens - 1
    start = np.full(len(inside), -np.inf, dtype=np.float32)
    end = start.copy()
    for first in range(0, max(1, len(inside) - OVERLAP), max(1, room - OVERLAP)):
        some = slice(opens + first, opens + first + room)
        ids = [*encoded.ids[:opens], *encoded.ids[some][: len(inside) - first], encoded.ids[-1]]
        segments = [0] * opens + [1] * (len(ids) - opens)
        states = model(torch.tensor([ids]), torch.tensor([segments])).states
        scores = model.task_logits(states)[0, opens:-1].T.numpy()  # (start and end, token)
        where = slice(first, first + scores.shape[1])
        start[where] = np.maximum(start[where], scores[0])
        end[where] = np.maximum(end[where], scores[1])
    return _answer(context, encoded, inside, np.stack((start, end)))


def _answer(context: str, encoded: Encoded, inside: range, scores: Weights) -> AnswerTrace:
    """scores (start and end, token): s . v_i and e . v_i with their biases."""
    start, end = (softmax(side).astype(np.float32) for side in scores)
    first, last = best_span(start, end)
    offsets = encoded.offsets[inside.start : inside.stop]
    begins, ends = offsets[first][0], offsets[last][1]
    return AnswerTrace(
        answer=Answer(
            text=context[begins:ends],
            start=begins,
            end=ends,
            probability=float(start[first] * end[last]),
        ),
        tokens=encoded.tokens[inside.start : inside.stop],
        offsets=offsets,
        start=start,
        end=end,
        scores=scores,
    )


def best_span(start: Weights, end: Weights, longest: int = ANSWER) -> tuple[int, int]:
    """The most probable start and end that are in order and not too far apart."""
    best, found = -1.0, (0, 0)
    for reach in range(min(longest, len(start))):  # tokens from the first to the last
        joint = start[: len(start) - reach] * end[reach:]
        first = int(joint.argmax())
        if joint[first] > best:
            best, found = float(joint[first]), (first, first + reach)
    return found

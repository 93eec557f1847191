"""Fine-tuning: the top layers of bert-mini and a new head, on sentiment, entities or answers."""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from viz_core.models.bert import Bert, BertConfig, Task
from viz_core.text.wordpiece import CLS, MASK, PAD, SEP, WordPiece
from viz_core.training import loop
from viz_core.training.data import Part, tasks as texts

NONE = -100  # no label here
LONGEST = 320  # tokens of a question and its part of the context


@dataclass(frozen=True, slots=True)
class Row:
    """A text with its labels: one; one a token, NONE where there is none; or start and end."""

    ids: tuple[int, ...]
    segments: tuple[int, ...]
    wanted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    ids: Tensor  # (batch, token)
    segments: Tensor  # (batch, token)
    mask: Tensor  # (batch, token): True for real tokens
    wanted: Tensor  # (batch, label)

    def share(self, rank: int, world: int) -> Batch:
        return Batch(*(getattr(self, name)[rank::world] for name in self.__slots__))

    @property
    def count(self) -> int:
        return int((self.wanted != NONE).sum())


# ---- texts to rows ----------------------------------------------------------------------------


def sentiment_rows(tokenizer: WordPiece, folder: Path, part: Part) -> list[Row]:
    rows = []
    for one in texts.opinions(folder, part):
        encoded = tokenizer.encode(one.text)
        rows.append(Row(encoded.ids, encoded.segments, (one.positive,)))
    return rows


def entity_rows(tokenizer: WordPiece, folder: Path, part: Part) -> list[Row]:
    """A word is labelled at its first piece; the others have no label."""
    rows = []
    for sentence in texts.sentences(folder, part):
        for pieces in tokenizer.word_windows(sentence.words, LONGEST):
            wanted = [NONE] * len(pieces.ids)
            for place, word in pieces.firsts:
                wanted[place] = texts.TAGS.index(sentence.tags[word])
            rows.append(Row(pieces.ids, (0,) * len(pieces.ids), tuple(wanted)))
    return rows


def answer_rows(tokenizer: WordPiece, folder: Path, part: Part) -> list[Row]:
    rows = (answer_row(tokenizer, one) for one in texts.questions(folder, part))
    return [row for row in rows if row is not None]


def answer_row(tokenizer: WordPiece, one: texts.Question, longest: int = LONGEST) -> Row | None:
    """Question and context; of a long context the window around the answer."""
    begins, text = one.usual
    if one.context[begins : begins + len(text)] != text or not text:
        return None
    encoded = tokenizer.encode(one.question, one.context)
    opens = encoded.segments.index(1)
    spans = encoded.offsets[opens:-1]
    first = bisect_right([start for start, _ in spans], begins) - 1
    last = bisect_left([end for _, end in spans], begins + len(text))
    room = longest - opens - 1
    if first < 0 or last >= len(spans) or last - first >= room or opens > longest // 2:
        return None
    skip = max(0, min((first + last - room) // 2, len(spans) - room))
    kept = encoded.ids[opens + skip : len(encoded.ids) - 1][:room]
    ids = (*encoded.ids[:opens], *kept, encoded.ids[-1])
    segments = (0,) * opens + (1,) * (len(kept) + 1)
    return Row(ids, segments, (opens + first - skip, opens + last - skip))


ROWS = {"classify": sentiment_rows, "tag": entity_rows, "answer": answer_rows}
LABELS: dict[Task, tuple[str, ...]] = {
    "classify": texts.SENTIMENTS,
    "tag": texts.TAGS,
    "answer": ("start", "end"),
}


def collate(rows: Sequence[Row], pad: int) -> Batch:
    length = max(len(row.ids) for row in rows)
    labels = max(len(row.wanted) for row in rows)
    ids = torch.full((len(rows), length), pad)
    segments = torch.zeros_like(ids)
    mask = torch.zeros_like(ids, dtype=torch.bool)
    wanted = torch.full((len(rows), labels), NONE)
    for number, row in enumerate(rows):
        size = len(row.ids)
        ids[number, :size] = torch.tensor(row.ids)
        segments[number, :size] = torch.tensor(row.segments)
        mask[number, :size] = True
        wanted[number, : len(row.wanted)] = torch.tensor(row.wanted)
    return Batch(ids, segments, mask, wanted)


def bucketed(rows: Sequence[Row], tokens: int, rng: random.Random) -> list[list[Row]]:
    """Rows of like length together, about `tokens` tokens a batch, in random order."""
    ordered = sorted(rows, key=lambda row: len(row.ids) + rng.random())
    batches: list[list[Row]] = [[]]
    for row in ordered:
        if batches[-1] and len(row.ids) * (len(batches[-1]) + 1) > tokens:
            batches.append([])
        batches[-1].append(row)
    rng.shuffle(batches)
    return batches


# ---- the task ---------------------------------------------------------------------------------


def on_top(base: Bert, task: Task, trained: int) -> Bert:
    """The base with a new head; only its last `trained` layers and the head will learn."""
    config: BertConfig = replace(base.config, task=task, labels=LABELS[task])
    model = Bert(config)
    known = {
        name: value
        for name, value in base.state_dict().items()
        if name in model.state_dict() and not name.startswith("head.")
    }
    model.load_state_dict(known, strict=False)
    learn_top(model, trained)
    return model


def start_from(model: Bert, published: Bert, layers: int) -> None:
    """Put the last layers of another model in place of those that masks have changed."""
    for own, other in zip(model.layers[-layers:], published.layers[-layers:], strict=True):
        own.load_state_dict(other.state_dict())


def learn_top(model: Bert, trained: int) -> None:
    """Only the last `trained` layers and the heads above them will learn."""
    frozen = [f"layers.{layer}." for layer in range(len(model.layers) - trained)]
    below = ("token.", "segment.", "position.", "norm.", *frozen)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(not name.startswith(below))


class FineTuning(loop.Task):
    """One of the three tasks, for the training loop."""

    def __init__(
        self,
        model: Bert,
        tokenizer: WordPiece,
        train: Sequence[Row],
        held_out: Sequence[Row],
        *,
        batch_tokens: int = 2048,
        hidden: float = 0.1,
        seed: int = 1,
    ) -> None:
        self.model: Any = model
        self.special = {tokenizer.special[name] for name in (CLS, SEP, PAD)}
        self.pad, self.mask = tokenizer.special[PAD], tokenizer.special[MASK]
        self.train, self.batch_tokens, self.hidden, self.seed = train, batch_tokens, hidden, seed
        self.held_out = [
            collate(rows, self.pad) for rows in bucketed(held_out, 4096, random.Random(0))
        ]

    def batches(self, progress: float, chunk: int) -> Iterator[Batch]:
        """All rows once, some tokens hidden under [MASK]: a text seen twice is not seen alike."""
        rng = random.Random(self.seed * 1_000_003 + chunk)
        noise = torch.Generator().manual_seed(rng.randrange(2**40))
        for rows in bucketed(self.train, self.batch_tokens, rng):
            batch = collate(rows, self.pad)
            chosen = torch.rand(batch.ids.shape, generator=noise) < self.hidden
            for number in self.special:
                chosen &= batch.ids != number
            yield replace(batch, ids=batch.ids.masked_fill(chosen, self.mask))

    def loss(self, model: nn.Module, batch: Batch) -> Tensor:
        states = model(batch.ids, batch.segments, batch.mask).states
        logits = self.model.task_logits(states)
        task = self.model.config.task
        if task == "classify":
            return cross_entropy(logits, batch.wanted[:, 0], reduction="sum")
        if task == "tag":
            flat = logits.flatten(0, 1)
            return cross_entropy(flat, batch.wanted.flatten(), ignore_index=NONE, reduction="sum")
        # An answer starts and ends in the context, before its [SEP].
        inside = batch.segments.bool() & batch.mask & batch.mask.roll(-1, 1)
        inside[:, -1] = False
        scores = logits.masked_fill(~inside.unsqueeze(-1), float("-inf"))
        return cross_entropy(scores, batch.wanted, reduction="sum")

    @torch.inference_mode()
    def held_out_losses(self) -> dict[str, float]:
        total = sum(float(self.loss(self.model, batch)) for batch in self.held_out)
        return {"all": total / sum(batch.count for batch in self.held_out)}

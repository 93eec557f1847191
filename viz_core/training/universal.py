"""The bAbI question tasks, all twenty together: a small story, a question, an answer of one word.

The public test files are not used: stories are put into training, development and test by a digest
of their text, so that a story that comes twice comes in one part.
"""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from viz_core.analysis.ponder import ACCURACY, FORMS, PONDERED, SOLVED, TASKS
from viz_core.checkpoints import Bundle
from viz_core.models.universal import Halting, Universal, UniversalConfig
from viz_core.text.stories import LONGEST_STORY, StoryWords, split
from viz_core.training.loop import Schedule, Task
from viz_core.training.run import Options, Recipe

FILE = "babi/babi-train.tar.xz"
SOURCE = "https://research.facebook.com/downloads/babi/ (tasks_1-20_v1-2)"
PARTS = ("test", "development") + 8 * ("train",)  # by digest: a tenth, a tenth, the rest
DRAWN = 6_000  # questions of a chunk
POSITIONS = 1_600  # of a batch, with the padding
PRICE = 0.0005  # of a step of thought: tau in Graves 2016, eq. 14
ASKED = 40  # development questions of a task that are asked at each check


@dataclass(frozen=True, slots=True)
class Question:
    task: int
    facts: tuple[tuple[str, ...], ...]  # that came before it
    words: tuple[str, ...]
    answer: str
    needed: int  # facts that the data names as its reasons


@cache
def read(folder: Path) -> dict[str, list[Question]]:
    """All questions by part."""
    path = folder / FILE
    if not path.is_file():
        raise ValueError(f"{path} is missing: the training files of {SOURCE}.")
    parts: dict[str, list[Question]] = {part: [] for part in PARTS}
    with tarfile.open(path) as archive:
        for member in sorted(archive.getnames()):
            file = archive.extractfile(member) if member.endswith("_train.txt") else None
            if file is not None:
                task = int(member.rsplit("qa", 1)[1].split("_", 1)[0])
                for story in stories(file.read().decode("utf-8")):
                    parts[part_of(story)] += questions(task, story)
    return parts


def stories(text: str) -> list[list[str]]:
    """Lines by story: the numbers of the lines begin again with each."""
    found: list[list[str]] = []
    for line in text.splitlines():
        number, rest = line.split(" ", 1)
        if number == "1":
            found.append([])
        found[-1].append(rest)
    return found


def part_of(story: Sequence[str]) -> str:
    facts = "\n".join(line for line in story if "\t" not in line)
    return PARTS[hashlib.sha256(facts.encode()).digest()[0] % len(PARTS)]


def questions(task: int, story: Sequence[str]) -> Iterator[Question]:
    facts: list[tuple[str, ...]] = []
    for line in story:
        asked, *rest = line.split("\t")
        if rest:
            needed = len(rest[1].split())
            yield Question(task, tuple(facts), tuple(split(asked)), rest[0].lower(), needed)
        else:
            facts.append(tuple(split(line)))


def words(asked: Sequence[Question]) -> tuple[list[str], int]:
    """The vocabulary, answers first, and how many these are."""
    answers = sorted({one.answer for one in asked})
    read_words = {word for one in asked for line in (*one.facts, one.words) for word in line}
    return [*answers, *sorted(read_words - set(answers))], len(answers)


@dataclass(frozen=True, slots=True)
class Batch:
    sentences: Tensor  # (batch, position, word): the question, then facts from the last on back
    real: Tensor  # (batch, position)
    answers: Tensor  # (batch,)

    def share(self, rank: int, world: int) -> Batch:
        return Batch(self.sentences[rank::world], self.real[rank::world], self.answers[rank::world])

    @property
    def count(self) -> int:
        return len(self.answers)


@dataclass(frozen=True, slots=True)
class Encoded:
    """Questions as numbers; every different sentence once."""

    sentences: np.ndarray[Any, np.dtype[np.int64]]  # (sentence, word), the last row is padding
    rows: list[list[int]]  # of each question, in the model's order
    answers: list[int]
    tasks: np.ndarray[Any, np.dtype[np.int64]]

    def batch(self, chosen: Sequence[int]) -> Batch:
        rows = [self.rows[number] for number in chosen]
        longest = max(map(len, rows))
        padded = np.full((len(rows), longest), len(self.sentences) - 1)
        for number, row in enumerate(rows):
            padded[number, : len(row)] = row
        real = torch.from_numpy(padded != len(self.sentences) - 1)
        sentences = torch.from_numpy(self.sentences[padded])
        used = int((sentences != self.sentences[-1, 0]).sum(-1).max())
        answers = torch.tensor([self.answers[number] for number in chosen])
        return Batch(sentences[..., :used], real, answers)

    def batches(self, chosen: Sequence[int]) -> Iterator[tuple[list[int], Batch]]:
        """Questions with about as many facts together."""
        ordered = sorted(chosen, key=lambda number: len(self.rows[number]))
        begin = 0
        while begin < len(ordered):
            end = begin + 1
            while (
                end < len(ordered) and (end + 1 - begin) * len(self.rows[ordered[end]]) <= POSITIONS
            ):
                end += 1
            yield ordered[begin:end], self.batch(ordered[begin:end])
            begin = end


def encode(asked: Sequence[Question], tokenizer: StoryWords, width: int) -> Encoded:
    known = tokenizer.known
    index: dict[tuple[str, ...], int] = {}
    rows = []
    for one in asked:
        lines = (one.words, *reversed(one.facts[-LONGEST_STORY:]))
        rows.append([index.setdefault(line, len(index)) for line in lines])
    sentences = np.full((len(index) + 1, width), tokenizer.size)
    for line, number in index.items():
        sentences[number, : len(line)] = [known[word] for word in line]
    answers = [known[one.answer] for one in asked]
    return Encoded(sentences, rows, answers, np.array([one.task for one in asked]))


class StoryTask(Task):
    def __init__(
        self, model: Universal, parts: dict[str, list[Question]], tokenizer: StoryWords, seed: int
    ) -> None:
        self.model = model
        self.seed = seed
        width = model.config.words
        self.asked = encode(parts["train"], tokenizer, width)
        self.by_task = [np.flatnonzero(self.asked.tasks == task) for task in TASKS]
        development = encode(parts["development"], tokenizer, width)
        rng = np.random.default_rng(0)
        few = [rng.permutation(np.flatnonzero(development.tasks == task))[:ASKED] for task in TASKS]
        self.held_out = [b for _, b in development.batches(np.concatenate(few).tolist())]

    def batches(self, progress: float, chunk: int) -> Iterator[Batch]:
        """As many questions of each task."""
        rng = np.random.default_rng((self.seed, chunk))
        chosen = np.concatenate([rng.choice(own, DRAWN // len(TASKS)) for own in self.by_task])
        made = [batch for _, batch in self.asked.batches(rng.permutation(chosen).tolist())]
        for number in rng.permutation(len(made)):
            yield made[number]

    def loss(self, model: nn.Module, batch: Batch) -> Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            thought = model(batch.sentences, batch.real)
        wrong = cross_entropy(thought.logits.float(), batch.answers, reduction="sum")
        return wrong + PRICE * pondered(thought.halting, batch.real).sum()

    @torch.inference_mode()
    def held_out_losses(self) -> dict[str, float]:
        losses = [
            cross_entropy(self.model(b.sentences, b.real).logits, b.answers, reduction="sum")
            for b in self.held_out
        ]
        return {"stories": float(sum(losses)) / sum(b.count for b in self.held_out)}


def pondered(halting: Halting, real: Tensor) -> Tensor:
    """N + R (Graves 2016, eq. 10), the mean over the sentences of a story (batch,)."""
    time = (halting.steps + halting.remainder) * real
    return time.sum(1) / real.sum(1)


@torch.inference_mode()
def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """Accuracy and steps of thought by task, on stories that were held out."""
    model, parts = bundle.model, read(folder)
    test = parts["test"]
    asked = encode(test, bundle.tokenizer, model.config.words)
    right, question_steps, mean_steps = (np.zeros(len(test)) for _ in range(3))
    for numbers, batch in asked.batches(range(len(test))):
        thought = model(batch.sentences, batch.real)
        steps = thought.halting.steps
        right[numbers] = (thought.logits.argmax(-1) == batch.answers).numpy()
        question_steps[numbers] = steps[:, 0].numpy()
        mean_steps[numbers] = (steps.sum(1) / batch.real.sum(1)).numpy()
    tasks: dict[int, dict[str, Any]] = {}
    for task, name in TASKS.items():
        own = asked.tasks == task
        needed = [one.needed for one in test if one.task == task]
        tasks[task] = {
            "name": name,
            "questions": int(own.sum()),
            ACCURACY: round(float(right[own].mean()), 4),
            "steps": round(float(mean_steps[own].mean()), 3),
            "question steps": round(float(question_steps[own].mean()), 3),
            "needed": round(float(np.mean(needed)), 2),
        }
    scores = [found[ACCURACY] for found in tasks.values()]
    metrics = {
        "test stories": {
            ACCURACY: round(float(np.mean(scores)), 4),
            SOLVED: float(sum(score >= 0.95 for score in scores)),
            "questions": float(len(test)),
        }
    }
    forms = sorted({" ".join(one.words[:2]) for one in parts["train"]})
    return {"metrics": metrics, "measured": {PONDERED: list(tasks.values()), FORMS: forms}}


@dataclass(frozen=True, kw_only=True)
class Reader(Recipe):
    architecture: str = "universal"
    data: tuple[dict[str, str], ...] = (
        {
            "name": "bAbI question tasks 1 to 20 (Weston et al. 2015), training files with 10,000 "
            "questions each, task 3 with 1,000",
            "licence": "CC BY 3.0",
            "split": "by story: 80% training, 10% development, 10% test; not the public test files",
        },
    )

    def tokenizer(self, options: Options) -> StoryWords:
        return StoryWords.of(words(read(options.data)["train"])[0])

    def model(self, options: Options, tokenizer: StoryWords) -> Universal:
        answers = words(read(options.data)["train"])[1]
        return Universal(UniversalConfig(vocabulary=tokenizer.size, answers=answers))

    def task(self, options: Options, model: nn.Module, tokenizer: StoryWords) -> StoryTask:
        assert isinstance(model, Universal)
        return StoryTask(model, read(options.data), tokenizer, self.schedule.seed)

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return measure(bundle, folder)


UNIVERSAL = Reader(
    name="universal",
    examples=("Mary went to the kitchen. John went to the garden. Where is Mary?",),
    title="Universal Transformer that answers questions on a story",
    paper="Dehghani et al. 2019",
    schedule=Schedule(
        steps=60_000, peak=2e-3, warmup=200, decay_from=0.5, check_every=400, patience=30
    ),
    notes="All twenty tasks together, as many questions of each. Facts are counted from the "
    "question back, at most 70 of them; places and steps have learned codes in place of sines. "
    "The output of a position is the mean of its states, weighted by halting (Graves 2016). "
    "Thinking begins with about four steps, six are the most, and each costs a little: how long "
    "is learned from there. The run was ended at 26 of 36 minutes, with more to be learned.",
)
RECIPES: dict[str, Recipe] = {UNIVERSAL.name: UNIVERSAL}

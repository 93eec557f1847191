"""Film reviews, positive or negative: the hierarchical attention network."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, embedding_bag

from viz_core import checkpoints
from viz_core.checkpoints import Bundle
from viz_core.models.han import HAN, HANConfig, together
from viz_core.text.document import UNKNOWN, Words
from viz_core.training import loop
from viz_core.training.data import Part
from viz_core.training.data.bert import REVIEWS
from viz_core.training.data.reviews import SPLIT, Review, commonest, reviews
from viz_core.training.loop import Schedule
from viz_core.training.measure import documents as measure
from viz_core.training.run import Options, Recipe
from viz_core.training.state import Progress

WORDS = 20_000
ABOUT = (
    "Word vectors begun with GloVe's where the word has one, then taught on the training reviews "
    "alone, as the mean of a review's words, before the network above began to learn with them: "
    "that words of praise and blame weigh most was made likely by this."
)
MOST = 200  # words of a review that are read in training: the first or the last ones
BATCH_WORDS = 12_000
PASSES, BAGS = 2, 64  # over the reviews, of the vectors alone; reviews at once
HIDDEN = 0.15  # share of the words that are read as <unk>, so that no single one is leant on


@dataclass(frozen=True, slots=True)
class Row:
    sentences: tuple[Tensor, ...]  # ids
    label: int

    @property
    def words(self) -> int:
        return sum(len(one) for one in self.sentences)


@cache
def read(folder: Path, part: Part) -> list[Review]:
    return reviews(folder, part)


@cache
def words_of(folder: Path) -> Words:
    """The commonest words of what is trained on."""
    return Words.of(commonest(read(folder, "train"), WORDS))


@cache
def rows_of(folder: Path, part: Part) -> list[Row]:
    tokenizer = words_of(folder)
    return [
        Row(tuple(torch.tensor(tokenizer.numbers(one)) for one in each.sentences), each.positive)
        for each in read(folder, part)
    ]


def shortened(row: Row, from_end: bool) -> Row:
    """Whole sentences up to MOST words, from the beginning or from the end."""
    kept: list[Tensor] = []
    for sentence in row.sentences[::-1] if from_end else row.sentences:
        if kept and sum(map(len, kept)) + len(sentence) > MOST:
            break
        kept.append(sentence)
    return Row(tuple(kept[::-1] if from_end else kept), row.label)


def bucketed(rows: Sequence[Row], most: int, rng: random.Random) -> list[list[Row]]:
    """Batches of reviews that are about as long, in any order."""
    ordered = sorted(rows, key=lambda row: row.words * rng.uniform(0.9, 1.1))
    batches: list[list[Row]] = [[]]
    for row in ordered:
        if batches[-1] and (len(batches[-1]) + 1) * row.words > most:
            batches.append([])
        batches[-1].append(row)
    rng.shuffle(batches)
    return batches


@dataclass(frozen=True, slots=True)
class Batch:
    rows: tuple[Row, ...]

    def share(self, rank: int, world: int) -> Batch:
        return Batch(self.rows[rank::world])

    @property
    def count(self) -> int:
        return len(self.rows)

    @property
    def labels(self) -> Tensor:
        return torch.tensor([row.label for row in self.rows])


class ReviewTask(loop.Task):
    """Reviews to verdicts; a model of another shape says in `logits` how it reads them."""

    def __init__(
        self, model: nn.Module, train: Sequence[Row], held_out: Sequence[Row], seed: int = 1
    ) -> None:
        self.model = model
        self.train, self.seed = train, seed
        held_out = [shortened(row, from_end=True) for row in held_out]
        self.held_out = [Batch(tuple(b)) for b in bucketed(held_out, 20_000, random.Random(0))]

    def logits(self, model: nn.Module, rows: Sequence[Row]) -> Tensor:
        found: Tensor = model(together([row.sentences for row in rows])).logits
        return found

    def batches(self, progress: float, chunk: int) -> Iterator[Batch]:
        """All reviews once; some words are hidden, other ones each time."""
        rng = random.Random(self.seed * 1_000_003 + chunk)
        noise = torch.Generator().manual_seed(rng.randrange(2**40))
        short = [shortened(row, rng.random() < 0.5) for row in self.train]
        for rows in bucketed(short, BATCH_WORDS, rng):
            yield Batch(tuple(Row(hidden(row.sentences, noise), row.label) for row in rows))

    def loss(self, model: nn.Module, batch: Batch) -> Tensor:
        return cross_entropy(self.logits(model, batch.rows), batch.labels, reduction="sum")

    @torch.inference_mode()
    def held_out_losses(self) -> dict[str, float]:
        self.model.eval()
        total = sum(float(self.loss(self.model, batch)) for batch in self.held_out)
        self.model.train()
        return {"reviews": total / sum(batch.count for batch in self.held_out)}


def hidden(sentences: Sequence[Tensor], noise: torch.Generator) -> tuple[Tensor, ...]:
    ids = torch.cat(tuple(sentences))
    chosen = torch.rand(len(ids), generator=noise) < HIDDEN
    return ids.masked_fill(chosen, UNKNOWN).split([len(one) for one in sentences])


def put_vectors(embedding: nn.Embedding, tokenizer: Words) -> int:
    """Begin with GloVe's vectors, from the checkpoint word-vectors; how many words have one."""
    glove = checkpoints.load("word-vectors")
    known = {word: number for number, word in enumerate(glove.tokenizer.vocabulary)}
    found = 0
    with torch.no_grad():
        embedding.weight.mul_(0.4)  # about as long as GloVe's
        for number, word in enumerate(tokenizer.vocabulary):
            if word in known:
                embedding.weight[number] = glove.model.table.weight[known[word]]
                found += 1
    return found


def learn_vectors(embedding: nn.Embedding, rows: Sequence[Row], seed: int = 1) -> None:
    """A few passes of the vectors alone, a review being the mean of its words (Joulin et al. 2017).

    It takes seconds; the network above then begins with vectors that know film reviews.
    """
    rng, noise = random.Random(seed), torch.Generator().manual_seed(seed)
    answer = nn.Linear(embedding.embedding_dim, 2)
    optimiser = torch.optim.Adam([*embedding.parameters(), *answer.parameters()], lr=5e-3)
    for _ in range(PASSES):
        mixed = rng.sample(rows, len(rows))
        for some in (mixed[start : start + BAGS] for start in range(0, len(rows), BAGS)):
            bags = [torch.cat(hidden(row.sentences, noise)) for row in some]
            starts = torch.tensor([0, *map(len, bags[:-1])]).cumsum(0)
            means = embedding_bag(torch.cat(bags), embedding.weight, starts, mode="mean")
            loss = cross_entropy(answer(means), torch.tensor([row.label for row in some]))
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()


@dataclass(frozen=True, kw_only=True)
class Reviewer(Recipe):
    architecture: str = "han"
    data: tuple[dict[str, str], ...] = (
        {"name": "IMDB film reviews", "licence": REVIEWS.licence, "split": SPLIT},
        {"name": "GloVe 6B 50d", "licence": "PDDL 1.0", "split": "first vectors of known words"},
    )

    def tokenizer(self, options: Options) -> Words:
        return words_of(options.data)

    def model(self, options: Options, tokenizer: Words) -> nn.Module:
        return HAN(HANConfig(words=tokenizer.size))

    def begin(self, options: Options, model: nn.Module) -> Progress:
        if options.further:
            return super().begin(options, model)
        assert isinstance(model.embedding, nn.Embedding)
        put_vectors(model.embedding, words_of(options.data))
        learn_vectors(model.embedding, rows_of(options.data, "train"), self.schedule.seed)
        return Progress()

    def task(self, options: Options, model: nn.Module, tokenizer: Words) -> ReviewTask:
        train, held_out = rows_of(options.data, "train"), rows_of(options.data, "held-out")
        return ReviewTask(model, train, held_out, self.schedule.seed)

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return measure.han(bundle, read(folder, "test"))


EXAMPLES = ("The first hour is slow. Then it becomes a wonderful film.",)
HAN_REVIEWS = Reviewer(
    name="han",
    examples=EXAMPLES,
    title="Hierarchical attention network for film reviews",
    paper="Yang et al. 2016",
    schedule=Schedule(
        steps=4_000,
        peak=1.5e-3,
        warmup=80,
        decay_from=0.2,
        check_every=120,
        patience=10,
        average=0.99,
    ),
    notes=f"{ABOUT} Cut into sentences by rule; a sentence of more than 40 words goes on in the "
    f"next. In training at most {MOST} words of a review were read, the first or the last ones; "
    "figures are of whole reviews. Smaller than in the paper: vectors of 50 numbers, not 200. It "
    "does not understand negation: see the figures with a not.",
)
RECIPES = {HAN_REVIEWS.name: HAN_REVIEWS}

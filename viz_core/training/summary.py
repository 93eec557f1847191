"""The summariser: it begins as a translator, and learns to write titles instead of French."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from viz_core import checkpoints
from viz_core.checkpoints import Bundle
from viz_core.models.summary import Summariser
from viz_core.models.transformer import TransformerConfig
from viz_core.text import END, PAD, SmallTokenizer, Tokenizer
from viz_core.training import run
from viz_core.training.data import Batch, Example, bucketed, collate, titles
from viz_core.training.growth import respelt
from viz_core.training.loop import Schedule, Task, optimiser_for
from viz_core.training.measure.summary import measure
from viz_core.training.run import Options, Recipe
from viz_core.training.state import Progress

SUBWORDS = 8_000
MIXTURE = {"papers": 0.8, "news": 0.2}
CHUNK = 2_000  # texts drawn at a time, then bucketed by length
SHORT, LONG = 56, 144  # sub-words of a text that are read at first, and soon
LETTERS = 8  # of a sub-word, more than it has: what lies behind need not be spelt
TITLE = 40  # sub-words of a title, at most
BATCH = 2_400  # sub-words of texts in a batch
CHECKED = {"papers": 160, "news": 60}  # held-out texts
SHIFTED, FURTHEST = 0.3, 400  # batches that stand further on, and how far


@dataclass(frozen=True, slots=True)
class Placed:
    """A batch of texts, whose first word has this position: so late positions are seen, too."""

    rows: Batch
    start: int = 0

    def share(self, rank: int, world: int) -> Placed:
        return replace(self, rows=self.rows.share(rank, world))

    @property
    def count(self) -> int:
        return self.rows.count


def encode(tokenizer: Tokenizer, pairs: list[titles.Titled], longest: int) -> list[Example]:
    """Of a long text its first sub-words, closed with </s> as a whole one is."""
    texts = tokenizer.encode_batch([pair.text[: LETTERS * longest] for pair in pairs])
    written = tokenizer.encode_batch([pair.title for pair in pairs])
    return [
        Example(np.array([*text[:-1][: longest - 1], END]), np.array(title))
        for text, title in zip(texts, written, strict=True)
        if len(text) > 20 and 2 < len(title) <= TITLE
    ]


def nats(model: Any, batch: Placed) -> Tensor:
    """Of every token of the titles, the closing one included."""
    rows = batch.rows
    memory = model.encode(rows.source, start=batch.start)
    step = model.decode(memory, (), rows.target)
    chances = model.probability_of(step, rows.source, rows.wanted)
    return -chances[rows.wanted != PAD].clamp_min(1e-9).log()


class SummaryTask(Task):
    def __init__(self, model: nn.Module, tokenizer: Tokenizer, folder: Path, seed: int = 1) -> None:
        self.model: Any = model
        self.tokenizer, self.seed = tokenizer, seed
        self.pools = {kind: titles.read(kind, folder, "train") for kind in MIXTURE}
        self.held_out = {
            kind: self.some(titles.read(kind, folder, "held-out")[:count])
            for kind, count in CHECKED.items()
        }

    def some(self, pairs: list[titles.Titled]) -> list[Placed]:
        examples = encode(self.tokenizer, pairs, LONG)
        return [Placed(collate(rows)) for rows in bucketed(examples, BATCH, random.Random(0))]

    def batches(self, progress: float, chunk: int) -> Iterator[Placed]:
        """A chunk of the mixture, without return until all of a kind have been read."""
        rng = random.Random(self.seed * 1_000_003 + chunk)
        longest = min(LONG, SHORT + int(140 * progress))
        drawn = []
        for kind, share in MIXTURE.items():
            pool, wanted = self.pools[kind], int(CHUNK * share)
            for place in range(chunk * wanted, (chunk + 1) * wanted):
                turn, at = divmod(place, len(pool))
                drawn.append(pool[(at * 7919 + turn * 104_729) % len(pool)])
        examples = encode(self.tokenizer, drawn, longest)
        for rows in bucketed(examples, BATCH, rng):
            start = rng.randrange(FURTHEST) if rng.random() < SHIFTED else 0
            yield Placed(collate(rows), start)

    def optimisers(self, schedule: Schedule) -> Sequence[torch.optim.Optimizer]:
        """How to copy is new, the rest is not: it learns faster."""
        optimiser = optimiser_for(self.model, schedule)
        new = [self.model.mixture, *self.model.gate.parameters()]
        for group in optimiser.param_groups:
            group["params"] = [p for p in group["params"] if not any(p is one for one in new)]
        optimiser.add_param_group({"params": new, "weight_decay": 0.0, "factor": 10.0})
        return [optimiser]

    def loss(self, model: nn.Module, batch: Placed) -> Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            return nats(model, batch).sum()

    @torch.inference_mode()
    def held_out_losses(self) -> dict[str, float]:
        """Mean negative log-probability a token: exp of it is the perplexity."""
        self.model.eval()
        losses = {
            kind: sum(float(self.loss(self.model, batch)) for batch in batches)
            / sum(batch.count for batch in batches)
            for kind, batches in self.held_out.items()
        }
        self.model.train()
        return losses


@dataclass(frozen=True, kw_only=True)
class SummaryRecipe(Recipe):
    translator: str = "transformer"  # what it begins with

    def tokenizer(self, options: Options) -> Tokenizer:
        path = options.runs / f"tokenizer-{self.name}.json"
        if not path.is_file():
            lines = (
                side
                for kind in MIXTURE
                for pair in titles.read(kind, options.data, "train")
                for side in pair
            )
            options.runs.mkdir(parents=True, exist_ok=True)
            path.write_text(SmallTokenizer.train(lines, SUBWORDS).to_json())
        return SmallTokenizer.from_json(path.read_text())

    def model(self, options: Options, tokenizer: Tokenizer) -> nn.Module:
        """Of the shape of the translator that it begins with."""
        shape = TransformerConfig(**checkpoints.card(self.translator).config)
        return run.build("summary", replace(shape, vocabulary=tokenizer.size, dropout=0.1))

    def begin(self, options: Options, model: nn.Module) -> Progress:
        """All that the translator knows, in this spelling; how to copy is new."""
        assert isinstance(model, Summariser)
        old = checkpoints.load(self.translator)
        new = self.tokenizer(options)
        known = old.model.state_dict()
        known["embedding.weight"] = respelt(known["embedding.weight"], old.tokenizer, new)
        known["bias"] = respelt(known["bias"].unsqueeze(1), old.tokenizer, new)[:, 0]
        known["embedding.weight"][PAD] = 0.0
        model.load_state_dict(model.state_dict() | known)
        return Progress()

    def task(self, options: Options, model: nn.Module, tokenizer: Tokenizer) -> SummaryTask:
        return SummaryTask(model, tokenizer, options.data, self.schedule.seed)

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return measure(bundle, folder)


SUMMARY = SummaryRecipe(
    name="summary",
    title="Transformer that writes the title of a text",
    paper="Liu et al. 2018",
    architecture="summary",
    data=tuple(map(titles.describe, MIXTURE)),
    examples=(
        "We propose a new simple network architecture, the Transformer, based solely on attention "
        "mechanisms, dispensing with recurrence and convolutions entirely.",
    ),
    notes=(
        "It began with the weights of the translator, in a spelling of its own: an hour on a part "
        "of one core is too little to learn English as well. In training it read at most the first "
        f"{LONG} sub-words of a text, some of them at later positions: longer texts are read, but "
        "were not practised. It reads and writes small letters; the words of a title then get the "
        "capitals that they have in the text. In a title no three sub-words come twice (Paulus et "
        "al. 2018), no word follows itself, and a piece inside a word is copied only from where "
        "the text has it behind the piece before: rules of the search, which the model did not "
        "learn; without the last two it stammers (ROUGE-1 30.5 on papers, 33.6 on news). A title "
        "may say what its text does not; outside of computational linguistics and the news of 1987 "
        "it is seldom a good one."
    ),
    schedule=Schedule(
        steps=60_000, peak=1.2e-3, warmup=50, decay_from=0.4, average=0.99, check_every=100
    ),
)

RECIPES = {SUMMARY.name: SUMMARY}

"""The translators: pairs in, next target token out. What they share, whatever the model."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from viz_core import checkpoints
from viz_core.checkpoints import Bundle
from viz_core.text import PAD, Tokenizer, french_spacing
from viz_core.training import data, growth, run, state
from viz_core.training.data import Batch, Example, Pair, Part, links
from viz_core.training.loop import Task
from viz_core.training.loss import linear_cross_entropy
from viz_core.training.measure import translation as translation_measure
from viz_core.training.run import Options, Recipe
from viz_core.training.state import Progress

LARGE = 12_000  # sub-words of the two that translate best: months, countries, most words are whole
CHUNK = 16_000  # sentences drawn at a time, then bucketed by length
Watched = Sequence[tuple[str, str]]

# Watched while training: how their alignment sharpens is shown on a slider.
WATCHED = (
    (
        "The agreement on the European Economic Area was signed in August 1992.",
        "L'accord sur la zone économique européenne a été signé en août 1992.",
    ),
    ("I lost my red umbrella on the train.", "J'ai perdu mon parapluie rouge dans le train."),
    (
        "The animal didn't cross the street because it was too tired.",
        "L'animal n'a pas traversé la rue parce qu'il était trop fatigué.",
    ),
    (
        "The animal didn't cross the street because it was too wide.",
        "L'animal n'a pas traversé la rue parce qu'elle était trop large.",
    ),
)


class TranslationTask(Task):
    def __init__(
        self,
        model: nn.Module,
        tokenizer: Tokenizer,
        read: Callable[[str, Part], list[Pair]],
        mixture: dict[str, float],
        *,
        out: Path,
        batch_tokens: int,
        watched: Watched = WATCHED,
        smoothing: float = 0.1,
        naming: float = 0.0,
        guiding: float = 0.0,
        half: bool = False,
        seed: int = 1,
    ) -> None:
        self.model: Any = model  # RNN or Transformer: features, logits and an embedding
        self.tokenizer, self.out = tokenizer, out
        self.mixture, self.batch_tokens = mixture, batch_tokens
        self.smoothing, self.seed = smoothing, seed
        self.naming, self.guiding = naming, guiding
        self.half = half  # products in half precision, half as long; the weights stay whole
        self.watched = watched
        self.pools = {name: data.encode(tokenizer, read(name, "train")) for name in mixture}
        if guiding:
            self.pools = with_links(self.pools, tokenizer.size)
        self.held_out = {
            name: self.some(read(name, "held-out")) for name in data.REAL if name in mixture
        }

    def some(self, pairs: list[Pair]) -> list[Batch]:
        examples = data.encode(self.tokenizer, pairs)[:400]
        return [data.collate(rows) for rows in data.bucketed(examples, 2000, random.Random(0))]

    def batches(self, progress: float, chunk: int) -> Iterator[Batch]:
        """A chunk of the mixture. Sentences start short, and soon reach their full length."""
        rng = random.Random(self.seed * 1_000_003 + chunk)
        longest = 12 + int(720 * progress)
        drawn: list[Example] = []
        for name, share in self.mixture.items():
            pool = self.pools[name]
            wanted = int(CHUNK * share)
            short = [e for e in rng.sample(pool, min(len(pool), 3 * wanted)) if fits(e, longest)]
            drawn += short[:wanted]
        for rows in data.bucketed(drawn, self.batch_tokens, rng):
            yield data.collate(rows)

    def loss(self, model: nn.Module, batch: Batch) -> Tensor:
        with torch.autocast("cpu", torch.bfloat16, enabled=self.half):
            features, memory = model(batch.source, batch.target)
        real = batch.wanted != PAD
        told = features[real]
        loss = linear_cross_entropy(
            told.bfloat16() if self.half else told,  # a norm at the end leaves them whole
            self.model.embedding.weight,
            self.model.bias,
            batch.wanted[real],
            self.smoothing,
        )
        known = batch.it >= 0
        if self.naming and bool(known.any()):
            loss = loss + self.naming * self.naming_loss(memory.states[known], batch, known)
        if self.guiding:
            loss = loss + self.guiding * guiding_loss(memory, batch.linked)
        return loss

    def naming_loss(self, states: Tensor, batch: Batch, known: Tensor) -> Tensor:
        """The encoder's state at "it" must name its noun through the tied embedding.

        It supervises what "it" means, not where any head looks.
        """
        at = states[torch.arange(len(states)), batch.it[known]].float()
        logits = self.model.logits(at)
        return nn.functional.cross_entropy(logits, batch.antecedent[known], reduction="sum")

    @torch.inference_mode()
    def held_out_losses(self) -> dict[str, float]:
        """Mean negative log-probability a token, no smoothing: exp of it is the perplexity."""
        self.model.eval()
        losses = {name: self.mean_loss(batches) for name, batches in self.held_out.items()}
        self.model.train()
        return losses

    def mean_loss(self, batches: list[Batch]) -> float:
        total = count = 0.0
        for batch in batches:
            real = batch.wanted != PAD
            features, _ = self.model(batch.source, batch.target)
            logits = self.model.logits(features[real])
            total += float(nn.functional.cross_entropy(logits, batch.wanted[real], reduction="sum"))
            count += batch.count
        return total / max(count, 1)

    @torch.inference_mode()
    def snapshot(self, step: int) -> None:
        """Attention on the watched sentences, a byte a weight, one line per snapshot."""
        self.model.eval()
        lines = []
        for english, french in self.watched:
            pair = data.encode(self.tokenizer, [data.Pair(english, french)])
            batch = data.collate(pair)
            weights = watch(self.model, batch)
            lines.append({"weights": (weights * 255).round().to(torch.uint8).tolist()})
        self.model.train()
        self.out.mkdir(parents=True, exist_ok=True)
        with (self.out / "snapshots.jsonl").open("a") as file:
            file.write(json.dumps({"step": step, "sentences": lines}) + "\n")


def with_links(pools: dict[str, list[Example]], size: int) -> dict[str, list[Example]]:
    found = iter(links.linked(list(chain.from_iterable(pools.values())), size))
    return {name: list(islice(found, len(pool))) for name, pool in pools.items()}


def guiding_loss(weights: Tensor, linked: Tensor) -> Tensor:
    """An RNN's alignment (batch, query, key) is to lie on the links of each token that has some.

    Chen et al. 2016, Guided Alignment Training for Topic-Aware Neural Machine Translation.
    """
    on_links = (weights.float() * linked).sum(-1)[linked.any(-1)]
    return -on_links.clamp_min(1e-6).log().sum()


def watch(model: nn.Module, batch: Batch) -> Tensor:
    """What is watched: an RNN's alignment; a Transformer's encoder, every head of it."""
    _, looked = model(batch.source, batch.target)
    if isinstance(looked, Tensor):
        return looked[0]  # (query, key)
    return torch.stack([block.weights[0] for block in looked.encoder])  # (layer, head, query, key)


def fits(example: Example, longest: int) -> bool:
    return len(example.source) <= longest and len(example.target) <= longest


# ---- the recipe -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Translator(Recipe):
    config: Any  # of its architecture; its vocabulary is the tokeniser's size
    mixture: dict[str, float]  # corpus -> share of the sentences
    batch_tokens: int
    smaller: str = ""  # the checkpoint that --grow begins with
    growing: Callable[[Any, Tokenizer, Any, Tokenizer], None] = growth.grow
    naming: float = 0.0  # the weight of the naming loss: one "it" counts as much as so many tokens
    guiding: float = 0.0  # of an RNN: how much where it looks counts beside what it writes
    half: bool = False  # products in half precision (bfloat16)
    data: tuple[dict[str, str], ...] = field(init=False)
    examples: tuple[str, ...] = tuple(english for english, _ in WATCHED)

    def __post_init__(self) -> None:
        object.__setattr__(self, "data", tuple(map(data.describe, self.mixture)))

    def tokenizer(self, options: Options) -> Tokenizer:
        """Its own if it goes further; otherwise the joint one of its size."""
        if options.further:
            known: Tokenizer = checkpoints.load(self.name).tokenizer
            return known
        return joint_tokenizer(options.data, options.runs, self.config.vocabulary)

    def model(self, options: Options, tokenizer: Tokenizer) -> nn.Module:
        return run.build(self.architecture, self.config)

    def begin(self, options: Options, model: nn.Module) -> Progress:
        if options.further:
            if not options.resume:
                write_film(checkpoints.snapshots(self.name), options.runs / self.name)
            return run.further(self.name, model)
        return self.grown(options, model) if options.grow else Progress()

    def grown(self, options: Options, model: nn.Module) -> Progress:
        """What a smaller checkpoint knows, in this shape and spelling."""
        small = checkpoints.load(self.smaller)
        self.growing(small.model, small.tokenizer, model, self.tokenizer(options))
        if self.smaller != self.name:
            return Progress()
        if not options.resume:
            write_film(checkpoints.snapshots(self.name), options.runs / self.name)
        return state.past(small.card.steps, small.card.curve)

    def task(self, options: Options, model: nn.Module, tokenizer: Tokenizer) -> TranslationTask:
        return TranslationTask(
            model,
            tokenizer,
            lambda name, part: data.read(name, options.data, part),
            self.mixture,
            out=options.runs / self.name,
            batch_tokens=self.batch_tokens,
            naming=self.naming,
            guiding=self.guiding,
            half=self.half,
            seed=self.schedule.seed,
        )

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return translation_measure.measure(bundle, folder)

    def files(self, options: Options, tokenizer: Tokenizer) -> dict[str, str]:
        return {checkpoints.SNAPSHOTS: film(options.runs / self.name, tokenizer)}


def joint_tokenizer(folder: Path, runs: Path, size: int) -> Tokenizer:
    """Of both languages, shared by all translators of one size; made once from training parts."""
    path = runs / f"tokenizer-{size}.json"
    if not path.is_file():
        lines = (
            side
            for name, times in data.SPELLED.items()
            for pair in data.read(name, folder, "train") * times
            for side in (pair.english, french_spacing(pair.french))
        )
        runs.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(Tokenizer.train(lines, size).to_json())
        unfinished.replace(path)
    return Tokenizer.from_json(path.read_text())


def film(out: Path, tokenizer: Tokenizer, watched: Watched = WATCHED) -> str:
    """The attention on the watched sentences while the model learned, for the page's slider.

    A model that was grown may spell a sentence in more or fewer pieces than before: then its film
    begins with the new spelling.
    """
    lines = [json.loads(line) for line in (out / "snapshots.jsonl").read_text().splitlines()]
    by_step = {line["step"]: line["sentences"] for line in lines}
    sentences = []
    for number, (english, french) in enumerate(watched):
        source = tokenizer.encode_source(english).ids
        frames = {step: by_step[step][number]["weights"] for step in sorted(by_step)}
        fitting = {step: each for step, each in frames.items() if keys_of(each) == len(source)}
        sentences.append(
            {
                "source": source,
                "target": tokenizer.encode(tokenizer.as_written(french)).ids,
                "steps": list(fitting),
                "weights": list(fitting.values()),
            }
        )
    return json.dumps({"sentences": sentences}, separators=(",", ":"))


def keys_of(weights: Any) -> int:
    """The size of the last axis of nested lists."""
    while weights and isinstance(weights[0], list):
        weights = weights[0]
    return len(weights)


def write_film(kept: dict[str, Any], out: Path) -> None:
    """The same the other way round: a run that goes on goes on with the film."""
    out.mkdir(parents=True, exist_ok=True)
    reels = [dict(zip(one["steps"], one["weights"], strict=True)) for one in kept["sentences"]]
    with (out / "snapshots.jsonl").open("w") as file:
        for step in sorted(set().union(*reels)):
            lines = [{"weights": reel.get(step, [])} for reel in reels]
            file.write(json.dumps({"step": step, "sentences": lines}) + "\n")

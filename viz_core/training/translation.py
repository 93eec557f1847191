"""The task of the translators: pairs in, next French token out."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from viz_core.models.transformer import Keep
from viz_core.text import PAD, Tokenizer
from viz_core.training import data
from viz_core.training.data import Batch, Example
from viz_core.training.loss import linear_cross_entropy

CHUNK = 16_000  # sentences drawn at a time, then bucketed by length

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


class TranslationTask:
    def __init__(
        self,
        model: nn.Module,
        tokenizer: Tokenizer,
        folder: Path,
        mixture: dict[str, float],
        *,
        out: Path,
        batch_tokens: int,
        smoothing: float = 0.1,
        naming: float = 0.0,
        alone: tuple[int, int] | None = None,
        half: bool = False,
        seed: int = 1,
    ) -> None:
        self.model: Any = model  # RNN or Transformer: features, logits and an embedding
        self.tokenizer, self.out = tokenizer, out
        self.mixture, self.batch_tokens = mixture, batch_tokens
        self.smoothing, self.naming, self.alone, self.seed = smoothing, naming, alone, seed
        self.half = half  # products in half precision, half as long; the weights stay whole
        self.draw = random.Random(seed)  # the same in every process that shares the batches
        self.pools = {
            name: data.encode(tokenizer, data.read(name, folder, "train")) for name in mixture
        }
        real = [name for name in data.REAL if name in mixture]
        self.held_out = {name: self.some_held_out(name, folder) for name in real}

    def some_held_out(self, name: str, folder: Path) -> list[Batch]:
        examples = data.encode(self.tokenizer, data.read(name, folder, "held-out"))[:400]
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
            features, memory = model(batch.source, batch.target, *self.silence())
        real = batch.wanted != PAD
        loss = linear_cross_entropy(
            features[real],
            self.model.embedding.weight,
            self.model.bias,
            batch.wanted[real],
            self.smoothing,
        )
        known = batch.it >= 0
        if self.naming and bool(known.any()):
            loss = loss + self.naming * self.naming_loss(memory.states[known], batch, known)
        return loss

    def silence(self) -> list[Keep]:
        """In one batch of three, one head of the encoder must do without those after it.

        Otherwise several heads share out what one could do. Nothing says where it is to look.
        """
        if self.alone is None or self.draw.random() > 1 / 3:
            return []
        config = self.model.config
        encoder = torch.ones(config.encoder_layers, config.heads)
        encoder[self.alone[0] :] = 0
        encoder[self.alone] = 1
        decoder = torch.ones(config.decoder_layers, config.heads)
        return [Keep(encoder, decoder, decoder)]

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
        for english, french in WATCHED:
            pair = data.encode(self.tokenizer, [data.Pair(english, french)])
            batch = data.collate(pair)
            weights = watch(self.model, batch)
            lines.append({"weights": (weights * 255).round().to(torch.uint8).tolist()})
        self.model.train()
        self.out.mkdir(parents=True, exist_ok=True)
        with (self.out / "snapshots.jsonl").open("a") as file:
            file.write(json.dumps({"step": step, "sentences": lines}) + "\n")


def watch(model: nn.Module, batch: Batch) -> Tensor:
    """What is watched: an RNN's alignment; a Transformer's encoder row of every head."""
    _, seen = model(batch.source, batch.target)
    if isinstance(seen, Tensor):
        return seen[0]  # (query, key)
    return torch.stack([block.weights[0] for block in seen.encoder])  # (layer, head, query, key)


def fits(example: Example, longest: int) -> bool:
    return len(example.source) <= longest and len(example.target) <= longest


def perplexity(loss: float) -> float:
    return math.exp(min(loss, 50.0))

"""What BERT is pre-trained on (Devlin et al. 2019, section 3.1 and appendix A).

Masked LM, by the rule in viz_core.text.masking; and next sentence: half of the second sentences
come from another document.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from viz_core.models.bert import Bert
from viz_core.text.masking import Masking
from viz_core.text.wordpiece import WordPiece
from viz_core.training.data.bert import Corpus, Numbers
from viz_core.training.loop import Task
from viz_core.training.loss import linear_cross_entropy

Kind = Literal["window", "pair", "single"]
# Most batches fill the whole length; the others are whole sentences, as a visitor types them.
KINDS: dict[Kind, float] = {"window": 0.6, "pair": 0.25, "single": 0.15}
FOLLOWING = 3.0  # what next sentence weighs against masks in training
NO_PAIR = -1
CHUNK = 100  # batches
SHORTEST = 5  # tokens of a sentence or a pair, [CLS] and [SEP] apart

WATCHED = (
    "The cat sat on the [MASK].",
    "This movie was absolutely [MASK].",
    "Paris is the capital of [MASK].",
    "She opened the [MASK] and went into the house.",
)


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one length, so nothing is padded, and of as many masked places each."""

    ids: Tensor  # (batch, token)
    segments: Tensor  # (batch, token)
    places: Tensor  # (batch, 1 + masked): [CLS], then what is to be named
    wanted: Tensor  # (batch, masked)
    follows: Tensor  # (batch,): 1 next sentence, 0 another document, -1 a single sentence

    def share(self, rank: int, world: int) -> Batch:
        return Batch(*(getattr(self, name)[rank::world] for name in self.__slots__))

    @property
    def count(self) -> int:
        return self.ids.numel()


class Drawing:
    """Draws sentence pairs from corpora and masks them; everything follows from the generator."""

    def __init__(self, tokenizer: WordPiece, corpora: Sequence[Corpus], length: int) -> None:
        self.corpora, self.length = corpora, length
        self.masking = Masking(tokenizer)

    def batch(self, kind: Kind, tokens: int, rng: np.random.Generator) -> Batch:
        """About `tokens` tokens, in equal parts from every corpus."""
        size = self.size(kind, rng)
        length = size + (2 if kind == "single" else 3)
        each = max(1, tokens // length // len(self.corpora))
        drawn = [row for corpus in self.corpora for row in draw(corpus, kind, size, each, rng)]
        ids = np.full((len(drawn), length), self.masking.sep, dtype=np.int64)
        segments = np.zeros_like(ids)
        ids[:, 0] = self.masking.cls
        for row, (first, second, _) in enumerate(drawn):
            ids[row, 1 : 1 + len(first)] = first
            if len(second):
                ids[row, 2 + len(first) : -1] = second
                segments[row, 2 + len(first) :] = 1
        follows = np.array([label for _, _, label in drawn], dtype=np.int64)
        hidden = self.masking(ids, rng)
        places = np.concatenate((np.zeros((len(ids), 1), dtype=np.int64), hidden.places), axis=1)
        return Batch(*map(torch.from_numpy, (hidden.ids, segments, places, hidden.wanted, follows)))

    def size(self, kind: Kind, rng: np.random.Generator) -> int:
        """Tokens without [CLS] and [SEP]: all that fit, or what a random sentence or pair has."""
        most = self.length - 3
        if kind == "window":
            return most
        while True:
            corpus = self.corpora[int(rng.integers(len(self.corpora)))]
            sizes = corpus.sizes if kind == "single" else corpus.pair_sizes
            size = int(sizes[rng.integers(len(sizes))])
            table = "by_size" if kind == "single" else "by_pair_size"
            if SHORTEST <= size <= most and all(
                len(getattr(other, table)[size]) for other in self.corpora
            ):
                return size


Row = tuple[Numbers, Numbers, int]  # first sentence, second sentence, does it follow


def draw(corpus: Corpus, kind: Kind, size: int, count: int, rng: np.random.Generator) -> list[Row]:
    if kind == "window":
        return draw_windows(corpus, size, count, rng)
    ids, starts, sizes = corpus.ids, corpus.starts, corpus.sizes

    def text(sentence: int) -> Numbers:
        return ids[starts[sentence] : starts[sentence + 1]]

    if kind == "single":
        drawn = rng.choice(corpus.by_size[size], count)
        return [(text(i), ids[:0], NO_PAIR) for i in drawn]
    rows: list[Row] = []
    for first in rng.choice(corpus.by_pair_size[size], count).tolist():
        second, follows = first + 1, int(rng.integers(2))
        if not follows:  # of the same size, so that the size does not give it away
            other = int(rng.choice(corpus.by_size[int(sizes[second])]))
            follows = int(corpus.documents[other] == corpus.documents[first])
            second = second if follows else other
        rows.append((text(first), text(second), follows))
    return rows


def draw_windows(corpus: Corpus, size: int, count: int, rng: np.random.Generator) -> list[Row]:
    """Whole sentences as the first part, then as much of the second as fits: `size` in all."""
    ids, starts = corpus.ids, corpus.starts
    rows: list[Row] = []
    tries = 0
    while len(rows) < count:
        tries += 1
        if tries > 1000:
            raise ValueError(f"No document has two sentences of {size} tokens together.")
        first = rng.integers(len(corpus.documents), size=2 * count)
        goal = rng.integers(max(1, size // 6), max(2, size * 5 // 6), size=2 * count)
        end = np.searchsorted(starts, starts[first] + goal, side="right") - 1
        end = np.maximum(end, first + 1)  # the sentence after the first part
        length = starts[end] - starts[first]
        rest = size - length
        follows = rng.integers(2, size=2 * count)
        other = rng.integers(len(corpus.documents), size=2 * count)
        begins = np.where(follows, starts[end], starts[other])
        home = np.where(follows, first, other)
        fits = (rest >= max(1, size // 8)) & (begins + rest <= corpus.ends[home])
        fits &= starts[end] <= corpus.ends[first]
        elsewhere = corpus.inner[other] & (corpus.documents[other] != corpus.documents[first])
        for i in np.flatnonzero(fits & ((follows == 1) | elsewhere))[: count - len(rows)]:
            a, b = int(starts[first[i]]), int(begins[i])
            rows.append((ids[a : a + length[i]], ids[b : b + rest[i]], int(follows[i])))
    return rows


class MaskedTask(Task):
    """Masked LM and next sentence together, for the training loop."""

    def __init__(
        self,
        model: Bert,
        tokenizer: WordPiece,
        train: Sequence[Corpus],
        held_out: Sequence[Corpus],
        *,
        out: Path,
        length: int = 64,
        batch_tokens: int = 2048,
        checked: int = 16,
        seed: int = 1,
    ) -> None:
        self.model: Any = model
        self.tokenizer, self.out, self.seed, self.batch_tokens = tokenizer, out, seed, batch_tokens
        self.drawing = Drawing(tokenizer, train, length)
        apart = Drawing(tokenizer, held_out, length)
        rng = np.random.default_rng(0)
        kinds = (list(KINDS) * checked)[:checked]
        self.held_out = [apart.batch(kind, batch_tokens, rng) for kind in kinds]

    def batches(self, progress: float, chunk: int) -> Iterator[Batch]:
        rng = np.random.default_rng((self.seed, chunk))
        for kind in rng.choice(list(KINDS), CHUNK, p=list(KINDS.values())).tolist():
            yield self.drawing.batch(kind, self.batch_tokens, rng)

    def loss(self, model: nn.Module, batch: Batch) -> Tensor:
        """Mean over the masked places plus mean over the pairs, as a sum over tokens.

        A pair is one answer where a text has ten masks, so in training pairs weigh more.
        """
        states = model(batch.ids, batch.segments, places=batch.places).states
        length, masked = batch.ids.shape[1], batch.wanted.shape[1]
        features = self.model.mask_features(states[:, 1:].flatten(0, 1))
        weight, bias = self.model.token.weight, self.model.bias
        naming = linear_cross_entropy(features, weight, bias, batch.wanted.flatten(), 0.0)
        loss = naming * (length / masked)
        logits = self.model.task_logits(states)  # in every batch: each weight gets its gradient
        if (batch.follows != NO_PAIR).all():
            weight = length * (FOLLOWING if model.training else 1.0)
            return loss + weight * cross_entropy(logits, batch.follows, reduction="sum")
        return loss + 0.0 * logits.sum()

    @torch.inference_mode()
    def held_out_losses(self) -> dict[str, float]:
        """The same mean as in training, over fixed batches of held-out documents."""
        self.model.eval()
        total = sum(float(self.loss(self.model, batch)) for batch in self.held_out)
        self.model.train()
        return {"all": total / sum(batch.count for batch in self.held_out)}

    @torch.inference_mode()
    def snapshot(self, step: int) -> None:
        """What the model puts into the watched gaps, one line per snapshot."""
        self.model.eval()
        guesses = {text: self.guesses(text) for text in WATCHED}
        self.model.train()
        self.out.mkdir(parents=True, exist_ok=True)
        with (self.out / "snapshots.jsonl").open("a") as file:
            file.write(json.dumps({"step": step, "guesses": guesses}) + "\n")

    def guesses(self, text: str, top: int = 5) -> list[tuple[str, float]]:
        encoded = self.tokenizer.encode(text)
        at = torch.tensor([[encoded.ids.index(self.drawing.masking.mask)]])
        seen = self.model(torch.tensor([encoded.ids]), torch.tensor([encoded.segments]), places=at)
        values, tokens = self.model.mask_logits(seen.states[0, 0]).softmax(-1).topk(top)
        return [
            (self.tokenizer.label(token), round(value, 4))
            for token, value in zip(tokens.tolist(), values.tolist(), strict=True)
        ]


def log_frequencies(corpora: Sequence[Corpus], vocabulary: int) -> Tensor:
    """How often each token occurs: the output bias starts there, not at a uniform guess."""
    counts = np.ones(vocabulary)  # one more than there are, so that none is impossible
    for corpus in corpora:
        counts += np.bincount(corpus.ids, minlength=vocabulary)
    return torch.from_numpy(np.log(counts / counts.sum())).float()

"""What the readers of running text are trained on: the next token, and before it the one before.

Batches are whole sentences, one or two that follow each other, of one length: nothing is padded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from viz_core import checkpoints, probe
from viz_core.analysis.reading import PERPLEXITY
from viz_core.checkpoints import Bundle
from viz_core.text.wordpiece import WordPiece
from viz_core.training.data import bert as running
from viz_core.training.data.bert import Corpus
from viz_core.training.loop import Task
from viz_core.training.masked import log_frequencies
from viz_core.training.run import Options

PIECES = 10_000  # tokens of the vocabulary
LEARNED_FROM = 400_000  # sentences of the training documents
SHORTEST, LONGEST = 4, 40  # tokens of a batch's rows
SAMPLED = 1024  # wrong words that a right one is compared with in training
CHUNK = 100  # batches
TESTED = 1000  # sentences of each corpus
CHECKED = 6  # batches of held-out text
BERT = "bert-mini"  # whose table of vectors is the first one here
DATA = tuple(running.describe(name) for name in running.CORPORA)


# ---- the text ---------------------------------------------------------------------------------


def folder(options: Options) -> Path:
    return options.runs / "language"


def pieces(options: Options) -> WordPiece:
    """A vocabulary of its own, from the training documents; made once."""
    path = folder(options) / f"wordpiece-{PIECES}.json"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(WordPiece.train(lines(options.data), PIECES).to_json(), encoding="utf-8")
    return WordPiece.from_json(path.read_text(encoding="utf-8"))


def lines(data: Path) -> Iterator[str]:
    """Sentences of both corpora in equal parts."""
    for documents in running.CORPORA.values():
        learned = (text for name, text in documents(data) if running.part_of(name) == "train")
        yield from islice(
            (s for text in learned for s in running.sentences(text)), LEARNED_FROM // 2
        )


def corpora(part: Any, options: Options, tokenizer: WordPiece) -> list[Corpus]:
    runs = folder(options)
    return [running.corpus(name, part, options.data, runs, tokenizer) for name in running.CORPORA]


@dataclass(frozen=True, slots=True)
class Rows:
    ids: Tensor  # (batch, token)

    def share(self, rank: int, world: int) -> Rows:
        return Rows(self.ids[rank::world])

    @property
    def count(self) -> int:
        return self.ids.numel()


def draw(corpora: Sequence[Corpus], rng: np.random.Generator, tokens: int) -> Rows:
    """Sentences, or pairs of them, of the length that a random one has; from each corpus alike."""
    pairs = rng.random() < 0.3
    while True:
        corpus = corpora[int(rng.integers(len(corpora)))]
        sizes = corpus.pair_sizes if pairs else corpus.sizes
        # By their tokens: a long sentence is as many lessons as two short ones.
        place = int(np.searchsorted(corpus.starts, rng.integers(len(corpus.ids)), "right")) - 1
        size = int(sizes[place])
        tables = [one.by_pair_size if pairs else one.by_size for one in corpora]
        if SHORTEST <= size <= LONGEST and all(len(table[size]) for table in tables):
            break
    each = max(1, tokens // size // len(corpora))
    rows = [
        one.ids[one.starts[first] : one.starts[first] + size]
        for one, table in zip(corpora, tables, strict=True)
        for first in rng.choice(table[size], each).tolist()
    ]
    return Rows(torch.from_numpy(np.stack(rows).astype(np.int64)))


# ---- the first vectors ------------------------------------------------------------------------


@torch.no_grad()
def first_vectors(tokenizer: WordPiece, width: int) -> Tensor:
    """BERT's vectors of the same pieces in their main directions; (token, width), length about 1.

    A piece that BERT does not have begins as the mean of what BERT splits it into. In half an hour
    of a single processor a table that begins at random learns few of its rare words.
    """
    known = checkpoints.load(BERT)
    table = known.model.token.weight.float()
    numbers = {piece: number for number, piece in enumerate(known.tokenizer.vocabulary)}
    rows = []
    for piece in tokenizer.vocabulary:
        same = numbers.get(piece)
        ids = [same] if same is not None else known.tokenizer.encode_batch([piece.lstrip("#")])[0]
        rows.append(table[ids].mean(0) if ids else table.mean(0))
    centred = torch.stack(rows) - table.mean(0)
    _, _, directions = torch.linalg.svd(centred, full_matrices=False)
    turned = centred @ directions[:width].T
    return turned / turned.norm(dim=-1).mean()


def begin(model: Any, tokenizer: WordPiece, train: Sequence[Corpus]) -> None:
    """Vectors of BERT, and an output bias that knows how frequent each token is."""
    with torch.no_grad():
        model.token.weight.copy_(first_vectors(tokenizer, model.token.weight.shape[1]))
        model.bias.copy_(log_frequencies(train, tokenizer.size))


# ---- the loss ---------------------------------------------------------------------------------


class Sampling:
    """Sampled softmax (Jean et al. 2015, section 3): the right token against a random sample.

    The sample is drawn by frequency, and each wrong token counts for all that were as likely to be
    drawn, so that the sum under the fraction is that of the full softmax on average.
    """

    def __init__(self, train: Sequence[Corpus], vocabulary: int) -> None:
        self.shares = (0.75 * log_frequencies(train, vocabulary)).softmax(-1)

    def __call__(self, states: Tensor, wanted: Tensor, table: Tensor, bias: Tensor) -> Tensor:
        """Summed over rows: states (row, width), wanted (row,)."""
        drawn = torch.multinomial(self.shares, SAMPLED, replacement=True)
        with torch.autocast("cpu", torch.bfloat16):
            wrong = states @ table[drawn].T  # (row, sample)
        wrong = wrong.float() + (bias[drawn] - (SAMPLED * self.shares[drawn]).log())
        wrong = wrong.masked_fill(drawn == wanted[:, None], float("-inf"))
        right = (states * table[wanted]).sum(-1) + bias[wanted]
        return (torch.cat((right[:, None], wrong), 1).logsumexp(-1) - right).sum()


@torch.inference_mode()
def mean_nats(model: Any, batches: Sequence[Rows]) -> float:
    """Of a token, with the full softmax."""
    total = sum(float(model.nats(batch.ids).sum()) for batch in batches)
    return total / sum(batch.count for batch in batches)


class LanguageTask(Task):
    """Rows of running text; a model that has `token`, `bias` and `nats`."""

    def __init__(
        self, model: Any, tokenizer: WordPiece, options: Options, *, tokens: int, seed: int
    ) -> None:
        self.model: Any = model
        self.tokens, self.seed = tokens, seed
        self.train = corpora("train", options, tokenizer)
        self.sampling = Sampling(self.train, tokenizer.size)
        begin(model, tokenizer, self.train)
        held_out = corpora("held-out", options, tokenizer)
        rng = np.random.default_rng(0)
        self.held_out = [draw(held_out, rng, 1024) for _ in range(CHECKED)]

    def batches(self, progress: float, chunk: int) -> Iterator[Rows]:
        rng = np.random.default_rng((self.seed, chunk))
        for _ in range(CHUNK):
            yield draw(self.train, rng, self.tokens)

    def sampled(self, states: Tensor, wanted: Tensor) -> Tensor:
        """Summed over the tokens: states (batch, token, width) before each wanted one."""
        rows = states.flatten(0, 1).float()
        return self.sampling(rows, wanted.flatten(), self.model.token.weight, self.model.bias)

    def held_out_losses(self) -> dict[str, float]:
        return {"all": mean_nats(self.model, self.held_out)}


def tests(data: Path) -> dict[str, list[str]]:
    """Sentences of documents that were never read, of 4 to 30 words, by corpus."""
    return {f"{name} test": drawn(name, data) for name in running.CORPORA}


@cache
def drawn(name: str, data: Path) -> list[str]:
    """The same ones each time."""
    found = [
        sentence
        for title, text in running.CORPORA[name](data)
        if running.part_of(title) == "test"
        for sentence in running.sentences(text)
        if 4 <= len(sentence.split()) <= 30
    ]
    places = np.random.default_rng(0).choice(len(found), min(TESTED, len(found)), replace=False)
    return [found[place] for place in places]


def figures(bundle: Bundle, texts: Sequence[str]) -> dict[str, float]:
    """Perplexity of a word by the public call, a sentence at a time."""
    losses = [probe.language_loss(bundle, text) for text in texts]
    nats, words = (sum(part) for part in zip(*losses, strict=True))
    return {PERPLEXITY: round(math.exp(nats / words), 1), "words": float(words)}

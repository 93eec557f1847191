"""The parallel corpora: where they come from, how they are cleaned, split and batched."""

from __future__ import annotations

import gzip
import random
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from viz_core.text import END, PAD, START, Tokenizer, normalise
from viz_core.training.data import coreference, joins, phrases, swaps

Part = Literal["train", "held-out", "test"]
SHEET = Path(__file__).parents[3] / "docs" / "sentences.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A public file, and what to say when it is not there."""

    file: str
    origin: str
    licence: str

    def path(self, folder: Path) -> Path:
        path = folder / self.file
        if not path.is_file():
            raise ValueError(f"{path} is missing. Its public source: {self.origin}")
        return path


TATOEBA = Source(
    file="tatoeba/fra-eng.zip",
    origin="https://www.manythings.org/anki/fra-eng.zip",
    licence="CC-BY 2.0 FR, Tatoeba via manythings.org",
)
EUROPARL = Source(
    file="europarl/europarl-short.en-fr.tsv.gz",
    origin="https://www.statmt.org/europarl (up to 14 words, or up to 22 with it and il/elle)",
    licence="European Parliament proceedings, free to reuse",
)
HANSARD = Source(
    file="hansard/hansard-short.en-fr.tsv.gz",
    origin="the Hansard of the 36th Canadian parliament, sentences of 3 to 16 words",
    licence="Hansard of the 36th Parliament of Canada, research use",
)
MULTI30K = Source(
    file="multi30k/train.en.gz",
    origin="https://github.com/multi30k/dataset (train.en.gz, train.fr.gz, val.en.gz, val.fr.gz)",
    licence="Multi30k, research use",
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence and its translation; english and french are those of the corpora on board, and of
    a visitor's own pairs the source and the target."""

    english: str
    french: str
    it: int = -1  # character offsets of "it" and of the noun it stands for; generated pairs only
    antecedent: int = -1


def part_of(english: str) -> Part:
    """Split by English sentence, letters only: no spelling of a test sentence is trained on."""
    place = zlib.crc32(letters(english).encode()) % 1000
    return "test" if place < 10 else "held-out" if place < 15 else "train"


def letters(english: str) -> str:
    return re.sub(r"\W+", " ", english.lower()).strip()


def _lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from file


def tatoeba(folder: Path) -> Iterator[Pair]:
    with zipfile.ZipFile(TATOEBA.path(folder)) as archive, archive.open("fra.txt") as file:
        for line in file:
            english, french = line.decode("utf-8").rstrip("\n").split("\t")[:2]
            yield Pair(english, french)


def europarl(folder: Path) -> Iterator[Pair]:
    """Loose pairs (one side twice as long as the other) teach nothing: they are left out."""
    for line in _lines(EUROPARL.path(folder)):
        english, french = re.sub(r'(?<=\w)"(?=\w)', "'", line.rstrip("\n")).split("\t")
        if is_close(english, french) and not OTHER_LANGUAGE.search(french):
            yield Pair(english, french)


# A few hundred of Europarl's French sides are Portuguese, Spanish or German.
OTHER_LANGUAGE = re.compile(r"[ãõñ¿ß]|\b(?:der|und|das|não|para|uma|los|las|und|het|een)\b")


def is_close(english: str, french: str) -> bool:
    return 0.6 < (1 + len(french)) / (1 + len(english)) < 2.2


def hansard(folder: Path) -> Iterator[Pair]:
    for line in _lines(HANSARD.path(folder)):
        english, french = line.rstrip("\n").split("\t")
        if is_close(english, french):
            yield Pair(english, french)


def multi30k(folder: Path, part: Literal["train", "val"] = "train") -> Iterator[Pair]:
    """Its training part, of which we keep some apart as of the others, or its validation part."""
    sides = [
        replace(MULTI30K, file=f"multi30k/{part}.{language}.gz").path(folder)
        for language in ("en", "fr")
    ]
    for pair in zip(*map(_lines, sides), strict=True):
        yield Pair(pair[0].strip(), pair[1].strip())


def real(folder: Path) -> Iterator[tuple[str, str]]:
    for corpus in (tatoeba, europarl, multi30k, hansard):
        for pair in corpus(folder):
            if part_of(pair.english) == "train":  # before anything is swapped
                yield normalise(pair.english), normalise(pair.french)


def swapped(folder: Path) -> Iterator[Pair]:
    """Real pairs with other numbers, dates and names on both sides."""
    for english, french in swaps.swapped(real(folder), seed=1):
        yield Pair(english, french)


def typed(folder: Path) -> Iterator[Pair]:
    """Short pairs as people type them, without the full stop or the capital."""
    pairs = ((pair.english, pair.french) for pair in read("tatoeba", folder, "train"))
    for english, french in swaps.as_typed(pairs, seed=2):
        yield Pair(english, french)


def respelt(folder: Path) -> Iterator[Pair]:
    """Real pairs in British spelling."""
    for english, french in swaps.respelt(real(folder)):
        yield Pair(english, french)


def spelled_out(folder: Path, count: int = 250_000) -> Iterator[Pair]:
    """Everyday sentences from our own tables; none that stands on a sheet of sentences, and none
    in which "it" stands beside two nouns that the test part of the grammar asks about."""
    sheets = SHEET.parent.glob(f"{SHEET.stem}*.txt")
    lines = "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets).splitlines()
    kept_apart = set(map(letters, lines))
    for english, french in dict(phrases.generate(count, seed=1)).items():
        if letters(english) not in kept_apart and not coreference.asks_of_test_pair(english):
            yield Pair(english, french)


def joined(folder: Path, count: int = 120_000) -> Iterator[Pair]:
    """Short everyday pairs put together to long ones, a third of them from our own tables."""
    everyday = [*read("tatoeba", folder, "train"), *read("phrases", folder, "train")[:80_000]]
    texts = ((normalise(pair.english), normalise(pair.french)) for pair in everyday)
    for english, french in joins.joined(texts, count, seed=3):
        if not coreference.asks_of_test_pair(english):
            yield Pair(english, french)


def generated(folder: Path, count: int = 150_000) -> Iterator[Pair]:
    """Coreference sentences from our own grammar, its training part."""

    for example in coreference.generate("train", count, seed=1):
        yield Pair(example.english, example.french, example.it_at, example.antecedent_at)


def pronouns(folder: Path) -> Iterator[Pair]:
    """The real pairs in which "it" may have become il or elle: too rare to learn from otherwise."""
    for pair in chain(tatoeba(folder), europarl(folder)):
        if re.search(r"\bit\b", pair.english, re.I) and re.search(
            r"\belle\b|\bil\b", pair.french, re.I
        ):
            yield pair


# How often each corpus counts for the tokeniser: everyday words before those of parliaments.
SPELLED = {"tatoeba": 6, "multi30k": 4, "europarl": 1, "hansard": 1, "swapped": 2}
OWN = "own pairs"  # a visitor's
REAL = ("tatoeba", "europarl", "multi30k", "hansard", OWN)
CORPORA: dict[str, Callable[[Path], Iterator[Pair]]] = {
    "tatoeba": tatoeba,
    "europarl": europarl,
    "multi30k": multi30k,
    "hansard": hansard,
    "pronouns": pronouns,
    "swapped": swapped,
    "typed": typed,
    "respelt": respelt,
    "phrases": spelled_out,
    "joined": joined,
    "generated": generated,
}


def describe(name: str) -> dict[str, str]:
    """A corpus as a card names it."""
    if name == "generated":
        return {"name": name, "licence": "own grammar", "split": "by noun pair"}
    if name == "phrases":
        return {"name": name, "licence": "own tables", "split": "no sentence of the sheet"}
    if name == "pronouns":
        return {"name": name, "licence": "as tatoeba and europarl", "split": "of their train parts"}
    if name == "joined":
        return {"name": name, "licence": "as tatoeba, own tables", "split": "of their train parts"}
    if name in ("swapped", "typed", "respelt"):
        return {"name": name, "licence": "as the real pairs", "split": "of their train parts"}
    source = {
        "tatoeba": TATOEBA,
        "europarl": EUROPARL,
        "multi30k": MULTI30K,
        "hansard": HANSARD,
    }[name]
    split = "by English sentence: 98.5% train, 0.5% held-out, 1% test"
    return {"name": name, "licence": source.licence, "split": split}


def read(name: str, folder: Path, part: Part) -> list[Pair]:
    pairs = CORPORA[name](folder)
    if name == "generated":  # it has a test part of its own, by noun pairs
        return list(pairs)
    return [pair for pair in pairs if part_of(pair.english) == part]


@dataclass(frozen=True, slots=True)
class Example:
    source: np.ndarray
    target: np.ndarray
    it: int = -1  # token index of "it"
    antecedent: int = -1  # token id of the noun
    links: np.ndarray | None = None  # (link, 2): a target token and the source token it came from


@dataclass(frozen=True, slots=True)
class Batch:
    source: Tensor  # (batch, key)
    target: Tensor  # (batch, query), <s> first
    wanted: Tensor  # (batch, query), the target one step on, </s> last
    it: Tensor  # (batch,), -1 where there is none
    antecedent: Tensor  # (batch,)
    linked: Tensor  # (batch, query, key), True for a link; of one key where no pair has links

    def share(self, rank: int, world: int) -> Batch:
        """The rows of one process: together the processes see exactly the whole batch."""
        return Batch(*(getattr(self, name)[rank::world] for name in self.__slots__))

    @property
    def count(self) -> int:
        return int((self.wanted != PAD).sum())


def encode(tokenizer: Tokenizer, pairs: Sequence[Pair], longest: int = 48) -> list[Example]:
    read = [tokenizer.as_read(normalise(pair.english)) for pair in pairs]
    sources = tokenizer.encode_batch(read)
    targets = tokenizer.encode_batch([tokenizer.as_written(pair.french) for pair in pairs])
    examples = []
    for pair, english, source, target in zip(pairs, read, sources, targets, strict=True):
        if not 1 < len(source) <= longest or not 1 < len(target) <= longest:
            continue
        it = antecedent = -1
        if pair.it >= 0:
            it = token_at(tokenizer, english, pair.it)
            antecedent = source[token_at(tokenizer, english, pair.antecedent)]
        examples.append(Example(_row(source), _row(target), it, antecedent))
    return examples


def _row(ids: list[int]) -> np.ndarray:
    return np.array(ids, dtype=np.int32)


def token_at(tokenizer: Tokenizer, text: str, offset: int) -> int:
    """The token in which the character at this offset stands."""
    spans = tokenizer.spans(text)
    return next(i for i, (start, end) in enumerate(spans) if start <= offset < end)


def collate(examples: Sequence[Example]) -> Batch:
    def padded(rows: list[np.ndarray]) -> Tensor:
        table = np.full((len(rows), max(map(len, rows))), PAD, dtype=np.int64)
        for i, row in enumerate(rows):
            table[i, : len(row)] = row
        return torch.from_numpy(table)

    wanted = padded([example.target for example in examples])
    shifted = torch.cat((torch.full((len(wanted), 1), START), wanted[:, :-1]), dim=1)
    target = shifted.masked_fill(shifted == END, PAD)
    return Batch(
        padded([example.source for example in examples]),
        target,
        wanted,
        torch.tensor([example.it for example in examples]),
        torch.tensor([example.antecedent for example in examples]),
        _linked(examples, wanted),
    )


def _linked(examples: Sequence[Example], wanted: Tensor) -> Tensor:
    keys = max(len(example.source) if example.links is not None else 1 for example in examples)
    table = torch.zeros(*wanted.shape, keys, dtype=torch.bool)
    for row, example in zip(table, examples, strict=True):
        if example.links is not None:
            queries, places = torch.from_numpy(example.links.astype(np.int64)).unbind(1)
            row[queries, places] = True
    return table


def bucketed(examples: list[Example], tokens: int, rng: random.Random) -> list[list[Example]]:
    """Sentences of like length together, about `tokens` target tokens a batch, in random order.

    By target length, and to and fro by source length: neighbours are alike on both sides, so that
    little of a batch is filling.
    """

    def place(example: Example) -> tuple[int, float]:
        read, written = len(example.source), len(example.target)
        return written, (read if written % 2 else -read) + rng.random()

    ordered = sorted(examples, key=place)
    batches: list[list[Example]] = []
    batch: list[Example] = []
    longest = 0
    for example in ordered:
        longest = max(longest, len(example.target), len(example.source))
        if batch and longest * (len(batch) + 1) > tokens:
            batches.append(batch)
            batch, longest = [], max(len(example.target), len(example.source))
        batch.append(example)
    if batch:
        batches.append(batch)
    rng.shuffle(batches)
    return batches

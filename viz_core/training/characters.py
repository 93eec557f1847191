"""The character models: books in, the next character out, and what their units came to follow."""

from __future__ import annotations

import math
import re
import tarfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Literal, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from viz_core import probe
from viz_core.analysis import units
from viz_core.checkpoints import Bundle
from viz_core.models.characters import Characters, CharactersConfig
from viz_core.text.characters import BREAK, Alphabet
from viz_core.training.data import Part, Source
from viz_core.training.loop import Schedule, Task
from viz_core.training.run import Options, Recipe
from viz_core.training.state import Progress

BOOKS = Source(
    file="books/classic-books.tar.gz",
    origin="Project Gutenberg, 219 classic books in English as Author/Title.md, packed as tar.gz",
    licence="public domain",
)
SPLIT = "by book: 92% train, 3% held-out, 5% test"
ENOUGH = 24_000_000  # characters of the training books: more than are read in some minutes
OFTEN = 120  # a character seen less often in them is a rare one
WINDOW = 224  # characters read before the memory is emptied in training
BATCH = 32
WIDTH = 160
TESTED = 16  # batches of test windows, each twice as long as in training


# ---- books ------------------------------------------------------------------------------------


def part_of(book: str) -> Part:
    place = zlib.crc32(book.encode()) % 100
    return "test" if place < 5 else "held-out" if place < 8 else "train"


def clean(text: str) -> str:
    """The running text: no title page, headings or marks of emphasis, a line for a paragraph."""
    text = Alphabet.mark(text.split("\n-------", 1)[-1])
    lines = (line.strip(" *_-") for line in re.sub(r"[*_]+", "", text).split("\n"))
    kept = (re.sub(" +", " ", line) for line in lines if line and not line.startswith("#"))
    return BREAK.join(("", *kept))


def books(folder: Path, part: Part) -> Iterator[str]:
    """The books of a part, one after the other, until there is enough."""
    left = ENOUGH
    with tarfile.open(BOOKS.path(folder)) as archive:
        for member in archive:
            if left > 0 and member.isfile() and part_of(member.name) == part:
                text = clean(cast(IO[bytes], archive.extractfile(member)).read().decode("utf-8"))
                left -= len(text)
                yield text


@dataclass(frozen=True, slots=True)
class Windows:
    ids: Tensor  # (batch, time + 1)

    def share(self, rank: int, world: int) -> Windows:
        return Windows(self.ids[rank::world])

    @property
    def count(self) -> int:
        return self.ids[:, 1:].numel()


class Shelf:
    """All books of a part in one row of ids, to draw windows from that open a paragraph."""

    def __init__(self, alphabet: Alphabet, texts: Iterator[str]) -> None:
        self.ids = np.concatenate([numbers(alphabet, text) for text in texts])
        self.starts = np.flatnonzero(self.ids == alphabet.encode(BREAK).ids[0])

    def draw(self, rng: np.random.Generator, batch: int, length: int) -> Windows:
        """Paragraphs by their length: else verse, where each line is one, would be most of it."""
        places = rng.integers(len(self.ids) - length, size=batch)
        starts = self.starts[np.searchsorted(self.starts, places, side="right") - 1]
        rows = self.ids[starts[:, None] + np.arange(length + 1)]
        return Windows(torch.from_numpy(rows.astype(np.int64)))


def numbers(alphabet: Alphabet, text: str) -> NDArray[np.uint8]:
    """Ids of a long text, by a table over all code points."""
    table = np.zeros(0x110000, dtype=np.uint8)
    for number, character in enumerate(alphabet.vocabulary):
        table[ord(character)] = number
    return table[np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)]


def alphabet_for(folder: Path, runs: Path) -> Alphabet:
    """The characters that the training books use often; made once."""
    path = runs / "alphabet.json"
    if not path.is_file():
        counts: Counter[str] = Counter()
        for text in books(folder, "train"):
            counts.update(text)
        runs.mkdir(parents=True, exist_ok=True)
        often = (character for character, count in counts.items() if count >= OFTEN)
        path.write_text(Alphabet.of(often).to_json(), encoding="utf-8")
    alphabet = Alphabet.from_json(path.read_text(encoding="utf-8"))
    assert isinstance(alphabet, Alphabet)
    return alphabet


# ---- training ---------------------------------------------------------------------------------


def nats(model: nn.Module, batch: Windows) -> Tensor:
    """How surprised the model is, summed over all characters but the first ones."""
    logits, wanted = model(batch.ids[:, :-1]).logits, batch.ids[:, 1:]
    return nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten(), reduction="sum")


class CharactersTask(Task):
    def __init__(self, model: nn.Module, alphabet: Alphabet, folder: Path, seed: int = 1) -> None:
        self.model = model
        self.seed = seed
        self.shelf = Shelf(alphabet, books(folder, "train"))
        held_out = Shelf(alphabet, books(folder, "held-out"))
        rng = np.random.default_rng(0)
        self.held_out = [held_out.draw(rng, BATCH, WINDOW) for _ in range(8)]

    def batches(self, progress: float, chunk: int) -> Iterator[Windows]:
        rng = np.random.default_rng((self.seed, chunk))
        for _ in range(100):
            yield self.shelf.draw(rng, BATCH, WINDOW)

    def loss(self, model: nn.Module, batch: Windows) -> Tensor:
        return nats(model, batch)

    @torch.inference_mode()
    def held_out_losses(self) -> dict[str, float]:
        total = sum(float(nats(self.model, batch)) for batch in self.held_out)
        return {"all": total / sum(batch.count for batch in self.held_out)}


# ---- what is measured -------------------------------------------------------------------------


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """Bits per character on books that were never read, and what single units follow there."""
    shelf = Shelf(bundle.tokenizer, books(folder, "test"))
    rng = np.random.default_rng(0)
    test = [shelf.draw(rng, BATCH, 2 * WINDOW) for _ in range(TESTED)]
    with torch.inference_mode():
        bits = sum(float(nats(bundle.model, batch)) for batch in test) / math.log(2)
    characters = sum(batch.count for batch in test)
    texts = [bundle.tokenizer.decode(row[1:].tolist()) for batch in test[:8] for row in batch.ids]
    followers = units.followers([probe.gates(bundle, text) for text in texts])
    return {
        "metrics": {
            "books test": {
                "bits per character": round(bits / characters, 4),
                "characters": float(characters),
            }
        },
        "measured": {"followers": [asdict(follower) for follower in followers]},
    }


# ---- the recipes ------------------------------------------------------------------------------


SCHEDULE = Schedule(steps=1800, peak=5e-3, warmup=100, decay_from=0.3, check_every=150)


@dataclass(frozen=True, kw_only=True)
class Speller(Recipe):
    cell: Literal["lstm", "gru"]
    architecture: str = "characters"
    data: tuple[dict[str, str], ...] = (
        {"name": "classic books", "licence": BOOKS.licence, "split": SPLIT},
    )
    schedule: Schedule = SCHEDULE
    examples: tuple[str, ...] = (
        '"Come in," said the old man. "I have been waiting for you." Then he shut the door.',
        "The rain had stopped, but nobody in the house had noticed it.",
        '"Where is my umbrella?" she asked.',
    )
    notes: str = f"Trained on windows of {WINDOW} characters that open a paragraph."

    def tokenizer(self, options: Options) -> Alphabet:
        return alphabet_for(options.data, options.runs)

    def model(self, options: Options, tokenizer: Alphabet) -> Characters:
        return Characters(CharactersConfig(vocabulary=tokenizer.size, cell=self.cell, width=WIDTH))

    def begin(self, options: Options, model: nn.Module) -> Progress:
        if options.further:
            raise ValueError(f"{self.name} is trained in minutes: train it anew, not --further.")
        return Progress()

    def task(self, options: Options, model: nn.Module, tokenizer: Alphabet) -> CharactersTask:
        return CharactersTask(model, tokenizer, options.data, self.schedule.seed)

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return measure(bundle, folder)


LSTM = Speller(
    name="char-lstm",
    title="LSTM, character by character",
    paper="Hochreiter and Schmidhuber 1997",
    cell="lstm",
)
GRU = Speller(
    name="char-gru", title="GRU, character by character", paper="Cho et al. 2014", cell="gru"
)
RECIPES = {recipe.name: recipe for recipe in (LSTM, GRU)}

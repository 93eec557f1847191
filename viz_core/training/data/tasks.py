"""The labelled texts that BERT is fine-tuned on: SST-2, CoNLL-2003 and SQuADShifts."""

from __future__ import annotations

import csv
import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from viz_core.training.data.pairs import Part, Source

SST2 = Source(
    file="sst2/train.tsv.gz",
    origin="SST-2 of GLUE, https://gluebenchmark.com/tasks (train.tsv, dev.tsv)",
    licence="SST-2, Socher et al. 2013, research use",
)
SST2_DEV = Source(file="sst2/dev.tsv", origin=SST2.origin, licence=SST2.licence)
CONLL = Source(
    file="conll2003/eng.train.gz",
    origin="CoNLL-2003 shared task, https://www.clips.uantwerpen.be/conll2003/ner",
    licence="CoNLL-2003, Reuters, research use",
)
CONLL_DEV = Source(file="conll2003/eng.testa", origin=CONLL.origin, licence=CONLL.licence)
SQUAD = tuple(
    Source(
        file=f"squad/{name}_v1.0.json.gz",
        origin="SQuADShifts, https://modestyachts.github.io/squadshifts-website",
        licence="SQuADShifts, CC-BY 4.0",
    )
    for name in ("new_wiki", "reddit", "amazon_reviews")
)

SENTIMENTS = ("negative", "positive")
SENTENCE = 8  # spaces in a text that is taken for a whole sentence
KINDS = ("PER", "ORG", "LOC", "MISC")
TAGS = ("O", *(f"{begin}-{kind}" for kind in KINDS for begin in "BI"))


def part_of(key: str, held_out: int = 4, test: int = 0) -> Part:
    """Per cent of the keys, by their letters alone."""
    place = zlib.crc32(re.sub(r"\W+", " ", key.lower()).strip().encode()) % 100
    return "test" if place < test else "held-out" if place < test + held_out else "train"


# ---- sentiment --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opinion:
    text: str
    positive: int  # 0 or 1


def natural(text: str) -> str:
    """SST-2 writes "it 's n't bad ." in pieces; people write "it'sn't bad."."""
    text = re.sub(r" (n't|'(?:s|re|ve|ll|d|m))\b", r"\1", text)
    return re.sub(r" ([,.;:!?)])", r"\1", text).replace("( ", "(").strip()


def opinions(folder: Path, part: Part) -> list[Opinion]:
    """The training file, split by sentence; or the development file, as `test`.

    The file has each sentence and its phrases, so of a held-out sentence no phrase is trained on.
    Every other training text is written the natural way: the model should read both.
    """
    if part == "test":
        return list(_opinions(SST2_DEV.path(folder).read_text(encoding="utf-8")))
    with gzip.open(SST2.path(folder), "rt", encoding="utf-8") as file:
        phrases = list(_opinions(file.read()))
    apart = {text for text in whole(one.text for one in phrases) if part_of(text, 6) == "held-out"}
    inside = "\n".join(apart)
    if part == "held-out":
        phrases = [one for one in phrases if one.text in apart]
    else:  # words and pairs of words belong to no sentence
        phrases = [one for one in phrases if one.text.count(" ") < 3 or one.text not in inside]
    return [
        Opinion(natural(one.text) if number % 2 else one.text, one.positive)
        for number, one in enumerate(phrases)
    ]


def whole(texts: Iterable[str]) -> list[str]:
    """The texts that are no phrase of a longer one, and long enough to be sentences."""
    kept: list[str] = []
    read = ""
    for text in sorted(set(texts), key=len, reverse=True):
        if text.count(" ") >= SENTENCE and text not in read:
            kept.append(text)
            read += text + "\n"
    return kept


def _opinions(table: str) -> Iterator[Opinion]:
    rows = csv.reader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    next(rows)  # the names of the columns
    for label, text in rows:
        yield Opinion(text.strip(), int(label))


# ---- entities ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sentence:
    words: tuple[str, ...]
    tags: tuple[str, ...]  # BIO


def bio(tags: list[str]) -> tuple[str, ...]:
    """IOB1, where B- stands only between two entities that touch, to BIO, where it always does."""
    marked = []
    before = "O"
    for tag in tags:
        opens = tag != "O" and (tag[0] == "B" or before[2:] != tag[2:] or before == "O")
        marked.append(f"B-{tag[2:]}" if opens else tag)
        before = tag
    return tuple(marked)


def sentences(folder: Path, part: Part) -> list[Sentence]:
    """The training file, split by sentence; or the development file testa, as `test`."""
    if part == "test":
        return list(_sentences(CONLL_DEV.path(folder).read_text(encoding="utf-8")))
    with gzip.open(CONLL.path(folder), "rt", encoding="utf-8") as file:
        tagged = list(_sentences(file.read()))
    return [one for one in tagged if part_of(" ".join(one.words)) == part]


def _sentences(text: str) -> Iterator[Sentence]:
    for block in re.split(r"\n\s*\n", text):
        rows = [line.split() for line in block.splitlines() if line.strip()]
        if rows and rows[0][0] != "-DOCSTART-":
            yield Sentence(tuple(row[0] for row in rows), bio([row[-1] for row in rows]))


def entities(tags: tuple[str, ...]) -> set[tuple[int, int, str]]:
    """(first word, last word, kind) of every entity in BIO tags."""
    spans: set[tuple[int, int, str]] = set()
    start = -1
    for i, tag in enumerate((*tags, "O")):
        if start >= 0 and tag != f"I-{tags[start][2:]}":
            spans.add((start, i - 1, tags[start][2:]))
            start = -1
        if tag.startswith("B-"):
            start = i
    return spans


# ---- answers ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    question: str
    context: str
    answers: tuple[tuple[int, str], ...]  # (first character, text) of each annotator

    @property
    def usual(self) -> tuple[int, str]:
        """The answer that most annotators gave; of several the shortest."""
        counts = Counter(self.answers)
        return min(counts, key=lambda one: (-counts[one], len(one[1])))


def questions(folder: Path, part: Part) -> list[Question]:
    """Split by paragraph: 84% train, 4% held-out, 12% test."""
    of_part = []
    for source in SQUAD:
        with gzip.open(source.path(folder), "rt", encoding="utf-8") as file:
            articles = json.load(file)["data"]
        for paragraph in (p for article in articles for p in article["paragraphs"]):
            context = paragraph["context"]
            if part_of(context, held_out=4, test=12) != part:
                continue
            for asked in paragraph["qas"]:
                answers = tuple((a["answer_start"], a["text"]) for a in asked["answers"])
                of_part.append(Question(asked["question"], context, answers))
    return of_part


def normalised(answer: str) -> list[str]:
    """SQuAD's own: lower case, no punctuation, no articles."""
    text = re.sub(r"[!-/:-@\[-`{-~]", "", answer.lower())
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def overlap(given: str, wanted: str) -> float:
    """SQuAD's F1 of two answers, over their words."""
    mine, theirs = normalised(given), normalised(wanted)
    if not mine or not theirs:
        return float(mine == theirs)
    shared = sum((Counter(mine) & Counter(theirs)).values())
    return 2 * shared / (len(mine) + len(theirs))

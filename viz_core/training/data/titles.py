"""Texts with their titles: abstracts of papers, and news of 1987 with their headlines."""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from viz_core.training.data.pairs import Part, Source, part_of

PAPERS = Source(
    file="papers/acl-abstracts.tsv.xz",
    origin="https://aclanthology.org (titles and abstracts, up to 170 words)",
    licence="ACL Anthology, mostly CC-BY",
)
NEWS = Source(
    file="reuters/reuters-headlines.tsv.xz",
    origin="https://archive.ics.uci.edu/dataset/137 (headlines and the first words of the texts)",
    licence="Reuters-21578, research use",
)
KINDS = {"papers": PAPERS, "news": NEWS}
SPLIT = "by title, letters only: 98.5% train, 0.5% held-out, 1% test"
_TICKER = re.compile(r"\s*<[^>]*>")  # NATIONAL HERITAGE <NHER> BUYS ...
# Tables of a company's quarter have a headline that says nothing of them.
_TABLE = re.compile(r"\b(?:NET|LOSS|DIVIDENDS?|PAYOUT|EARNINGS)$")


class Titled(NamedTuple):
    text: str
    title: str


def pairs(kind: str, folder: Path) -> Iterator[Titled]:
    with lzma.open(KINDS[kind].path(folder), "rt", encoding="utf-8") as file:
        for line in file:
            title, text = line.rstrip("\n").split("\t")
            if kind == "news":
                title = _TICKER.sub("", title)
            if title and text and not _TABLE.search(title):
                yield Titled(text, title)


def read(kind: str, folder: Path, part: Part) -> list[Titled]:
    """A text that comes again under another title counts once."""
    by_text = {pair.text: pair for pair in pairs(kind, folder)}
    return [pair for pair in by_text.values() if part_of(pair.title) == part]


def describe(kind: str) -> dict[str, str]:
    return {"name": kind, "licence": KINDS[kind].licence, "split": SPLIT}

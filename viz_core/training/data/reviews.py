"""Film reviews with their verdict (IMDB): read, split by file, cut into sentences of words."""

from __future__ import annotations

import re
import tarfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from viz_core.text import document
from viz_core.training.data.bert import REVIEWS
from viz_core.training.data.pairs import Part

SPLIT = "train: 90% trained on, 10% held out to choose by; its official test part to measure"
_NAMED = re.compile(r"/(train|test)/(pos|neg)/[^/]+\.txt$")


@dataclass(frozen=True, slots=True)
class Review:
    name: str
    sentences: document.Sentences
    positive: int  # 0 or 1


def reviews(folder: Path, part: Part) -> list[Review]:
    return [
        Review(name, document.sentences(text), label) for name, text, label in texts(folder, part)
    ]


def texts(folder: Path, part: Part) -> Iterator[tuple[str, str, int]]:
    """(name, text, 1 for positive), sorted by name: an archive may have any order."""
    found = []
    with tarfile.open(REVIEWS.path(folder), "r|gz") as archive:
        for member in archive:
            named = _NAMED.search(member.name)
            if named and part_of(member.name, named[1]) == part:
                file = archive.extractfile(member)
                assert file is not None
                text = file.read().decode("utf-8", "replace").replace("\r", "")
                found.append((member.name, text, int(named[2] == "pos")))
    yield from sorted(found)


def part_of(name: str, official: str) -> Part:
    if official == "test":
        return "test"
    return "held-out" if zlib.crc32(Path(name).name.encode()) % 10 == 0 else "train"


def commonest(found: Iterable[Review], count: int) -> list[str]:
    """The words of these reviews in small letters, the commonest first."""
    counted = Counter(
        document.bare(word)
        for review in found
        for sentence in review.sentences
        for word in sentence
    )
    return [word for word, _ in counted.most_common(count)]

"""A visitor's own pairs: a file of SOURCE tab TARGET, read with care and split by source."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from viz_core.text import normalise
from viz_core.training.data.pairs import Pair, Part

LEAST = 100  # different source sentences: with fewer there is nothing to learn or to judge by
HELD_OUT, TEST = 400, 1000  # sentences at most, and a tenth of all at most
FORM = "Each line must be a sentence, a tab and its translation."


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPairs:
    """All pairs of a file, by the part that they belong to."""

    file: str
    parts: dict[Part, list[Pair]]
    skipped: int  # lines without a tab, or with an empty side

    def of(self, part: Part) -> list[Pair]:
        return self.parts[part]


def read(path: Path) -> OwnPairs:
    """Every problem with the file is a sentence that says what to change."""
    lines = [line for line in _text(path).splitlines() if line.strip()]
    if not lines:
        raise ValueError(f"{path.name} is empty. {FORM}")
    if not any("\t" in line for line in lines):
        shown = lines[0][:60]
        raise ValueError(f"{path.name} has no tab in any line. {FORM} Its first line: {shown!r}.")
    pairs: dict[Pair, None] = {}
    skipped = 0
    for line in lines:
        source, target = (normalise(side) for side in f"{line}\t".split("\t")[:2])
        if source and target:
            pairs[Pair(source, target)] = None
        else:
            skipped += 1
    sources = {_key(pair.english) for pair in pairs}
    if len(sources) < LEAST:
        raise ValueError(
            f"{path.name} has {len(sources)} different source sentence"
            f"{'s' * (len(sources) != 1)} in {len(pairs)} pair{'s' * (len(pairs) != 1)}. "
            f"At least {LEAST} are needed, to learn from some and to be judged by others; a few "
            "thousand, for pictures that mean something."
        )
    return OwnPairs(file=path.name, parts=_split(list(pairs)), skipped=skipped)


def _text(path: Path) -> str:
    if not path.is_file():
        raise ValueError(f"There is no file {path}. Name one by --pairs FILE.")
    try:
        content = path.read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path.name} cannot be read: {error}.") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ValueError(
            f"{path.name} is not in UTF-8 (line {line}). Save it in UTF-8, for instance by "
            f"iconv -f ENCODING -t UTF-8 {path.name}."
        ) from error


def _key(source: str) -> str:
    """Letters only: no other spelling of a test sentence is trained on."""
    return re.sub(r"\W+", " ", source.casefold()).strip() or source


def _split(pairs: Sequence[Pair]) -> dict[Part, list[Pair]]:
    """By source sentence, in an order that depends on the sentences alone."""
    keys = sorted({_key(pair.english) for pair in pairs}, key=lambda k: (zlib.crc32(k.encode()), k))
    tenth = len(keys) // 10
    test = min(tenth, TEST)
    held_out = test + min(tenth, HELD_OUT)
    part_of: dict[str, Part] = {}
    for place, key in enumerate(keys):
        part_of[key] = "test" if place < test else "held-out" if place < held_out else "train"
    parts: dict[Part, list[Pair]] = {"train": [], "held-out": [], "test": []}
    for pair in pairs:
        parts[part_of[_key(pair.english)]].append(pair)
    return parts

"""A sheet of sentences that people type, with every translator's answer and room for a mark.

Printed, it is read by a person who writes r (right), u (understandable) or w (wrong) between the
brackets; the same file read again gives the share of each. No program gives a mark.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from viz_core import checkpoints, probe
from viz_core.training import data

SENTENCES = data.SHEET
USUAL = ("transformer", "rnn-search")
MARKS = {"r": "right", "u": "understandable", "w": "wrong"}
_ANSWER = re.compile(r"^    (?P<name>\S+) +\[(?P<mark>[^\]]*)\]")


def read(path: Path) -> list[str]:
    """One sentence a line; a line that begins with # is a heading."""
    if not path.is_file():
        raise ValueError(f"There is no sheet {path}.")
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def usual() -> list[str]:
    """The two that translate best, if they are on board."""
    names = [name for name in USUAL if name in checkpoints.names()]
    if not names:
        raise ValueError(f"Neither of {', '.join(USUAL)} is on board: name a checkpoint.")
    return names


def blocks(names: Sequence[str], sentences: Iterable[str]) -> Iterator[str]:
    """One block a sentence, one line a translator, an empty mark on each."""
    bundles = [checkpoints.load(name) for name in names]
    width = max(map(len, names))
    for number, sentence in enumerate(sentences, 1):
        lines = [f"{number}. {sentence}"]
        for name, bundle in zip(names, bundles, strict=True):
            text = probe.translate(bundle, sentence, probe.BEAM, probe.PENALTY).text
            lines.append(f"    {name:{width}}  [ ]  {text}")
        yield "\n".join(lines) + "\n"


def shares(marked: Path) -> str:
    """What the marks in a printed sheet come to, a line for each translator."""
    if not marked.is_file():
        raise ValueError(f"There is no marked sheet {marked}.")
    counts: dict[str, Counter[str]] = {}
    for number, line in enumerate(marked.read_text(encoding="utf-8").splitlines(), 1):
        if answer := _ANSWER.match(line):
            mark = answer["mark"].strip().lower()
            if mark and mark not in MARKS:
                raise ValueError(f"{marked}, line {number}: {mark!r} is none of r, u and w.")
            counts.setdefault(answer["name"], Counter())[mark] += 1
    return "\n".join(_line(name, counter) for name, counter in counts.items())


def _line(name: str, counter: Counter[str]) -> str:
    total = counter.total() - counter[""]
    if not total:
        return f"{name}: no marks yet, {counter['']} sentences"
    parts = [f"{word} {counter[m]} ({counter[m] / total:.0%})" for m, word in MARKS.items()]
    unread = f", without a mark {counter['']}" if counter[""] else ""
    return f"{name}: {', '.join(parts)}{unread}"

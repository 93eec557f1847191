"""A character model of folk tunes: the recipe of the books' models, with another alphabet.

A tune is one line, opened by a line break: "M:6/8 K:G Major GFG ...|". Tunes without accidentals
are also read one to three steps of the scale higher or lower, in keys that the training tunes use:
800 tunes alone would be learned by heart.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from viz_core import probe
from viz_core.checkpoints import Bundle
from viz_core.models.characters import Characters, CharactersConfig
from viz_core.text import tunes
from viz_core.text.characters import BREAK, Alphabet
from viz_core.training.characters import CharactersTask, Shelf, Speller, Windows, nats
from viz_core.training.data import Part, Source
from viz_core.training.loop import Schedule
from viz_core.training.run import Options

TUNES = Source(
    file="abc/irish.abc",
    origin="804 Irish folk tunes in ABC notation, collected in one text file",
    licence="MIT",
)
SPLIT = "by title: 84% train, 8% held-out, 8% test"
WINDOW = 256  # characters: most tunes are shorter, so the model reads how one ends
BATCH = 32
WIDTH = 192
SHIFTS = (-3, -2, -1, 1, 2, 3)  # steps of the scale
OFTEN = 8  # a key of fewer training tunes is nobody's goal
WRITTEN = 100  # tunes written to see whether their bars are full
BORROWED = 4  # bars in a row: as many in a training tune are counted as borrowed
HEAT = 0.7  # temperature at which they are written


@dataclass(frozen=True, slots=True, kw_only=True)
class Tune:
    title: str
    metre: str
    key: str
    notes: str

    @property
    def line(self) -> str:
        return f"M:{self.metre} K:{self.key} {self.notes}"


def part_of(title: str) -> Part:
    place = zlib.crc32(title.encode()) % 100
    return "test" if place < 8 else "held-out" if place < 16 else "train"


def read(folder: Path) -> Iterator[Tune]:
    """Every tune in one key and one metre, as one line of notes."""
    for block in TUNES.path(folder).read_text(encoding="utf-8").split("\n\n"):
        fields: dict[str, str] = dict(re.findall(r"^([A-Z]):\s*(.+)$", block, re.MULTILINE))
        lines = [line for line in block.split("\n") if line and not re.match(r"[A-Z]:", line)]
        notes = "".join(line.rstrip("! ") for line in lines)
        if (
            notes
            and len(re.findall("[KM]:", block)) == 2
            and not re.search(r"[^\w|:\[\] ,\'/^=_(>-]", notes)
        ):
            metre = {"C": "4/4", "C|": "2/2"}.get(fields["M"], fields["M"])
            yield Tune(title=fields["T"], metre=metre, key=fields["K"], notes=notes)


def of_part(folder: Path, part: Part) -> list[Tune]:
    return [tune for tune in read(folder) if part_of(tune.title) == part]


def shifted(tune: Tune, keys: set[str]) -> Iterator[Tune]:
    """The tune, and the same higher and lower where the key signature does the rest."""
    yield tune
    for steps in () if set(tune.notes) & set("^=_") else SHIFTS:
        root, mode = tune.key[0], tune.key[1:]
        key = tunes.raised(root, steps)[0].upper() + mode
        if key in keys:
            notes = tunes.transposed(tune.notes, steps)
            yield Tune(title=tune.title, metre=tune.metre, key=key, notes=notes)


def shelf(alphabet: Alphabet, lines: list[str], seed: int = 0) -> Shelf:
    """Tunes in any order: the one that follows must not tell anything of the one before."""
    order = np.random.default_rng(seed).permutation(len(lines))
    return Shelf(alphabet, iter([BREAK + lines[place] for place in order] + [BREAK]))


class TunesTask(CharactersTask):
    def __init__(self, model: nn.Module, alphabet: Alphabet, folder: Path, seed: int) -> None:
        self.model, self.seed = model, seed
        training = of_part(folder, "train")
        counts = Counter(tune.key for tune in training)
        keys = {key for key, count in counts.items() if count >= OFTEN}
        self.shelf = shelf(alphabet, [one.line for tune in training for one in shifted(tune, keys)])
        held_out = shelf(alphabet, [tune.line for tune in of_part(folder, "held-out")])
        rng = np.random.default_rng(0)
        self.held_out = [held_out.draw(rng, BATCH, WINDOW) for _ in range(6)]

    def batches(self, progress: float, chunk: int) -> Iterator[Windows]:
        rng = np.random.default_rng((self.seed, chunk))
        for _ in range(100):
            yield self.shelf.draw(rng, BATCH, WINDOW)


SCHEDULE = Schedule(steps=2400, peak=5e-3, warmup=100, decay_from=0.3, decay=0.1, check_every=150)


@dataclass(frozen=True, kw_only=True)
class Fiddler(Speller):
    data: tuple[dict[str, str], ...] = (
        {"name": "Irish folk tunes", "licence": TUNES.licence, "split": SPLIT},
    )
    schedule: Schedule = SCHEDULE
    notes: str = (
        f"Trained on windows of {WINDOW} signs that open a tune; tunes without accidentals also "
        f"higher and lower. Full bars: inner bars as long as the metre says. Borrowed: runs of "
        f"{BORROWED} bars that stand in a training tune, of {WRITTEN} tunes at temperature {HEAT}."
    )
    examples: tuple[str, ...] = ("M:6/8 K:G Major", "M:4/4 K:D Major", "M:4/4 K:A Dorian")

    def tokenizer(self, options: Options) -> Alphabet:
        lines = (tune.line for tune in of_part(options.data, "train"))
        return Alphabet.of(set().union(*lines))

    def model(self, options: Options, tokenizer: Alphabet) -> Characters:
        return Characters(CharactersConfig(vocabulary=tokenizer.size, cell=self.cell, width=WIDTH))

    def task(self, options: Options, model: nn.Module, tokenizer: Alphabet) -> TunesTask:
        return TunesTask(model, tokenizer, options.data, self.schedule.seed)

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return measure(bundle, folder)


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """Bits per character on tunes that were never read; what it writes, beside real tunes."""
    lines = [tune.line for tune in of_part(folder, "test")]
    unseen = shelf(bundle.tokenizer, lines)
    ids = torch.from_numpy(unseen.ids.astype(np.int64))
    total, characters = 0.0, 0
    with torch.inference_mode():
        for start, end in pairwise(unseen.starts):
            batch = Windows(ids[None, start : end + 1])
            total, characters = total + float(nats(bundle.model, batch)), characters + batch.count
    openings = [f"M:{tune.metre} K:{tune.key} " for tune in of_part(folder, "test")]
    written = [
        probe.compose(bundle, openings[seed % len(openings)], HEAT, seed) for seed in range(WRITTEN)
    ]
    known = {run for tune in of_part(folder, "train") for run in runs_of_bars(tune.notes)}
    return {
        "metrics": {
            "tunes test": {
                "bits per character": round(total / characters / math.log(2), 4),
                "characters": float(characters),
                "full bars, real tunes": full_bars(lines),
                "full bars, written tunes": full_bars(written),
                "borrowed, written tunes": borrowed(written, known),
                "borrowed, real tunes": borrowed(lines, known),
            }
        }
    }


def full_bars(lines: list[str]) -> float:
    """The mean share of inner bars that are as long as the metre says."""
    shares = [tunes.read(line).full for line in lines if tunes.is_known(line)]
    return round(float(np.mean(shares)), 4)


def runs_of_bars(notes: str) -> list[str]:
    """Every run of so many bars that follow each other, by their letters alone."""
    bars = [re.sub(r"[^A-Ga-gz,'/0-9]", "", bar) for bar in re.split(r"[|:\]\[]+", notes)]
    bars = [bar for bar in bars if bar]
    return ["|".join(bars[at : at + BORROWED]) for at in range(len(bars) - BORROWED + 1)]


def borrowed(lines: list[str], known: set[str]) -> float:
    """The share of such runs that stand in a training tune, letter by letter."""
    found = [run in known for line in lines for run in runs_of_bars(line.split(" ", 3)[-1])]
    return round(float(np.mean(found)), 4)


ABC = Fiddler(
    name="char-abc",
    title="GRU that writes folk tunes",
    paper="Cho et al. 2014; after Karpathy 2015",
    cell="gru",
)
RECIPES = {ABC.name: ABC}

"""What each head of BERT does: its habits on fixed passages, and whether it resolves "it"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from viz_core import analysis
from viz_core.analysis.passages import PASSAGES
from viz_core.checkpoints import Bundle
from viz_core.probe import bert as probe_bert
from viz_core.traces import AttentionTrace
from viz_core.training.data import Source
from viz_core.training.measure import syntax

DPR = Source(
    file="pronouns/dpr-train.txt",
    origin="Rahman and Ng 2012, https://www.hlt.utdallas.edu/~vince/data/emnlp12 (train)",
    licence="Rahman and Ng 2012, research use",
)
CLASSIC = "The animal didn't cross the street because it was too tired."


@dataclass(frozen=True, slots=True)
class Riddle:
    """A sentence with one "it", the noun phrase it stands for, and the other one."""

    sentence: str
    right: str
    wrong: str


def riddles(folder: Path) -> list[Riddle]:
    """The items about "it" whose two candidates stand in the sentence, word by word."""
    about_it = []
    for block in DPR.path(folder).read_text(encoding="utf-8", errors="replace").split("\n\n"):
        lines = [line.strip() for line in block.strip().splitlines()]
        if len(lines) != 4 or lines[1].lower() != "it":
            continue
        sentence, _, candidates, right = lines
        sides = [side.strip() for side in candidates.split(",")]
        wrong = [side for side in sides if side.lower() != right.lower()]
        if len(sides) == 2 and len(wrong) == 1:
            riddle = Riddle(sentence, right, wrong[0])
            if all(spot(riddle, side) >= 0 for side in (riddle.right, riddle.wrong)):
                about_it.append(riddle)
    return about_it


def spot(riddle: Riddle, phrase: str) -> int:
    """The character at which a candidate's last word, its noun, begins; -1 if it is not there."""
    start = riddle.sentence.lower().find(phrase.lower())
    return -1 if start < 0 else start + phrase.rfind(" ") + 1


def word_at(bundle: Bundle, text: str, character: int) -> int:
    """The word in which a character stands."""
    encoded = probe_bert.read(bundle, text)
    for (start, end), word in zip(encoded.offsets, encoded.words, strict=True):
        if start <= character < end:
            return word
    raise ValueError(f"No token stands at character {character} of {text!r}.")


def solved(bundle: Bundle, riddle: Riddle) -> np.ndarray:
    """(layer, head): does "it" give more weight to the right noun than to the other?"""
    trace = probe_bert.encode(bundle, riddle.sentence).words()
    it = analysis.position(trace.queries, "it")
    right, wrong = (
        word_at(bundle, riddle.sentence, spot(riddle, side))
        for side in (riddle.right, riddle.wrong)
    )
    return analysis.resolved(trace.weights, it, right, [wrong]) > 0


def twins(items: Sequence[Riddle]) -> np.ndarray:
    """Riddles come in pairs about the same two nouns, with opposite answers: number the pairs."""
    sides = [frozenset((one.right.lower(), one.wrong.lower())) for one in items]
    return np.cumsum([i == 0 or side != sides[i - 1] for i, side in enumerate(sides)])


def coreference(wins: np.ndarray, pairs: np.ndarray) -> dict[str, float]:
    """The best of all heads is lucky too: it is chosen on half of the pairs, scored on the rest."""
    chosen, scored = wins[pairs % 2 == 0], wins[pairs % 2 == 1]
    layer, head = analysis.best_head(chosen.mean(axis=0))
    return {
        "it resolved": float(scored[:, layer, head].mean()),
        "it resolved where chosen": float(chosen[:, layer, head].mean()),
        "layer": 1.0 + layer,
        "head": 1.0 + head,
        "chance": 0.5,
        "sentences": float(len(wins)),
    }


def classic(bundle: Bundle) -> dict[str, float]:
    """Which head looks from "it" to "animal" most, and how much less it looks to "street"."""
    trace = probe_bert.encode(bundle, CLASSIC).words()
    it, animal, street = (
        analysis.position(trace.queries, word) for word in ("it", "animal", "street")
    )
    layer, head = analysis.best_head(trace.weights[:, :, it, animal])
    row = trace.weights[layer, head, it]
    return {
        "it to animal": float(row[animal]),
        "it to street": float(row[street]),
        "layer": 1.0 + layer,
        "head": 1.0 + head,
    }


def profiles(bundle: Bundle) -> list[list[dict[str, float]]]:
    traces: list[AttentionTrace] = [probe_bert.encode(bundle, *pair) for pair in PASSAGES]
    return [[asdict(one) for one in layer] for layer in analysis.profiles(traces)]


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """Metrics and tables for bert-mini's card."""
    items = riddles(folder)
    wins = np.stack([solved(bundle, riddle) for riddle in items])  # (riddle, layer, head)
    return {
        "metrics": {"it, classic": classic(bundle), "it, dpr": coreference(wins, twins(items))}
        | syntax.measure(bundle),
        "measured": {
            "profiles": profiles(bundle),
            "it resolved": wins.mean(axis=0).round(4).tolist(),
        },
    }

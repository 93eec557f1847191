"""How good the titles are: ROUGE on texts that were never read, beside "take the first words"."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import torch

from viz_core import decoding
from viz_core.checkpoints import Bundle
from viz_core.probe.summary import LONGEST_TITLE, Summarising
from viz_core.text import END, PAD
from viz_core.training.data import titles
from viz_core.training.measure import rouge

BATCH = 24
READ = 400  # sub-words of a text: more than any of them has
BLOCK = 64
TESTED = 300  # texts of a kind, the first of its test part
SHOWN = 12  # titles on the card, the first of the test part


@torch.inference_mode()
def written(bundle: Bundle, texts: list[str], local: int | None = None) -> list[str]:
    """Titles, greedily, for texts of like length together."""
    ids = [one[:READ] for one in bundle.tokenizer.encode_batch(texts)]
    order = sorted(range(len(ids)), key=lambda place: len(ids[place]))
    found = [""] * len(texts)
    for start in range(0, len(order), BATCH):
        some = order[start : start + BATCH]
        source = torch.full((len(some), max(len(ids[place]) for place in some)), PAD)
        for row, place in enumerate(some):
            source[row, : len(ids[place])] = torch.tensor(ids[place])
        steps = Summarising(bundle, source, local)
        for place, title in zip(
            some, decoding.greedy(steps, len(some), LONGEST_TITLE), strict=True
        ):
            found[place] = bundle.tokenizer.decode(i for i in title.ids if i != END)
    return found


def first_words(text: str, count: int) -> str:
    return " ".join(re.findall(r"\S+", text)[:count])


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    metrics: dict[str, dict[str, float]] = {}
    shown: dict[str, list[tuple[str, str]]] = {}
    for kind in titles.KINDS:
        pairs = titles.read(kind, folder, "test")[:TESTED]
        own = [pair.title for pair in pairs]
        # As many as a title has: longer or shorter first words have lower scores.
        count = round(sum(len(title.split()) for title in own) / len(own))
        texts = [pair.text for pair in pairs]
        ours = written(bundle, texts)
        sides = {
            "": ours,
            f", blocks of {BLOCK}": written(bundle, texts, BLOCK),
            f", first {count} words": [first_words(text, count) for text in texts],
        }
        for name, said in sides.items():
            scores = rouge.mean(zip(said, own, strict=True))
            metrics[f"{kind} test{name}"] = {k: round(v, 2) for k, v in scores.items()}
        metrics[f"{kind} test"]["texts"] = float(len(pairs))
        shown[kind] = list(zip(ours, own, strict=True))[:SHOWN]
    return {"metrics": metrics, "measured": {"titles": shown}}

"""How good captions are: BLEU against five people's captions of photographs that were not seen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from viz_core import decoding
from viz_core.checkpoints import Bundle
from viz_core.decoding import Beam
from viz_core.probe.caption import LONGEST, Writing
from viz_core.training.data import flickr8k

BEAM = 3


def bleu(written: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """BLEU-1 to BLEU-4 of sacrebleu, small letters without punctuation on both sides."""
    import sacrebleu  # for development only, so imported where it is used

    streams = [list(stream) for stream in zip(*references, strict=True)]
    scores = {}
    for order in (1, 2, 3, 4):
        metric = sacrebleu.BLEU(tokenize="none", max_ngram_order=order)
        scores[f"BLEU-{order}"] = round(metric.corpus_score(list(written), streams).score, 2)
    return scores


@torch.inference_mode()
def captions(bundle: Bundle, folder: Path, files: Sequence[str]) -> tuple[list[str], list[str]]:
    """Captions word by word, and those of a beam."""
    alone, searched = [], []
    for rows in flickr8k.seen(bundle.model.encoder, folder, files):
        writing = Writing(bundle, bundle.model.see(rows))
        words = decoding.greedy(writing, len(rows), LONGEST)
        alone += [bundle.tokenizer.decode(each.ids) for each in words]
        for row in rows:
            writing = Writing(bundle, bundle.model.see(row[None]))
            tree = decoding.beam(writing, Beam(size=BEAM, limit=LONGEST, record=False))
            searched.append(bundle.tokenizer.decode(tree.tokens(tree.best)))
    return alone, searched


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    test = [each for each in flickr8k.photographs(folder) if each.part == "test"]
    references = [each.captions for each in test]
    alone, searched = captions(bundle, folder, [each.file for each in test])
    return {
        "metrics": {
            "dev, word by word": bleu(alone, references),
            f"dev, beam of {BEAM}": bleu(searched, references),
        }
    }

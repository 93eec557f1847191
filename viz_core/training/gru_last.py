"""Film reviews again, for a plain GRU: the answer comes from its last state alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from viz_core.checkpoints import Bundle
from viz_core.models.gru_last import GRULast, GRULastConfig, side_by_side
from viz_core.text.document import Words
from viz_core.training.han import ABOUT, EXAMPLES, Reviewer, ReviewTask, Row, read, rows_of
from viz_core.training.loop import Schedule
from viz_core.training.measure import documents as measure
from viz_core.training.run import Options


def last_logits(model: nn.Module, documents: Sequence[Sequence[Tensor]]) -> Tensor:
    ids, last = side_by_side([torch.cat(tuple(one)) for one in documents])
    logits: Tensor = model(ids).logits
    return logits[torch.arange(len(ids)), last]  # (document, label)


class LastTask(ReviewTask):
    def logits(self, model: nn.Module, rows: Sequence[Row]) -> Tensor:
        return last_logits(model, [row.sentences for row in rows])


@dataclass(frozen=True, kw_only=True)
class LastReviewer(Reviewer):
    architecture: str = "gru-last"

    def model(self, options: Options, tokenizer: Words) -> nn.Module:
        return GRULast(GRULastConfig(words=tokenizer.size))

    def task(self, options: Options, model: nn.Module, tokenizer: Words) -> LastTask:
        train, held_out = rows_of(options.data, "train"), rows_of(options.data, "held-out")
        return LastTask(model, train, held_out, self.schedule.seed)

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        def judge(documents: Sequence[Sequence[Tensor]]) -> Tensor:
            return last_logits(bundle.model, documents)

        return {"metrics": {"IMDB test": measure.accuracy(bundle, judge, read(folder, "test"))}}


GRU_LAST = LastReviewer(
    name="gru-last",
    examples=EXAMPLES,
    title="Plain GRU for film reviews: its last state decides",
    paper="Cho et al. 2014",
    schedule=Schedule(
        steps=4_000,
        peak=2e-3,
        warmup=50,
        decay_from=0.3,
        check_every=100,
        patience=12,
        average=0.99,
    ),
    notes=f"{ABOUT} The same words, reviews and first vectors as the checkpoint han, but one GRU "
    "from the first word to the last, and the answer from its last state alone.",
)
RECIPES = {GRU_LAST.name: GRU_LAST}

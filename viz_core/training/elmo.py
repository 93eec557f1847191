"""ELMo on books and reviews: two language models at once, and how well its layers tell senses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from viz_core.checkpoints import Bundle
from viz_core.models.elmo import ELMo, ELMoConfig, after, before
from viz_core.text.wordpiece import CLS, SEP, WordPiece
from viz_core.training import language
from viz_core.training.language import Rows
from viz_core.training.loop import Schedule
from viz_core.training.measure import senses
from viz_core.training.run import Options, Recipe

MEASURED = {
    "name": "CoarseWSD-20",
    "licence": senses.SENSES.licence,
    "split": "its training part, to measure only",
}
TOKENS = 2048  # of a batch


class BothWays(language.LanguageTask):
    def loss(self, model: nn.Module, batch: Rows) -> Tensor:
        """Half of L: so it is as large as that of one direction."""
        with torch.autocast("cpu", torch.bfloat16):
            read = model(batch.ids)
        states = torch.cat((before(read), after(read)))
        return self.sampled(states, torch.cat((batch.ids, batch.ids))) / 2


@dataclass(frozen=True, kw_only=True)
class Embedder(Recipe):
    architecture: str = "elmo"
    data: tuple[dict[str, str], ...] = (*language.DATA, MEASURED)

    def tokenizer(self, options: Options) -> WordPiece:
        return language.pieces(options)

    def model(self, options: Options, tokenizer: WordPiece) -> ELMo:
        start, end = tokenizer.special[CLS], tokenizer.special[SEP]
        return ELMo(ELMoConfig(vocabulary=tokenizer.size, start=start, end=end))

    def task(self, options: Options, model: nn.Module, tokenizer: WordPiece) -> BothWays:
        return BothWays(model, tokenizer, options, tokens=TOKENS, seed=self.schedule.seed)

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return measure(bundle, folder)


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """Perplexity of the forward reader on documents never read, and senses told apart by layer."""
    torch.manual_seed(1)
    untrained = replace(bundle, model=ELMo(bundle.model.config).eval())
    shares = senses.compared(bundle, untrained, folder)
    told = {f"{kind}: same sense nearer": value for kind, value in shares.items()}
    texts = language.tests(folder).items()
    return {
        "metrics": {
            **{name: language.figures(bundle, sentences) for name, sentences in texts},
            "senses": told,
        },
        "measured": {"senses": shares},
    }


BOTH = Embedder(
    name="elmo",
    title="ELMo: two readers, one from each end",
    paper="Peters et al. 2018",
    schedule=Schedule(
        steps=6000, peak=3e-3, warmup=200, decay_from=0.2, check_every=250, decay=0.0
    ),
    examples=("She opened an account at the bank.", "We walked along the bank of the lake."),
    notes="Two language models of sentences of up to 40 pieces of words, from books and film "
    "reviews. Far smaller than the published ELMo, which read a billion words: 256 numbers a layer "
    "and direction, not 512 of 4,096. Pieces of words have vectors of their own here, no "
    "characters; the table begins with bert-mini's, turned to its main directions, and is shared "
    "with the output. In training a right piece is compared with a sample of 1,024 others. Senses: "
    "sentences of Wikipedia (CoarseWSD-20), never trained on; two sentences with the same sense of "
    "a word should be nearer than two with different ones, half of the time by chance. This ELMo "
    "tells senses apart less well than the mean of GloVe's vectors of all words around.",
)
RECIPES = {BOTH.name: BOTH}

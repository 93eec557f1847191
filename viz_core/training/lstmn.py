"""The LSTMN as a language model of books and reviews, and the plain LSTM it is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from viz_core import checkpoints
from viz_core.analysis.reading import PLAIN
from viz_core.checkpoints import Bundle
from viz_core.models.lstmn import LSTMN, LSTMNConfig
from viz_core.text.wordpiece import CLS, WordPiece
from viz_core.training import language
from viz_core.training.language import Rows
from viz_core.training.loop import Schedule
from viz_core.training.run import Options, Recipe

TOKENS = 1024  # of a batch
STEPS = 1486  # of both, so that they are compared after the same text
SCHEDULE = Schedule(steps=STEPS, peak=3e-3, warmup=200, decay_from=0.2, check_every=500, decay=0.0)
EXAMPLES = (
    "The FBI is chasing a criminal on the run .",
    "The old man who lived near the river was not happy .",
    "I did not think that this film would ever be as good as it was .",
    "When she opened the door , the children were playing in the garden .",
    "The keys to the cabinet are on the table .",
)
NOTES = (
    "A language model of sentences of up to 40 pieces of words, from books and film reviews, one "
    "layer. Its table of vectors begins with bert-mini's, turned to its main directions; in "
    "training a right piece is compared with a sample of 1,024 others, measured with all 10,000. "
    "The plain LSTM has the same width, the same first vectors, and read the same text for as "
    "many steps; the run with the tape was stopped at step 1,000 and went on from there. The tape "
    "made it no better than the plain LSTM: see both figures."
)


class NextToken(language.LanguageTask):
    def loss(self, model: nn.Module, batch: Rows) -> Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            states = model(batch.ids).states[:, :-1]
        return self.sampled(states, batch.ids)


@dataclass(frozen=True, kw_only=True)
class Reader(Recipe):
    tape: int
    architecture: str = "lstmn"
    data: tuple[dict[str, str], ...] = language.DATA
    schedule: Schedule = SCHEDULE

    def tokenizer(self, options: Options) -> WordPiece:
        return language.pieces(options)

    def model(self, options: Options, tokenizer: WordPiece) -> LSTMN:
        start = tokenizer.special[CLS]
        return LSTMN(LSTMNConfig(vocabulary=tokenizer.size, start=start, tape=self.tape))

    def task(self, options: Options, model: nn.Module, tokenizer: WordPiece) -> NextToken:
        return NextToken(model, tokenizer, options, tokens=TOKENS, seed=self.schedule.seed)

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return measure(bundle, folder)


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """Perplexity of a word on documents never read, beside that of the plain LSTM.

    The plain one is measured where it is there; else its figures stay as the card has them.
    """
    own = {name: language.figures(bundle, texts) for name, texts in language.tests(folder).items()}
    if bundle.card.name == PLAIN:
        return {"metrics": own}
    if PLAIN in checkpoints.names():
        other = checkpoints.load(PLAIN)
        plain = {
            name: language.figures(other, texts) for name, texts in language.tests(folder).items()
        }
    else:
        plain = bundle.card.measured.get(PLAIN, {})
    return {"metrics": own, "measured": {PLAIN: plain} if plain else {}}


TAPED = Reader(
    name="lstmn",
    title="LSTM network with a tape of its states",
    paper="Cheng et al. 2016",
    tape=64,
    examples=EXAMPLES,
    notes=NOTES,
)
WITHOUT = Reader(
    name=PLAIN,
    title="Plain LSTM of the same width: a tape of one state",
    paper="Hochreiter and Schmidhuber 1997",
    tape=1,
    examples=EXAMPLES,
)
RECIPES = {recipe.name: recipe for recipe in (TAPED, WITHOUT)}

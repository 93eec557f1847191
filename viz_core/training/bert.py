"""The BERT recipes: bert-mini from published weights, and the tasks on top of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from viz_core import checkpoints
from viz_core.checkpoints import Bundle
from viz_core.models.bert import Bert, Task
from viz_core.text.wordpiece import WordPiece
from viz_core.training import masked, minilm, run, tasks
from viz_core.training.data import bert as bert_data
from viz_core.training.data.tasks import CONLL, SQUAD, SST2
from viz_core.training.loop import Schedule
from viz_core.training.measure import bert as bert_measure
from viz_core.training.run import Options, Recipe
from viz_core.training.state import Progress

BASE = "bert-mini"
ON_TOP = 4  # layers that each task has of its own; it shares those below with the others


@dataclass(frozen=True, kw_only=True)
class BertRecipe(Recipe):
    paper: str = "Devlin et al. 2019"
    architecture: str = "bert"
    batch_tokens: int = 2048

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return bert_measure.measure(bundle, folder)


@dataclass(frozen=True, kw_only=True)
class Pretraining(BertRecipe):
    """Published layers, and two heads that they do not come with."""

    def tokenizer(self, options: Options) -> WordPiece:
        return minilm.tokenizer(minilm.folder(options.weights))

    def model(self, options: Options, tokenizer: WordPiece) -> Bert:
        return Bert(minilm.config(minilm.folder(options.weights)))

    def begin(self, options: Options, model: Any) -> Progress:
        if options.further:
            tasks.learn_top(model, ON_TOP)  # what lies below belongs to the tasks as well
            return run.further(self.name, model)
        model.load_state_dict(minilm.load(minilm.folder(options.weights)).state_dict())
        return Progress()

    def task(self, options: Options, model: Any, tokenizer: WordPiece) -> masked.MaskedTask:
        train, held_out = (
            [
                bert_data.corpus(name, part, options.data, options.runs, tokenizer)
                for name in bert_data.CORPORA
            ]
            for part in bert_data.LEARNED
        )
        if not options.further:
            with torch.no_grad():
                model.bias.copy_(masked.log_frequencies(train, tokenizer.size))
        return masked.MaskedTask(
            model,
            tokenizer,
            train,
            held_out,
            out=options.runs / self.name,
            batch_tokens=self.batch_tokens,
            seed=self.schedule.seed,
        )


@dataclass(frozen=True, kw_only=True)
class OnTop(BertRecipe):
    """A task on top of bert-mini, kept as a difference to it."""

    base: str | None = BASE
    kind: Task
    published: bool = False  # its own layers start from the published ones, not from bert-mini's

    def tokenizer(self, options: Options) -> WordPiece:
        known: WordPiece = checkpoints.load(BASE).tokenizer
        return known

    def model(self, options: Options, tokenizer: WordPiece) -> Bert:
        below = checkpoints.load(BASE).model.config
        return Bert(replace(below, task=self.kind, labels=tasks.LABELS[self.kind]))

    def begin(self, options: Options, model: Any) -> Progress:
        tasks.learn_top(model, ON_TOP)
        if options.further:
            return run.further(self.name, model)
        fresh = tasks.on_top(checkpoints.load(BASE).model, self.kind, ON_TOP)
        if self.published:
            tasks.start_from(fresh, minilm.load(minilm.folder(options.weights)), ON_TOP)
        model.load_state_dict(fresh.state_dict())
        return Progress()

    def task(self, options: Options, model: Any, tokenizer: WordPiece) -> tasks.FineTuning:
        rows = tasks.ROWS[self.kind]
        train, held_out = (rows(tokenizer, options.data, part) for part in bert_data.LEARNED)
        return tasks.FineTuning(
            model,
            tokenizer,
            train,
            held_out,
            batch_tokens=self.batch_tokens,
            seed=self.schedule.seed,
        )


def described(name: str, licence: str, split: str) -> dict[str, str]:
    return {"name": name, "licence": licence, "split": split}


MINI = Pretraining(
    name=BASE,
    title="BERT, 6 layers of 12 heads",
    schedule=Schedule(
        steps=400_000, peak=2e-4, warmup=300, decay_from=0.4, check_every=200, patience=60
    ),
    data=tuple(bert_data.describe(name) for name in bert_data.CORPORA),
    examples=masked.WATCHED,
    notes=(
        "The encoder starts from all-MiniLM-L6-v2 (Wang et al. 2020; sentence-transformers, "
        "Apache-2.0), which has neither a masked-LM head nor a next-sentence head. Trained here: "
        "both heads, together with the whole encoder, on books and film reviews. The run was "
        "steered by hand: for its first 800 steps the learning rate was twice as high, and pairs "
        "weighed as much as masks. At steps 3,874 and 6,188 the rate had fallen to nothing; then "
        "it rose again to half of its peak, and only the last four layers and the heads above "
        "them went further, so that the tasks on top still share what lies below."
    ),
)
SENTIMENT = OnTop(
    name="bert-sentiment",
    title="BERT for sentiment",
    kind="classify",
    schedule=Schedule(steps=2600, peak=1e-4, warmup=100, decay_from=0.1, check_every=100),
    data=(described("sst2", SST2.licence, "train: 6% held out by sentence; measured on dev"),),
    published=True,
    examples=(
        "A gripping, beautifully acted film.",
        "The plot is thin, but the two leads save it.",
        "I wanted to like it, and I could not.",
    ),
    notes=(
        "Embeddings and the first two layers are bert-mini's; the four layers of its own start "
        "from the published ones of all-MiniLM-L6-v2. Started from bert-mini's, which hidden "
        "words had changed, four runs reached .875, .864, .860 and, with whole reviews, .859."
    ),
)
ENTITIES = OnTop(
    name="bert-entities",
    title="BERT for named entities",
    kind="tag",
    batch_tokens=1024,
    schedule=Schedule(steps=3600, peak=3e-4, warmup=100, decay_from=0.1, check_every=200),
    data=(described("conll2003", CONLL.licence, "train: 4% held out by sentence; testa"),),
    examples=(
        "Angela Merkel met Emmanuel Macron in Paris on Monday.",
        "The United Nations sent aid to Kenya.",
        "Apple opened a new office in Munich.",
    ),
    notes="The vocabulary has no capitals, so that they cannot tell the model what is a name.",
)
ANSWERS = OnTop(
    name="bert-answers",
    title="BERT for questions about a paragraph",
    kind="answer",
    schedule=Schedule(steps=7500, peak=2e-4, warmup=200, decay_from=0.1, check_every=400),
    data=(described("squadshifts", SQUAD[0].licence, "by paragraph: 84% train, 4%, 12% test"),),
    examples=("Where did the ferry go?",),
)
RECIPES = {recipe.name: recipe for recipe in (MINI, SENTIMENT, ENTITIES, ANSWERS)}

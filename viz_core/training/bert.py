"""The BERT recipes: bert-mini from published weights, and the tasks on top of it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from viz_core import checkpoints
from viz_core.models.bert import Bert, BertConfig, Task
from viz_core.text import Tokenizer
from viz_core.text.wordpiece import WordPiece
from viz_core.training import loop, masked, minilm, tasks
from viz_core.training.data import bert as bert_data
from viz_core.training.data.tasks import CONLL, SQUAD, SST2
from viz_core.training.loop import Schedule
from viz_core.training.measure import report
from viz_core.training.measure.bert import measure

__all__ = ["RECIPES", "export", "measure", "train"]  # what the command asks of such a module

BASE = "bert-mini"
ON_TOP = 4  # layers that each task has of its own; it shares those below with the others


@dataclass(frozen=True, slots=True, kw_only=True)
class BertRecipe:
    name: str
    title: str
    schedule: Schedule
    data: tuple[dict[str, str], ...]
    examples: tuple[str, ...]
    task: Task = "pretraining"
    trained: int = 6  # layers, counted from the last one
    batch_tokens: int = 2048
    published: bool = False  # its own layers start from the published ones, not from bert-mini's
    notes: str = ""


def described(name: str, licence: str, split: str) -> dict[str, str]:
    return {"name": name, "licence": licence, "split": split}


MINI = BertRecipe(
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
SENTIMENT = BertRecipe(
    name="bert-sentiment",
    title="BERT for sentiment",
    task="classify",
    trained=ON_TOP,
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
ENTITIES = BertRecipe(
    name="bert-entities",
    title="BERT for named entities",
    task="tag",
    trained=ON_TOP,
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
ANSWERS = BertRecipe(
    name="bert-answers",
    title="BERT for questions about a paragraph",
    task="answer",
    trained=ON_TOP,
    schedule=Schedule(steps=7500, peak=2e-4, warmup=200, decay_from=0.1, check_every=400),
    data=(described("squadshifts", SQUAD[0].licence, "by paragraph: 84% train, 4%, 12% test"),),
    examples=("Where did the ferry go?",),
)
RECIPES: dict[str, BertRecipe] = {
    recipe.name: recipe for recipe in (MINI, SENTIMENT, ENTITIES, ANSWERS)
}


def pretraining(recipe: BertRecipe, given: argparse.Namespace) -> masked.MaskedTask:
    published = minilm.folder(given.weights)
    tokenizer = minilm.tokenizer(published)
    model = minilm.load(published)
    train, held_out = (
        [
            bert_data.corpus(name, part, given.data, given.runs, tokenizer)
            for name in bert_data.CORPORA
        ]
        for part in bert_data.LEARNED
    )
    if given.further:
        model.load_state_dict(checkpoints.load(BASE).model.state_dict())
        tasks.learn_top(model, ON_TOP)  # what lies below belongs to the tasks as well
    else:
        with torch.no_grad():
            model.bias.copy_(masked.log_frequencies(train, tokenizer.size))
    return masked.MaskedTask(
        model,
        tokenizer,
        train,
        held_out,
        out=given.runs / recipe.name,
        batch_tokens=recipe.batch_tokens,
        seed=recipe.schedule.seed,
    )


def fine_tuning(recipe: BertRecipe, given: argparse.Namespace) -> tasks.FineTuning:
    base = checkpoints.load(BASE)
    assert isinstance(base.tokenizer, WordPiece)
    rows = tasks.ROWS[recipe.task]
    train, held_out = (rows(base.tokenizer, given.data, part) for part in bert_data.LEARNED)
    model = tasks.on_top(base.model, recipe.task, recipe.trained)
    if recipe.published:
        published = minilm.load(minilm.folder(given.weights))
        tasks.start_from(model, published, recipe.trained)
    return tasks.FineTuning(
        model,
        base.tokenizer,
        train,
        held_out,
        batch_tokens=recipe.batch_tokens,
        seed=recipe.schedule.seed,
    )


def train(name: str, given: argparse.Namespace) -> None:
    recipe = RECIPES[name]
    torch.manual_seed(recipe.schedule.seed)  # the new head's first weights
    make = pretraining if recipe.task == "pretraining" else fine_tuning
    task = make(recipe, given)
    past = None
    if given.further:
        known = checkpoints.card(name)
        past = loop.past(known.steps, known.curve)
    progress = loop.train(
        task, recipe.schedule, given.runs / name, given.minutes, given.resume, past
    )
    print(f"{name}: {progress.step} steps, held-out loss {progress.best:.4f}")
    if loop.Processes().first:
        export(name, given)


def export(name: str, given: argparse.Namespace) -> None:
    """Measure the best weights of a run and write them, with their card, to checkpoints/."""
    recipe = RECIPES[name]
    out: Path = given.runs / name
    best = out / "best.safetensors"
    if not best.is_file():
        raise ValueError(f"{best} is not there: train {name} first")
    base = None if recipe.task == "pretraining" else BASE
    config, tokenizer = shape(recipe, given)
    model = Bert(config)
    model.load_state_dict({key: value.float() for key, value in load_file(best).items()})
    card = describe(recipe, given, loop.read_progress(out))
    # First without figures, to measure what is kept.
    checkpoints.save(model, tokenizer, card, checkpoints.FOLDER, base)
    card |= measure(checkpoints.load(name), given.data)
    print(report.details(checkpoints.save(model, tokenizer, card, checkpoints.FOLDER, base)))


def shape(recipe: BertRecipe, given: argparse.Namespace) -> tuple[BertConfig, Tokenizer]:
    """What the run's weights fit into: the published shape, or the base's with another head."""
    if recipe.task == "pretraining":
        published = minilm.folder(given.weights)
        return minilm.config(published), minilm.tokenizer(published)
    below = checkpoints.load(BASE)
    labels = tasks.LABELS[recipe.task]
    return replace(below.model.config, task=recipe.task, labels=labels), below.tokenizer


def describe(
    recipe: BertRecipe, given: argparse.Namespace, progress: loop.Progress
) -> dict[str, Any]:
    return {
        "name": recipe.name,
        "title": recipe.title,
        "paper": "Devlin et al. 2019",
        "architecture": "bert",
        "data": list(recipe.data),
        "command": f"python -m viz_core.training {recipe.name} --data DIR{loop.asked(given)}",
        "seed": recipe.schedule.seed,
        "steps": progress.best_step,
        "metrics": {},
        "examples": list(recipe.examples),
        "notes": recipe.notes,
        "curve": progress.curve,
    }

"""Train, measure and keep a checkpoint.

python -m viz_core.training RECIPE --data DIR [--minutes N] [--resume | --further]
python -m viz_core.training export RECIPE --data DIR      measure the best so far, write the card
python -m viz_core.training evaluate NAME --data DIR      measure a checkpoint; --all for a table
                                                          --write keeps the figures in its card
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import torch
from safetensors.torch import load_file

from viz_core import checkpoints
from viz_core.checkpoints import ARCHITECTURES
from viz_core.text import Tokenizer, french_spacing
from viz_core.training import bert, characters, data, loop
from viz_core.training.measure import report, translation as translation_measure
from viz_core.training.recipes import RECIPES, Recipe
from viz_core.training.translation import WATCHED, TranslationTask

# Recipes with data of their own: their module has train, export and measure.
OTHERS: dict[str, Any] = {name: module for module in (bert, characters) for name in module.RECIPES}


def began_with(recipe: Recipe, given: argparse.Namespace) -> str:
    """The checkpoint whose weights a run begins with; none if it begins from nothing."""
    return recipe.name if given.further else recipe.start


def tokenizer_for(folder: Path, runs: Path, size: int, start: str = "") -> Tokenizer:
    """The joint tokeniser of all translators of one size, made once from the training parts."""
    if start:
        return checkpoints.load(start).tokenizer
    path = runs / f"tokenizer-{size}.json"
    if not path.is_file():
        lines = (
            side
            for name, times in data.SPELLED.items()
            for pair in data.read(name, folder, "train") * times
            for side in (pair.english, french_spacing(pair.french))
        )
        runs.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(Tokenizer.train(lines, size).to_json())
        unfinished.replace(path)
    return Tokenizer.from_json(path.read_text())


def build(recipe: Recipe) -> torch.nn.Module:
    return ARCHITECTURES[architecture_of(recipe)][1](recipe.config)


def architecture_of(recipe: Recipe) -> str:
    kind = type(recipe.config)
    return next(name for name, (config, _) in ARCHITECTURES.items() if config is kind)


def go_on_from(name: str, model: torch.nn.Module) -> None:
    """Take over all weights of a translator but those of its attention, which stays new."""
    shared = checkpoints.load(name).model.state_dict()
    taken = {key: value for key, value in shared.items() if not key.startswith("score.")}
    model.load_state_dict(model.state_dict() | taken)


def go_further(name: str, model: torch.nn.Module, out: Path) -> loop.Progress:
    """Take over a checkpoint of the same name with all that its card tells of its past."""
    bundle = checkpoints.load(name)
    model.load_state_dict(bundle.model.state_dict())
    film = checkpoints.snapshots(name)
    out.mkdir(parents=True, exist_ok=True)
    with (out / "snapshots.jsonl").open("w") as file:
        for number, step in enumerate(film["steps"]):
            lines = [{"weights": one["weights"][number]} for one in film["sentences"]]
            file.write(json.dumps({"step": step, "sentences": lines}) + "\n")
    return loop.past(bundle.card.steps, bundle.card.curve)


def train(recipe: Recipe, given: argparse.Namespace) -> None:
    out = given.runs / recipe.name
    model = build(recipe)
    past = loop.past(recipe.shared)
    if given.further:
        past = go_further(recipe.name, model, out)
    elif recipe.start:
        go_on_from(recipe.start, model)
    task = TranslationTask(
        model,
        tokenizer_for(given.data, given.runs, recipe.config.vocabulary, began_with(recipe, given)),
        given.data,
        recipe.mixture,
        out=out,
        batch_tokens=recipe.batch_tokens,
        naming=recipe.naming,
        alone=recipe.alone,
        half=recipe.half,
        seed=recipe.schedule.seed,
    )
    progress = loop.train(task, recipe.schedule, out, given.minutes, given.resume, past)
    print(f"{recipe.name}: {progress.step} steps, held-out loss {progress.best:.4f}")
    if loop.Processes().first:
        export(recipe, given)


def export(recipe: Recipe, given: argparse.Namespace) -> None:
    """Measure the best weights of a run and write them, with their card, to checkpoints/."""
    out = given.runs / recipe.name
    best = out / "best.safetensors"
    if not best.is_file():
        raise ValueError(f"{best} is not there: train {recipe.name} first")
    model = build(recipe)
    model.load_state_dict({name: value.float() for name, value in load_file(best).items()})
    tokenizer = tokenizer_for(
        given.data, given.runs, recipe.config.vocabulary, began_with(recipe, given)
    )
    progress = loop.read_progress(out)
    described: dict[str, Any] = {
        "name": recipe.name,
        "title": recipe.title,
        "paper": recipe.paper,
        "architecture": architecture_of(recipe),
        "data": [data.describe(name) for name in recipe.mixture],
        "command": f"python -m viz_core.training {recipe.name} --data DIR{loop.asked(given)}",
        "seed": recipe.schedule.seed,
        "steps": progress.best_step,
        "start": recipe.start,
        "metrics": {},
        "examples": [english for english, _ in WATCHED],
        "notes": recipe.notes,
        "curve": progress.curve,
    }
    checkpoints.save(model, tokenizer, described)  # first without figures, to measure what is kept
    bundle = checkpoints.load(recipe.name)
    described |= translation_measure.measure(bundle, given.data)
    card = checkpoints.save(model, tokenizer, described)
    write_snapshots(out, tokenizer, checkpoints.FOLDER / recipe.name)
    print(report.table([card]))


def write_snapshots(out: Path, tokenizer: Tokenizer, folder: Path) -> None:
    """The attention on the watched sentences while the model learned, for the page's slider."""
    lines = [json.loads(line) for line in (out / "snapshots.jsonl").read_text().splitlines()]
    by_step = {line["step"]: line["sentences"] for line in lines}
    sentences = [
        {
            "source": tokenizer.encode(english).ids,
            "target": tokenizer.encode(french_spacing(french)).ids,
            "weights": [by_step[step][number]["weights"] for step in sorted(by_step)],
        }
        for number, (english, french) in enumerate(WATCHED)
    ]
    found = {"steps": sorted(by_step), "sentences": sentences}
    (folder / checkpoints.SNAPSHOTS).write_text(json.dumps(found, separators=(",", ":")))


def measure(given: argparse.Namespace) -> None:
    names = checkpoints.names() if given.all else [given.name]
    if names == [None]:
        raise ValueError("Name a checkpoint, or say --all.")
    found = []
    for name in names:
        bundle = checkpoints.load(name)
        measured = OTHERS.get(name, translation_measure).measure(bundle, given.data)
        found.append(report.measured(bundle.card, measured))
        if given.write:
            checkpoints.write_card(found[-1])
        print(report.details(found[-1]))
    print(report.table(found))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m viz_core.training",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("action", choices=[*sorted(RECIPES), *OTHERS, "export", "evaluate"])
    parser.add_argument("name", nargs="?")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--further", action="store_true", help="go on from its own checkpoint")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--write", action="store_true", help="evaluate: rewrite the cards' figures")
    parser.add_argument("--weights", type=Path, help="folder of the weights bert-mini starts from")
    given = parser.parse_args()
    if given.further and given.action in characters.RECIPES:
        raise ValueError(f"{given.action} is trained in minutes: train it anew, without --further.")
    if given.action == "evaluate":
        measure(given)
    elif given.action in OTHERS:
        OTHERS[given.action].train(given.action, given)
    elif given.action == "export" and given.name in OTHERS:
        OTHERS[given.name].export(given.name, given)
    elif given.action == "export":
        if given.name not in RECIPES:
            raise ValueError(f"There is no recipe {given.name!r}. Known: {', '.join(RECIPES)}.")
        export(RECIPES[given.name], given)
    else:
        train(RECIPES[given.action], given)


if __name__ == "__main__":
    # One thread a process, as processes share the cores; numbers too small to matter cost most.
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    try:
        main()
    except ValueError as error:
        sys.exit(str(error))

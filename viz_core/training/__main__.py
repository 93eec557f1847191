"""Train, measure and keep a checkpoint.

python -m viz_core.training RECIPE --data DIR [--minutes N] [--resume | --further | --grow]
python -m viz_core.training translate --pairs FILE --name en-vi [--source en --target vi]
                                                          a translator of your own, from any file
                                                          of sentence TAB translation
python -m viz_core.training export RECIPE --data DIR      measure the best so far, write the card
python -m viz_core.training evaluate NAME... --data DIR   measure checkpoints; --all for a table
                                                          --write keeps the figures in the cards
python -m viz_core.training sheet [NAME...]               what people type, translated, to be marked
                                                          --marks FILE counts a marked sheet
python -m viz_core.training stories --weights FILE --data DIR --minutes N
                                                          the GPT's teacher writes stories; --first
                                                          237 from the file of that number on
python -m viz_core.training samples gpt                   twenty texts of a model that writes on,
                                                          none of them chosen
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import torch

from viz_core import checkpoints, probe
from viz_core.training import own, run, sheet, teacher
from viz_core.training.measure import report
from viz_core.training.recipes import RECIPES, recipe_for
from viz_core.training.run import Options


def main() -> None:
    given = parse()
    if given.minutes is not None and not given.minutes > 0:
        raise ValueError("A run needs some minutes: say --minutes 20, or leave it out.")
    if given.action == "sheet":
        print_sheet(given)
    elif given.action == "samples":
        print_samples(given)
    elif given.action == "translate":
        translate(given)
    elif given.data is None:
        raise ValueError("Say where the public files are: --data DIR.")
    elif given.action == "stories":
        teacher.generate(given.weights, given.data, given.minutes or 40, given.first)
    elif given.action == "evaluate":
        evaluate(given)
    elif given.action == "export":
        for name in given.names or [""]:
            if name not in RECIPES:
                raise ValueError(f"There is no recipe {name!r}. Known: {', '.join(RECIPES)}.")
            run.export(RECIPES[name], options(given))
    else:
        run.train(RECIPES[given.action], options(given))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m viz_core.training",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = ("translate", "export", "evaluate", "sheet", "stories", "samples")
    parser.add_argument("action", choices=[*sorted(RECIPES), *actions])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--data", type=Path, help="the folder of the public files")
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--minutes", type=float, help="of computing; waiting for a core is free")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--further", action="store_true", help="go on from its own checkpoint")
    parser.add_argument("--grow", action="store_true", help="begin with its smaller checkpoint")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--write", action="store_true", help="evaluate: rewrite the cards' figures")
    parser.add_argument("--weights", type=Path, help="published weights that a recipe takes over")
    parser.add_argument("--sentences", type=Path, default=sheet.SENTENCES, help="sheet: others")
    parser.add_argument("--marks", type=Path, help="sheet: a printed one with r, u or w in [ ]")
    parser.add_argument(
        "--first", type=int, default=0, help="stories: the number of the first file"
    )
    parser.add_argument("--pairs", type=Path, help="translate: a file, plain or gz, in UTF-8")
    parser.add_argument("--name", default="", help="translate: what its checkpoint is to be called")
    parser.add_argument("--source", default="", help="translate: the language it reads, as en")
    parser.add_argument("--target", default="", help="translate: the language it writes, as vi")
    parser.add_argument("--architecture", choices=list(own.MODELS), default="transformer")
    return parser.parse_args()


def options(given: argparse.Namespace) -> Options:
    return Options(
        data=given.data,
        runs=given.runs,
        minutes=given.minutes,
        resume=given.resume,
        further=given.further,
        grow=given.grow,
        weights=given.weights,
    )


def translate(given: argparse.Namespace) -> None:
    if given.pairs is None or not given.name:
        raise ValueError("Say which pairs, and a name: translate --pairs my.tsv --name en-vi.")
    told = Options(
        data=given.pairs,
        runs=given.runs,
        minutes=given.minutes or own.MINUTES,
        resume=given.resume,
    )
    languages = (given.source, given.target)
    run.train(own.recipe(given.pairs, given.name, *languages, given.architecture, told), told)


def evaluate(given: argparse.Namespace) -> None:
    all_of_them = [card.name for card in checkpoints.cards() if not card.own]
    names = all_of_them if given.all else given.names
    if not names:
        raise ValueError("Name a checkpoint, or say --all.")
    cards = []
    for name in names:
        recipe = recipe_for(checkpoints.card(name))
        cards.append(run.measure(recipe, name, given.data, given.write))
        print(report.details(cards[-1]))
    print(report.table(cards))


def print_samples(given: argparse.Namespace) -> None:
    """From nothing, at temperature 0.8, with the seeds from 0 on."""
    for name in given.names:
        bundle = checkpoints.load(name)
        for seed in range(20):
            found = probe.generate(bundle, "", probe.LONGEST_WRITING, 0.8, seed=seed)
            print(f"{seed:2} {found.text}", flush=True)


def print_sheet(given: argparse.Namespace) -> None:
    if given.marks:
        print(sheet.shares(given.marks))
        return
    for block in sheet.blocks(given.names or sheet.usual(), sheet.read(given.sentences)):
        print(block, flush=True)


if __name__ == "__main__":
    # One thread a process, as processes share the cores; numbers too small to matter cost most.
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    try:
        main()
    except ValueError as error:
        sys.exit(str(error))

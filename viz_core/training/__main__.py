"""python -m viz_core.training RECIPE --data DIR [--minutes N] [--resume]"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from viz_core.models.rnn import RNN, RNNConfig
from viz_core.models.transformer import Transformer
from viz_core.text import Tokenizer, french_spacing
from viz_core.training import data, loop
from viz_core.training.recipes import RECIPES, VOCABULARY, Recipe
from viz_core.training.translation import TranslationTask


def tokenizer_for(folder: Path, runs: Path) -> Tokenizer:
    """The joint tokeniser of all translators, made once from the training parts."""
    path = runs / "tokenizer.json"
    if not path.is_file():
        pairs = [p for n in ("tatoeba", "europarl", "multi30k") for p in data.read(n, folder, "train")]
        lines = (side for p in pairs for side in (p.english, french_spacing(p.french)))
        runs.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(Tokenizer.train(lines, VOCABULARY).to_json())
        unfinished.replace(path)
    return Tokenizer.from_json(path.read_text())


def build(recipe: Recipe) -> RNN | Transformer:
    config = recipe.config
    return RNN(config) if isinstance(config, RNNConfig) else Transformer(config)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m viz_core.training", description=__doc__)
    parser.add_argument("recipe", choices=sorted(RECIPES))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--resume", action="store_true")
    given = parser.parse_args()
    recipe = RECIPES[given.recipe]
    out = given.runs / recipe.name
    task = TranslationTask(
        build(recipe),
        tokenizer_for(given.data, given.runs),
        given.data,
        recipe.mixture,
        out=out,
        batch_tokens=recipe.batch_tokens,
        naming=recipe.naming,
        seed=recipe.schedule.seed,
    )
    progress = loop.train(task, recipe.schedule, out, given.minutes, given.resume)
    print(f"{recipe.name}: {progress.step} steps, held-out loss {progress.best:.4f}")


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:
        sys.exit(str(error))

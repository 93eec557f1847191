"""A translator of one's own: any pair of languages, from a file of pairs to a checkpoint.

    python -m viz_core.training translate --pairs my.tsv --name en-vi --source en --target vi

The model is one of the atlas's, smaller; its tokeniser, its split and its figures come from the
file alone. The checkpoint appears by itself in every page that translates.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from torch import nn

from viz_core import analysis, checkpoints, probe
from viz_core.checkpoints import Bundle
from viz_core.models.rnn import RNNConfig
from viz_core.models.transformer import TransformerConfig
from viz_core.text import Tokenizer, language_name
from viz_core.training import data, run, state
from viz_core.training.data import own
from viz_core.training.loop import Schedule
from viz_core.training.measure import heads as head_measure, own as own_measure
from viz_core.training.recipes import RECIPES
from viz_core.training.run import Options
from viz_core.training.state import Progress
from viz_core.training.translation import TranslationTask, Translator, Watched, film

Kind = Literal["transformer", "rnn"]
# Sub-words of both languages: one for so many pairs, so that each is met often enough to be learnt,
# and the softmax over them, a third of the work with 8,000, is no larger than it need be.
LEAST_WORDS, MOST_WORDS, PAIRS_A_WORD = 500, 8000, 7
WATCHED, SHOWN = 4, 8  # sentences of the film of its learning; examples on the pages
MINUTES = 20.0
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")  # zh-hant too
MODELS: dict[Kind, Any] = {
    "transformer": TransformerConfig(vocabulary=MOST_WORDS, dropout=0.1),
    "rnn": RNNConfig(vocabulary=MOST_WORDS, attention="additive", dropout=0.2),
}
# The minutes shape it: the rate falls over their second half, and the mean of the weights is kept,
# so that a run that is stopped early is as good as its steps allow.
SCHEDULE = Schedule(
    steps=30_000,
    peak=1.5e-3,
    warmup=200,
    decay_from=0.5,
    check_every=200,
    patience=15,
    average=0.998,
)
PAPERS = {"transformer": "Vaswani et al. 2017", "rnn": "Bahdanau et al. 2015"}
TITLES = {"transformer": "Transformer", "rnn": "RNN with additive attention"}


@dataclass(frozen=True, kw_only=True)
class OwnTranslator(Translator):
    pairs: own.OwnPairs
    source: str
    target: str
    mixture: dict[str, float] = field(default_factory=lambda: {data.OWN: 1.0})
    batch_tokens: int = 1600
    half: bool = True

    def __post_init__(self) -> None:
        kept = "by source sentence: a tenth held out, a tenth for the test, at most 400 and 1,000"
        described = {"name": self.pairs.file, "licence": "of its owner", "split": kept}
        object.__setattr__(self, "data", (described,))
        object.__setattr__(self, "examples", tuple(examples(self.pairs)))

    def tokenizer(self, options: Options) -> Tokenizer:
        pairs = self.pairs.of("train")
        lines = [side for pair in pairs for side in (pair.english, pair.french)]
        size = min(fitting(lines, len(pairs)), self.config.vocabulary)
        if {self.source, self.target} == {"en", "fr"}:
            return Tokenizer.train(lines, size)
        return Tokenizer.train_any(lines, size)

    def model(self, options: Options, tokenizer: Tokenizer) -> nn.Module:
        config = replace(self.config, vocabulary=tokenizer.size)
        return run.build(self.architecture, config)

    def begin(self, options: Options, model: nn.Module) -> Progress:
        if not options.resume:
            state.clear(options.runs / self.name)
        return Progress()

    def task(self, options: Options, model: nn.Module, tokenizer: Tokenizer) -> TranslationTask:
        return TranslationTask(
            model,
            tokenizer,
            lambda _, part: self.pairs.of(part),
            self.mixture,
            out=options.runs / self.name,
            batch_tokens=self.batch_tokens,
            watched=self.watched,
            half=self.half,
            seed=self.schedule.seed,
        )

    @property
    def watched(self) -> Watched:
        by_source = {pair.english: pair.french for pair in self.pairs.of("test")}
        return [(text, by_source[text]) for text in self.examples[:WATCHED]]

    def command(self, options: Options) -> str:
        """As the card repeats it."""
        told = f"--pairs {self.pairs.file} --name {self.name} --source {self.source}"
        minutes = f" --minutes {options.minutes:g}" if options.minutes else ""
        kind = f" --architecture {self.architecture}" if self.architecture != "transformer" else ""
        return f"translate {told} --target {self.target}{kind}{minutes}"

    def describe(self) -> dict[str, Any]:
        return {"source": self.source, "target": self.target, "own": True}

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        found: dict[str, Any] = {
            "metrics": {"own test": own_measure.figures(bundle, self.pairs.of("test"))}
        }
        if self.architecture == "transformer":
            held_out = self.pairs.of("held-out")
            traces = [probe.encoded(bundle, pair.english) for pair in held_out[:200]]
            profiles = analysis.profiles(traces)
            found["measured"] = {
                "profiles": [[asdict(profile) for profile in row] for row in profiles],
                "ablation": head_measure.ablations(bundle, held_out),
            }
        return found

    def files(self, options: Options, tokenizer: Tokenizer) -> dict[str, str]:
        return {checkpoints.SNAPSHOTS: film(options.runs / self.name, tokenizer, self.watched)}


def fitting(lines: Sequence[str], pairs: int) -> int:
    """How many sub-words for so much text: of Chinese, the signs alone are thousands."""
    signs = sum(times > 2 for times in Counter(chain.from_iterable(lines)).values())
    return max(LEAST_WORDS, pairs // PAIRS_A_WORD, 2 * signs)


def examples(pairs: own.OwnPairs) -> list[str]:
    """Sentences of the test part for the pages: a few of many lengths, none wider than a slide."""
    known = list(dict.fromkeys(pair.english for pair in pairs.of("test")))
    ordered = sorted([text for text in known if 12 <= len(text) <= 90] or known, key=len)
    step = max(len(ordered) // SHOWN, 1)
    return ordered[::step][:SHOWN]


def recipe(
    path: Path, name: str, source: str, target: str, kind: Kind, options: Options
) -> OwnTranslator:
    """What the command was told, checked: nothing is written before all of it is sound."""
    _check_name(name, options)
    if not source or not target:
        asked, _, wanted = name.partition("-")
        if not re.fullmatch("[a-z]{2,3}", asked) or not re.fullmatch("[a-z]{2,3}", wanted):
            raise ValueError("Say which languages these are: --source en --target vi.")
        source, target = source or asked, target or wanted
    source, target = source.lower(), target.lower()
    for code in (source, target):
        if not LANGUAGE.fullmatch(code):
            raise ValueError(
                f"{code[:60]!r} is no code of a language: two or three letters, such as en or vi."
            )
    if find_spec("sacrebleu") is None:
        raise ValueError("BLEU and chrF are measured by sacrebleu: pip install sacrebleu first.")
    pairs = own.read(path)
    if pairs.skipped:
        print(f"{pairs.file}: {pairs.skipped} lines without a tab or with an empty side left out")
    counts = ", ".join(f"{len(pairs.of(part))} {part}" for part in ("train", "held-out", "test"))
    print(f"{pairs.file}: {counts}")
    languages = f"{language_name(source)} to {language_name(target)}"
    return OwnTranslator(
        name=name,
        title=f"Yours: {TITLES[kind]}, {languages}",
        paper=PAPERS[kind],
        architecture=kind,
        config=MODELS[kind],
        schedule=SCHEDULE,
        pairs=pairs,
        source=source,
        target=target,
        notes=f"Trained on {pairs.file}, {len(pairs.of('train')):,} pairs, outside this "
        "repository. Its examples are of the test part.",
    )


def _check_name(name: str, options: Options) -> None:
    if not NAME.fullmatch(name):
        raise ValueError(
            f"{name[:60]!r} is no name for a checkpoint: small letters, digits, dots and hyphens, "
            "such as en-vi. It names a folder, so it is no path."
        )
    there = name in checkpoints.names()
    mine = there and options.resume and checkpoints.card(name).own
    if name in RECIPES or (there and not mine):
        raise ValueError(f"There is a checkpoint {name} already. Choose another --name.")
    folder = options.runs / name
    if options.resume and not state.begun(folder):
        raise ValueError(f"There is no run {folder} to go on with.")
    if not options.resume and state.begun(folder):
        raise ValueError(
            f"{folder} holds a run of this name. Go on with it by --resume, or choose "
            "another --name."
        )
    if not options.resume and not state.unbegun(folder):
        raise ValueError(f"{folder} is there and is no run. Choose another --name or --runs.")

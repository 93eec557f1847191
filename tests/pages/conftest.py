"""Checkpoints folders of tiny models, so that their pages are tested with and without real ones."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import altair as alt
import pandas  # noqa: F401  before AppTest puts pages/ on the path: pandas imports "bottleneck"
import pytest
from altair.utils import schemapi
from streamlit.testing.v1 import AppTest

from tests import tiny
from tests.opening import page
from viz_core.charts.kit import cache
from viz_core.ui.patches.altair_checks import unchecked
from viz_core.ui.run import forget

CHECKS = {
    schemapi: ("DEBUG_MODE", "validate_jsonschema", "_FromDict", "_deep_copy", "_todict"),
    alt.Chart: ("_compute_hash",),
    alt.TopLevelMixin: ("to_dict",),
}


@pytest.fixture
def unchecked_charts(monkeypatch):
    """Altair as visitors get it, for tests of what is typed and moved: they take half as long.

    That the charts are sound is checked where pages open and where charts are drawn.
    """
    for place, names in CHECKS.items():
        for name in names:
            monkeypatch.setattr(place, name, getattr(place, name))  # to be put back
    unchecked()
    cache.forget()
    yield
    cache.forget()


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory, wordpiece):
    """bert-mini and the three tasks on top of it: random weights, measured as the real ones are."""
    import torch

    from viz_core import checkpoints
    from viz_core.models.bert import Bert
    from viz_core.training import tasks
    from viz_core.training.measure import bert_heads

    folder = tmp_path_factory.mktemp("checkpoints")
    torch.manual_seed(1)
    config = tiny.bert_config(max_length=512)
    described = asdict(tiny.card("bert-mini", "bert"))
    for computed in ("config", "parameters", "sha256"):
        del described[computed]

    def save(name, model, base=None, **more):
        checkpoints.save(
            tiny.shaken(model, 0.3), wordpiece, {**described, "name": name, **more}, folder, base
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoints, "FOLDER", folder)
        save("bert-mini", Bert(config))
        bundle = checkpoints.load("bert-mini")
        riddles = {
            "it resolved": 0.51,
            "layer": 2.0,
            "head": 1.0,
            "chance": 0.5,
            "sentences": 126.0,
        }
        save_again = {
            "metrics": {"it, classic": bert_heads.classic(bundle), "it, dpr": riddles},
            "measured": {
                "profiles": bert_heads.profiles(bundle),
                "it resolved": [[0.5, 0.49, 0.52], [0.51, 0.5, 0.48]],
            },
        }
        checkpoints.save(bundle.model, wordpiece, {**described, **save_again}, folder)
        for task, name in (
            ("classify", "bert-sentiment"),
            ("tag", "bert-entities"),
            ("answer", "bert-answers"),
        ):
            shape = replace(config, task=task, labels=tasks.LABELS[task])
            save(name, Bert(shape), base="bert-mini")
    return folder


@pytest.fixture
def opened_at(monkeypatch):
    """opened_at(folder, "bert", layer="2") runs a page upon these checkpoints, from such a link."""
    from viz_core import checkpoints

    def run(folder: Path, stem: str, /, **params: str) -> AppTest:
        _forget()
        monkeypatch.setattr(checkpoints, "FOLDER", folder)
        return page(stem, **params)

    yield run
    _forget()


def _forget() -> None:
    """Models are cached by name, whichever folder they came from."""
    forget()


@pytest.fixture
def opened(opened_at, tiny_folder):
    """opened("bert", layer="2"): the same upon the tiny checkpoints."""

    def run(stem: str, /, **params: str) -> AppTest:
        app = opened_at(tiny_folder, stem, **params)
        assert not app.error
        return app

    return run


@pytest.fixture(scope="session")
def specs():
    """specs(app): the charts of a page, from its top."""

    def read(app: AppTest) -> list[dict]:
        return [json.loads(chart.proto.spec) for chart in app.get("vega_lite_chart")]

    return read


@pytest.fixture(scope="session")
def findings():
    """findings(app): what the charts of a page say in words."""

    def read(app: AppTest) -> list[str]:
        return [chart.proto.alt for chart in app.get("vega_lite_chart")]

    return read


@pytest.fixture(scope="session")
def said():
    def read(app: AppTest) -> str:
        return " ".join(markdown.value for markdown in app.markdown)

    return read


@pytest.fixture(scope="session")
def nine_folder(tmp_path_factory, bundle_of):
    """All nine recurrent translators: random weights, and figures as the real cards have them."""
    from typing import get_args

    from viz_core import checkpoints
    from viz_core.models.rnn import Attention

    folder = tmp_path_factory.mktemp("nine")
    for number, kind in enumerate(get_args(Attention)):
        bundle = bundle_of(f"rnn-{kind}")
        rows = [
            {"words": words, "sentences": 9, "BLEU": bleu, "low": bleu - 2.0, "high": bleu + 2.0}
            for words, bleu in (("1-4", 30.0), ("21-24", 10.0 + number))
        ]
        described = {
            "name": f"rnn-{kind}",
            "title": f"Random {kind}",
            "paper": "none",
            "architecture": "rnn",
            "data": [],
            "command": "",
            "seed": 1,
            "steps": 0,
            "metrics": {"tatoeba test": {"BLEU": 20.0 + number, "perplexity": 5.0}},
            "examples": [],
            "measured": {"BLEU by length": rows},
        }
        checkpoints.save(bundle.model, bundle.tokenizer, described, folder)
    return folder


@pytest.fixture
def checkpoints_at(monkeypatch):
    """checkpoints_at(folder) shows the pages another folder, and forgets it afterwards."""
    from viz_core import checkpoints

    def move(folder: Path) -> None:
        _forget()
        monkeypatch.setattr(checkpoints, "FOLDER", folder)

    yield move
    _forget()


@pytest.fixture
def nine(checkpoints_at, nine_folder):
    checkpoints_at(nine_folder)
    return nine_folder

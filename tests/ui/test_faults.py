"""What goes wrong while people watch: a sentence, and everything else goes on.

Checkpoints missing, cut short or altered, before the start and while the app runs; a full disk;
a process that is killed.
"""

import os
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from benchmarks import server, visitor
from tests.ui import live
from viz_core import checkpoints, probe, ui
from viz_core.charts import export, matrix
from viz_core.traces import AttentionTrace
from viz_core.ui.run import forget

ROOT = Path(__file__).parents[2]
LINKING = {"home", "gallery"}  # to other pages, which only exist under app.py
PAGES = [page for page in sorted((ROOT / "pages").glob("*.py")) if page.stem not in LINKING]


def change(path: Path, content: bytes) -> None:
    """A file in place of the link to the real one."""
    path.unlink()
    path.write_bytes(content)


def cut(folder: Path) -> None:
    path = folder / checkpoints.WEIGHTS
    change(path, path.read_bytes()[:5000])


def alter(folder: Path) -> None:
    path = folder / checkpoints.TOKENIZER
    change(path, path.read_bytes().replace(b"e", b"o", 1))


def remove(folder: Path) -> None:
    (folder / checkpoints.WEIGHTS).unlink()


def garble(folder: Path) -> None:
    change(folder / checkpoints.CARD, b"{not json")


FAULTS = {cut: "model.safetensors", alter: "tokenizer.json", remove: "model.safetensors"}


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """The checkpoints as links in a folder of their own, and nothing remembered from before."""
    shutil.copytree(ROOT / "checkpoints", tmp_path / "checkpoints", copy_function=os.symlink)
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path / "checkpoints")
    forget()
    yield tmp_path / "checkpoints"
    forget()


def opened(page: Path) -> AppTest:
    return AppTest.from_file(str(page), default_timeout=120).run()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_damaged_checkpoint_gets_a_sentence_that_names_the_file(copied, fault):
    first = ui.ALIGNING[0]
    fault(copied / first)
    app = opened(ROOT / "pages/alignment.py")
    assert not app.exception
    assert any(f"{first}/{FAULTS[fault]}" in error.value for error in app.error)


@pytest.mark.parametrize("fault", [cut, garble], ids=lambda fault: fault.__name__)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_page_breaks_when_every_checkpoint_is_damaged(copied, page, fault):
    for folder in copied.iterdir():
        fault(folder)
    assert not opened(page).exception


def test_a_damaged_translator_leaves_the_other_pages_alone(copied):
    cut(copied / "rnn-additive")
    app = opened(ROOT / "pages/positions.py")
    assert not app.exception and not app.error
    assert app.get("vega_lite_chart")


# ---- while the app runs -----------------------------------------------------------------------


@pytest.mark.parametrize("fault", [shutil.rmtree, cut, garble], ids=["deleted", "cut", "garbled"])
def test_a_checkpoint_that_goes_while_the_app_runs_is_still_served_from_memory(copied, fault):
    ui.run(
        probe.translate, "rnn-additive", "I am a student."
    )  # a visitor has been here: it is loaded
    fault(copied / "rnn-additive")
    found = ui.run(probe.translate, "rnn-additive", "She lost her umbrella.")
    assert found.text and found.cross.weights.size


def test_a_page_whose_checkpoint_goes_while_it_is_open_says_so_and_comes_back(copied):
    app = opened(ROOT / "pages/block.py")
    assert not app.exception and not app.error
    away = copied.parent / "away"
    (copied / "transformer").rename(away)
    forget()  # as after a restart
    app.run()
    assert not app.exception
    assert any("transformer" in error.value for error in app.error)
    away.rename(copied / "transformer")
    app.run()
    assert not app.exception and not app.error


# ---- a full disk ------------------------------------------------------------------------------


@contextmanager
def full_disk(left: int = 0) -> Iterator[None]:
    """No file of this process grows beyond `left` bytes, whoever writes it: Python, Rust or C."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (left, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


WEIGHTS = np.full((1, 1, 2, 2), 0.5, dtype=np.float32)
TRACE = AttentionTrace(kind="self", queries=("a", "b"), keys=("a", "b"), weights=WEIGHTS)
DRAWN = matrix.matrix(TRACE)
FIGURE = go.Figure(go.Heatmap(z=WEIGHTS[0, 0]))
KEPT: dict[str, tuple[Callable[[], str | bytes], str | bytes]] = {
    "PNG": (lambda: export.png(DRAWN, "A caption"), b"\x89PNG"),
    "SVG": (lambda: export.svg(DRAWN, "A caption"), "<svg"),
    "HTML": (lambda: export.page(DRAWN, "A caption"), "<!DOCTYPE html>"),
    "CSV": (lambda: export.csv(DRAWN, "A caption"), "# A caption\nquery"),
    "JSON": (lambda: export.written(DRAWN, "A caption"), "{"),
    "HTML of Plotly": (lambda: export.page(FIGURE, "A caption"), "<!doctype html>"),
    "CSV of Plotly": (
        lambda: export.csv(FIGURE, "A caption"),
        "# A caption\npanel,row,column,value",
    ),
    "JSON of Plotly": (lambda: export.written(FIGURE, "A caption"), "{"),
}


@pytest.mark.parametrize("kind", KEPT)
def test_a_file_to_keep_is_made_in_memory_and_needs_no_disk(tmp_path, kind):
    make, start = KEPT[kind]
    with full_disk():
        with pytest.raises(OSError):
            (tmp_path / "full").write_bytes(b"x")
        made = make()
    assert made[: len(start)] == start


def test_a_page_is_drawn_on_a_full_disk():
    app = AppTest.from_file(str(ROOT / "pages/positions.py"), default_timeout=120)
    with full_disk():
        app.run()
    assert not app.exception and not app.error
    assert app.get("vega_lite_chart")


@pytest.mark.parametrize("left", [0, 2000], ids=["nothing fits", "the weights do not fit"])
def test_a_checkpoint_that_does_not_fit_on_the_disk_is_not_there(
    monkeypatch, tmp_path, bundle_of, left
):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    with full_disk(left), pytest.raises(OSError):
        checkpoints.save(*described(bundle_of("rnn-dot")), folder=tmp_path)
    assert checkpoints.names() == [] and checkpoints.cards() == []
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    checkpoints.save(*described(bundle_of("rnn-dot")), folder=tmp_path)
    assert checkpoints.load("half").card.name == "half"


def test_the_checkpoint_before_survives_one_that_does_not_fit_on_the_disk(
    monkeypatch, tmp_path, bundle_of
):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    before = checkpoints.save(*described(bundle_of("rnn-dot")), folder=tmp_path)
    with full_disk(2000), pytest.raises(OSError):
        checkpoints.save(*described(bundle_of("rnn-additive")), folder=tmp_path)
    assert checkpoints.load("half").card == before
    with full_disk(100), pytest.raises(OSError):
        checkpoints.write_card(before)
    assert checkpoints.load("half").card == before


def described(bundle: checkpoints.Bundle) -> tuple[Any, Any, dict[str, Any]]:
    card: dict[str, Any] = {
        "name": "half",
        "title": "",
        "paper": "",
        "architecture": "rnn",
        "data": [],
    }
    card |= {"command": "", "seed": 1, "steps": 0, "metrics": {}, "examples": []}
    return bundle.model, bundle.tokenizer, card


# ---- a process that is killed -----------------------------------------------------------------


def test_a_killed_process_loses_only_its_visitors_who_go_on_when_it_is_back(tmp_path):
    """What deploy/start does: start it again; the visitor reconnects with the same link."""
    script = tmp_path / "page.py"
    script.write_text(
        "import streamlit as st\nst.title(st.text_input('Text', key='text', bind='query-params'))\n"
    )

    async def visit(url: str) -> str:
        async with visitor.Visitor(url) as one:
            await one.open("", text="still here")
            return one.known["text"]

    with server.serve(script) as first, server.serve(script) as second:
        assert live.visited(visit(first.url)) and live.visited(visit(second.url))
        first.process.kill()
        first.process.wait(30)
        with pytest.raises(OSError):
            live.visited(visit(first.url))
        assert live.visited(visit(second.url))  # the other one never noticed
        port = int(first.url.rsplit(":", 1)[1])
        with server.serve(script, port=port) as again:
            assert again.url == first.url
            assert live.visited(visit(again.url))

"""Checkpoints that are missing, cut short or altered: a sentence, and the other pages go on."""

import shutil
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from viz_core import checkpoints

ROOT = Path(__file__).parent.parent
PAGES = [page for page in sorted((ROOT / "pages").glob("*.py")) if page.stem != "home"]


def cut(folder: Path) -> None:
    path = folder / checkpoints.WEIGHTS
    path.write_bytes(path.read_bytes()[:5000])


def alter(folder: Path) -> None:
    path = folder / checkpoints.TOKENIZER
    path.write_text(path.read_text(encoding="utf-8").replace("e", "o", 1), encoding="utf-8")


def remove(folder: Path) -> None:
    (folder / checkpoints.WEIGHTS).unlink()


def garble(folder: Path) -> None:
    (folder / checkpoints.CARD).write_text("{not json", encoding="utf-8")


FAULTS = {cut: "model.safetensors", alter: "tokenizer.json", remove: "model.safetensors"}


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """The checkpoints in a folder of their own, and nothing remembered from other tests."""
    shutil.copytree(ROOT / "checkpoints", tmp_path / "checkpoints")
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path / "checkpoints")
    st.cache_data.clear()
    st.cache_resource.clear()
    yield tmp_path / "checkpoints"
    st.cache_data.clear()
    st.cache_resource.clear()


def opened(page: Path) -> AppTest:
    return AppTest.from_file(str(page), default_timeout=120).run()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_damaged_checkpoint_gets_a_sentence_that_names_the_file(copied, fault):
    fault(copied / "rnn-additive")
    app = opened(ROOT / "pages/alignment.py")
    assert not app.exception
    assert any(f"rnn-additive/{FAULTS[fault]}" in error.value for error in app.error)


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

"""Nothing that visitors do lets the server grow without end; what many ask is computed once."""

import ast
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import streamlit as st

from viz_core import probe
from viz_core.ui import bert_cached, cached

ROOT = Path(__file__).parents[2]


def decorators() -> list[tuple[str, ast.expr]]:
    """Every st.cache_data and st.cache_resource in the app, with where it stands."""
    found = []
    for path in [*sorted(ROOT.glob("viz_core/**/*.py")), *sorted(ROOT.glob("pages/*.py"))]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                found += [
                    (f"{path.name}:{node.name}", decorator)
                    for decorator in node.decorator_list
                    if "cache_" in ast.unparse(decorator)
                ]
    return found


def test_every_cache_has_a_bound():
    found = decorators()
    assert len(found) >= 15
    for where, decorator in found:
        assert isinstance(decorator, ast.Call), f"{where} has no bound"
        assert "max_entries" in {keyword.arg for keyword in decorator.keywords}, where


@pytest.fixture
def counted(monkeypatch):
    """ui.translation with a model that counts how often it is asked, and takes its time."""
    asked: list[str] = []

    def translate(_bundle, text, *_):
        asked.append(text)
        time.sleep(0.2 if text == "slow" else 0)
        return text.upper()

    monkeypatch.setattr(cached, "_load", lambda name: name)
    monkeypatch.setattr(probe, "translate", translate)
    cached.translation.clear()
    yield asked
    cached.translation.clear()


def test_what_many_students_ask_at_once_is_computed_once(counted):
    students = 12
    ready = threading.Barrier(students)

    def ask(_):
        ready.wait()
        return cached.translation("model", "slow")

    with ThreadPoolExecutor(students) as hall:
        answers = list(hall.map(ask, range(students)))
    assert answers == ["SLOW"] * students
    assert counted == ["slow"]


def test_the_cache_forgets_the_oldest_and_keeps_as_many_as_it_says(counted):
    bound = cached.TRACES
    texts = [f"sentence {i}" for i in range(bound + 30)]
    for text in texts:
        cached.translation("model", text)
    assert len(counted) == len(texts)
    for text in texts[-bound:]:
        cached.translation("model", text)
    assert len(counted) == len(texts)  # all of these were still there
    cached.translation("model", texts[0])
    assert counted[-1] == texts[0] and len(counted) == len(texts) + 1  # the oldest was not


def test_no_visitor_can_fill_the_memory_with_long_texts():
    """72 heads, four bytes a weight: as many as may be kept, each as long as it may be."""
    heads, longest = 72 * 4, 512
    short = bert_cached.SHORT_KEPT * heads * bert_cached.LONG**2
    long = bert_cached.LONG_KEPT * heads * longest**2
    assert short + long < 700e6
    for kept in (bert_cached._short, bert_cached._filled):
        assert kept._info.max_entries == bert_cached.SHORT_KEPT
    for kept in (bert_cached._long, bert_cached._long_filled):
        assert kept._info.max_entries == bert_cached.LONG_KEPT


def test_a_model_is_loaded_once_however_many_ask(monkeypatch):
    loaded: list[str] = []

    def load(name):
        loaded.append(name)
        time.sleep(0.2)
        return name

    monkeypatch.setattr(cached.checkpoints, "load", load)
    st.cache_resource.clear()
    with ThreadPoolExecutor(8) as hall:
        assert list(hall.map(cached._load, ["a"] * 8)) == ["a"] * 8
    st.cache_resource.clear()
    assert loaded == ["a"]

"""What nobody foresaw: a sentence and a way back."""

import importlib

from streamlit import error_util
from streamlit.testing.v1 import AppTest

from tests.ui.live import opened, served, visited
from viz_core import serving
from viz_core.ui import unforeseen


def broken() -> None:
    from streamlit import error_util

    from viz_core.ui import unforeseen

    error_util.handle_user_script_exception(RuntimeError("shape (3, 4)"), unforeseen.tell)


def test_the_visitor_reads_a_sentence_and_finds_a_way_back():
    app = AppTest.from_function(broken).run()
    assert not app.exception
    assert app.error[0].value == unforeseen.SAID
    assert "shape" not in app.error[0].value
    assert "Open this page as it begins" in str(app.get("html")[0].proto)


def test_the_traceback_is_in_the_log(monkeypatch):
    told = []
    monkeypatch.setattr(error_util, "_log_uncaught_app_exception", told.append)
    AppTest.from_function(broken).run()
    assert [str(error) for error in told] == ["shape (3, 4)"]


def test_the_server_asks_for_it():
    app = importlib.import_module("app").app
    assert app._on_script_error is serving.failed


def test_a_page_that_fails_is_told_of_by_the_server(tmp_path):
    (tmp_path / "page.py").write_text("raise RuntimeError('shape (3, 4)')")
    script = """
import streamlit as st
from viz_core import serving

app = st.App("page.py", on_script_error=serving.failed)
"""
    with served(script, tmp_path) as url:
        assert visited(told(url)) == [unforeseen.SAID]


async def told(url: str) -> list[str]:
    line, _, texts = await opened(url)
    await line.close()
    return texts

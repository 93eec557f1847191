"""The talk page: a list that is brought, edited, begun and kept."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from viz_core.atlas import talk
from viz_core.atlas.talk import View

ROOT = Path(__file__).parents[2]
VIEWS = [
    View(page="alignment", title="Look back", params={"text": "Hello."}),
    View(page="beam", title="Futures", note="Greedy loses."),
]


def opened(**params: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages/talk.py"), default_timeout=60)
    for name, value in params.items():
        app.query_params[name] = value
    return app.run()


def test_an_empty_list_says_what_to_do():
    app = opened()
    assert "Nothing is pinned yet" in app.info[0].value
    assert not app.get("html") or "Begin" not in str(app.get("html")[-1].proto)


def test_the_usual_lecture_is_one_press_away():
    app = opened()
    app.button(key="usual").click().run()
    assert not app.exception
    titles = [view.title for view in app.session_state["talk_views"]]
    assert titles == [view.title for view in talk.LECTURE]


def test_a_link_brings_its_list():
    app = opened(views=talk.pack(VIEWS))
    assert app.session_state["talk_views"] == VIEWS


@pytest.mark.parametrize("word", ["x", "%%%", "eJw", talk.pack(VIEWS)[:-9]])
def test_a_damaged_link_gets_a_sentence_and_an_empty_list(word):
    app = opened(views=word)
    assert not app.exception
    assert "cannot be read" in app.warning[0].value
    assert "Nothing is pinned yet" in app.info[0].value


def test_a_link_to_pages_that_are_not_here_gets_a_sentence():
    app = opened(views=talk.pack([View(page="nowhere", title="?")]))
    assert "not here" in app.warning[0].value


def brought(content: bytes) -> AppTest:
    app = opened()
    uploader: Any = app.get("file_uploader")[0]
    uploader.upload("talk.json", content, "application/json").run()
    return app


def test_a_file_brings_its_list():
    app = brought(talk.write(VIEWS).encode())
    assert app.session_state["talk_views"] == VIEWS


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{}", json.dumps([{"page": 1}]).encode()])
def test_a_file_with_wrong_content_gets_a_sentence(content):
    app = brought(content)
    assert not app.exception
    assert any("View" in info.value or "not a list" in info.value for info in app.info)

"""The page of few-shot learning: episodes, drawings, and no stroke."""

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.opening import page
from viz_core.text import ink


def opened(**params: str) -> AppTest:
    app = page("few_shot", **params)
    assert not app.error
    return app


def first(app):
    return app.get("vega_lite_chart")[0].proto


def test_it_opens_with_a_character_that_is_named_rightly():
    app = opened()
    assert ": right" in first(app).alt
    assert "attention block 2 of 3" in first(app).alt


def test_a_drawing_in_the_address_is_asked_for():
    drawing = np.zeros((28, 28))
    drawing[4:24, 13:15] = 1
    app = opened(asked="my own drawing", ink=ink.write(drawing))
    assert "It says" in first(app).alt and "right" not in first(app).alt.split(".")[0]


def test_without_a_stroke_there_is_a_sentence():
    app = opened(asked="my own drawing")
    assert any("no stroke yet" in info.value for info in app.info)


def test_what_is_no_drawing_gets_a_sentence():
    app = opened(asked="my own drawing", ink="<b>hello</b>")
    assert any("no drawing" in info.value for info in app.info)


def test_without_its_checkpoint_the_page_says_so(tmp_path, opened_at):
    app = opened_at(tmp_path, "few_shot")
    assert any("snail is not trained yet" in info.value for info in app.info)

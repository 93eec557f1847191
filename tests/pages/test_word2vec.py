"""The page on which word vectors are learned in sight."""

from functools import partial

import pandas  # noqa: F401  before AppTest puts pages/ on the path: pandas imports "bottleneck"
from streamlit.testing.v1 import AppTest

from tests.opening import page

opened = partial(page, "word2vec")


def told(app: AppTest) -> list[str]:
    return [info.value.replace("\\", "") for info in app.info]


def test_the_lesson_ends_with_queen_beside_king(findings):
    app = opened()
    assert "After 300 updates the words nearest to king are queen" in findings(app)[0]
    assert r"\log \sigma" in app.latex[0].value
    early = opened(at="0")
    assert "After 1 update " in findings(early)[0]


def test_training_again_starts_elsewhere(findings):
    app = opened(at="0")
    app.button(key="again").click().run()
    assert not app.exception
    assert app.slider(key="seed").value == 2
    assert "After 300 updates" in findings(app)[0]


def test_another_text_is_learned_and_too_short_a_text_gets_a_sentence(findings):
    app = opened()
    text = "Rain falls on the roof. Snow falls on the roof. Hail falls on the house."
    app.text_area(key="story").set_value(text).run()
    assert "“king” is not in this text" in findings(app)[0]
    app.text_area(key="story").set_value("nothing").run()
    assert not app.exception
    assert any("different words" in info for info in told(app))

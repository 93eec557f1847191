"""The page of words in context: one word, two sentences."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

PAGE = Path(__file__).parents[2] / "pages/context.py"


@pytest.fixture(scope="module")
def app():
    app = AppTest.from_file(str(PAGE), default_timeout=180).run()
    assert not app.exception and not app.error
    return app


def charts(app):
    return [chart.proto for chart in app.get("vega_lite_chart")]


def typed(app, **boxes):
    for key, text in boxes.items():
        app.text_input(key=key).set_value(text)
    app.run()
    assert not app.exception and not app.error
    return [each.value.replace("\\", "") for each in [*app.info, *app.warning]]


def test_it_opens_with_two_banks_and_their_neighbours(app):
    assert "Meanings of “bank”" in charts(app)[0].alt
    assert len(charts(app)) == 4
    assert "ELMo" in app.latex[0].value and "log p" in app.latex[1].value


def test_the_mixture_follows_its_sliders(app):
    before = app.latex[0].value
    app.slider(key="s0").set_value(0.0)
    app.slider(key="gamma").set_value(2.0).run()
    assert "2.0" in app.latex[0].value and app.latex[0].value != before


@pytest.mark.parametrize(
    ("boxes", "said"),
    [
        ({"word": "spoon"}, "“spoon” is not in the first sentence"),
        ({"word": ""}, "Type the word"),
        ({"word": "bank", "text": ""}, "nothing to read yet"),
        ({"text": "The bank was closed.", "second": "word " * 5000}, "the first 40 are read"),
        ({"second": "这是一个句子 bank"}, "another language"),
    ],
)
def test_what_cannot_be_compared_gets_a_sentence(app, boxes, said):
    assert any(said in sentence for sentence in typed(app, **boxes))


def test_without_its_checkpoint_the_page_says_so(tmp_path, opened_at):
    app = opened_at(tmp_path, "context")
    assert any("elmo is not trained yet" in info.value for info in app.info)

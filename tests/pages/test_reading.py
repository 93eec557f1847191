"""The page of reading with a tape: a sentence in, a line for each word out."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page


def opened(**params: str) -> AppTest:
    app = page("reading", **params)
    assert not app.error
    return app


def charts(app):
    return [chart.proto for chart in app.get("vega_lite_chart")]


def test_it_opens_with_the_sentence_of_the_paper_and_any_word_can_be_chosen():
    app = opened()
    assert app.text_input(key="text").value == "The FBI is chasing a criminal on the run ."
    assert "“.” looks back most at" in charts(app)[0].alt
    assert len(app.latex) == 3
    said = " ".join(markdown.value for markdown in app.markdown)
    assert "books 347 (plain LSTM 341)" in said and "the tape did not help here" in said
    app.slider(key="word").set_value(2).run()
    assert "“is” looks back most at" in charts(app)[0].alt


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "nothing to read yet"),
        ("این یک جمله است", "another language"),
        ("word " * 5000, "the first 60 are read"),
        ("Le chat est sur la table avec nous", "looks like French"),
    ],
)
def test_whatever_is_typed_gets_an_answer_and_stays_in_the_box(typed, said):
    app = opened()
    app.text_input(key="text").set_value(typed).run()
    assert not app.exception and not app.error
    assert any(said in each.value for each in [*app.info, *app.warning])
    assert app.text_input(key="text").value == typed


def test_without_its_checkpoint_the_page_says_so(tmp_path, opened_at):
    app = opened_at(tmp_path, "reading")
    assert any("lstmn is not trained yet" in info.value for info in app.info)

"""The page of the reviews: a review in, two shades out, a sentence where there is nothing."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page

MIXED = "A wonderful cast. The script is terrible and boring. I saw it on Monday."


def opened(**params: str) -> AppTest:
    app = page("documents", **params)
    assert not app.error
    return app


def charts(app):
    return [chart.proto for chart in app.get("vega_lite_chart")]


def test_it_opens_with_a_shaded_review_and_the_last_state_beside_it():
    app = opened()
    assert "of the weight" in charts(app)[0].alt
    assert charts(app)[1].alt.startswith("Chance of positive: last state")
    assert len(app.latex) == 3
    said = " ".join(markdown.value for markdown in app.markdown)
    assert "On 500 reviews of the test part" in said and "49.4%" in said


def test_a_sentence_that_is_left_out_moves_the_verdict():
    whole, less = opened(review=MIXED), opened(review=MIXED, out="2")
    assert charts(whole)[0].alt.startswith("Negative")
    assert charts(less)[0].alt.startswith("Positive")


def test_a_not_is_misread_and_the_page_says_so_with_the_measured_share():
    app = opened(review="This is not a bad film")
    assert charts(app)[0].alt.startswith("Negative")  # a reader would say: rather positive
    assert ["does not understand “not”" in warning.value for warning in app.warning] == [True]
    assert "a not, “This is not a bad film.”, 0%" in app.warning[0].value
    assert not opened().warning  # the page opens without a complaint


@pytest.mark.parametrize(
    ("typed", "said"),
    [("", "nothing to read yet"), ("این یک جمله است", "None of these words is known")],
)
def test_what_is_no_review_gets_a_sentence_and_stays_in_the_box(typed, said):
    app = opened(out="1")
    app.text_area(key="review").set_value(typed).run()
    assert not app.exception and not app.error
    assert any(said in info.value for info in app.info)
    assert app.text_area(key="review").value == typed
    assert not charts(app)


def test_five_thousand_words_are_read_in_part_and_one_word_is_enough():
    app = opened(review="A dull film. " * 1700)
    assert any("the first 4,000 were read" in warning.value for warning in app.warning)
    assert len(charts(app)) == 2
    assert len(charts(opened(review="awful"))) == 2


def test_french_is_warned_of():
    app = opened(review="Ce film est une merveille, je vous le recommande sans hésiter.")
    assert any("This looks like French" in warning.value for warning in app.warning)


def test_without_its_checkpoint_the_page_says_so(tmp_path, opened_at):
    app = opened_at(tmp_path, "documents")
    assert any("han is not trained yet" in info.value for info in app.info)

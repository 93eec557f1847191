"""The page of pondering: stories, questions, and what is neither."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page


def opened(**params: str) -> AppTest:
    app = page("ponder", **params)
    assert not app.error
    return app


def test_it_opens_with_an_answer_and_the_figures_by_task():
    app = opened()
    charts = [chart.proto.alt for chart in app.get("vega_lite_chart")]
    assert "Answer: “garden”" in charts[0]
    assert "Right answers by task" in charts[1]
    assert len(app.latex) == 1


@pytest.mark.parametrize(
    ("story", "text", "said"),
    [
        ("", "Where is Mary?", "no fact yet"),
        ("Mary went to the garden.", "", "no question yet"),
        ("The zorblax quiffed a flumph.", "Where is Mary?", "knows only"),
        ("Mary went to the garden.", "این یک جمله است", "knows only"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(story, text, said):
    app = opened()
    app.text_area(key="story").set_value(story)
    app.text_input(key="text").set_value(text).run()
    assert not app.exception and not app.error
    assert any(said in info.value for info in app.info)


def test_a_question_in_another_form_gets_a_notice_and_an_answer():
    app = opened(text="Mary is where?")
    assert any("begins with “mary is”" in warning.value for warning in app.warning)
    assert app.get("vega_lite_chart")


def test_unknown_words_in_another_form_get_both_sentences_and_the_words_that_are_known():
    app = opened(text="Which room has Mary in it?")
    assert any("begins with “which room”" in warning.value for warning in app.warning)
    assert any("knows only" in info.value for info in app.info)
    assert any("football" in text.value for text in app.expander[0].markdown)


def test_on_the_stage_thinking_begins_with_its_first_step():
    app = opened(present="1")
    assert app.get("vega_lite_chart")[0].proto.alt.startswith("Step 1 of")


def test_a_story_that_asks_is_not_answered():
    app = opened(story="Is Mary in the garden? John went home.", text="Where is Mary?")
    assert any("is a question" in each.value for each in app.info)

"""The page of the memory: bits in, a picture out, a sentence where there is none."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page
from viz_core.text import bits


def opened(**params: str) -> AppTest:
    app = page("memory", **params)
    assert not app.error
    return app


def charts(app):
    return [chart.proto for chart in app.get("vega_lite_chart")]


def test_it_opens_with_a_pattern_that_is_copied():
    app = opened()
    assert "10 inputs copied, all 80 bits right" in charts(app)[0].alt
    assert len(charts(app)) == 3
    assert len(app.latex) == 5


def test_a_length_beyond_training_is_said():
    app = opened(text=bits.draw(40, seed=3))
    assert "20 was the longest in training" in charts(app)[0].alt


def test_the_chosen_step_and_head_are_taken_apart():
    app = opened(text=bits.draw(5), step="2", head="writes")
    assert app.header[0].value == "Addressing at input 3"
    writing = app.latex[3].value
    app.segmented_control(key="head").set_value("read").run()
    assert app.latex[3].value != writing


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "nothing to copy yet"),
        ("what is this", "is not a bit"),
        ("1011", "lacks 4 of its 8"),
        ("1 " * 5000, "5,000 bits"),
    ],
)
def test_what_is_no_pattern_gets_a_sentence_and_stays_in_the_box(typed, said):
    app = opened()
    app.text_input(key="text").set_value(typed).run()
    assert not app.exception and not app.error
    assert any(said in info.value.replace("\\", "") for info in app.info)
    assert app.text_input(key="text").value == typed
    assert not charts(app)


def test_on_the_stage_the_picture_grows_with_the_steps():
    app = opened(present="1", step="3")
    assert "Step 4 of 21: input 4" in str(charts(app)[0].spec)


def test_without_its_checkpoint_the_page_says_so(tmp_path, opened_at):
    app = opened_at(tmp_path, "memory")
    assert any("ntm is not trained yet" in info.value for info in app.info)

"""The page of recurrent nets: hello learned in sight, and five shapes."""

from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page

opened = partial(page, "recurrent")


def descriptions(app: AppTest) -> list[str]:
    return [chart.proto.alt for chart in app.get("vega_lite_chart")]


def formulas(app: AppTest) -> str:
    return " ".join(latex.value for latex in app.latex)


# ---- hello ------------------------------------------------------------------------------------


def test_the_page_opens_with_hello_learned():
    app = opened()
    assert "h → ello ✓ learned" in descriptions(app)[0]
    assert r"h_t = \tanh" in formulas(app)
    assert r"\mathrm{softmax}" in formulas(app)


def test_before_the_first_update_it_is_not_learned():
    app = opened(update="0")
    assert "After 0 updates" in descriptions(app)[0]
    assert "✗ not learned yet" in descriptions(app)[0]


def test_training_again_starts_elsewhere_and_learns_hello_too():
    app = opened(update="0")
    before = formulas(app)
    app.button(key="again").click().run()
    assert not app.exception
    assert app.slider(key="seed").value == 2
    assert "After 100 updates: h → ello ✓ learned" in descriptions(app)[0]
    assert formulas(app) != before


def test_stepping_in_time_changes_the_formula_and_keeps_the_lesson():
    app = opened()
    first = formulas(app)
    app.slider(key="time").set_value(2).run()
    assert not app.exception
    assert formulas(app) != first
    assert "0.00" in first.split("h_{t-1}")[0]  # the state before the first letter is empty


@pytest.mark.parametrize("word", ["", "a", "x" * 13, "a" * 5000])
def test_a_word_that_cannot_be_taught_gets_a_sentence(word):
    app = opened()
    app.text_input(key="word").set_value(word).run()
    assert not app.exception
    assert any("Type a word of 2 to 12 letters" in info.value for info in app.info)


@pytest.mark.parametrize("word", ["سلام", "🙂🙃🙂", "<b>", "no no", "\\frac{"])
def test_any_word_of_fitting_length_is_taught(word):
    app = opened(word=word)
    assert f"{word[0]} → " in descriptions(app)[0]


@pytest.mark.parametrize("depth", ["1", "2", "3"])
def test_a_shape_is_taught_with_one_to_three_layers_and_each_step_tells_its_loss(depth):
    app = opened(view="Five shapes", shape="many to many, read first", input4="bca", depth=depth)
    assert descriptions(app)[0].startswith("bca gives ")
    elman, loss = (line.value.strip("$\n") for line in app.latex)
    assert "[h_{t-1}; x_t] + b" in elman and "h_{6,1}" in elman
    terms, total = loss.split("=")[-2:]
    assert sum(map(float, terms.split("+"))) == pytest.approx(float(total), abs=0.002)


def test_what_a_shape_cannot_read_gets_a_sentence():
    app = opened(view="Five shapes", shape="one to many", input2="🎵")
    (info,) = app.info
    assert "This net reads one digit from 1 to 9" in info.value
    assert info.value.endswith("type for example 5.")

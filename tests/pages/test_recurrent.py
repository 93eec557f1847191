"""The page of recurrent nets: hello learned in sight, gates under a text, a gate by hand."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from viz_core import checkpoints

PAGE = Path(__file__).parents[2] / "pages/recurrent.py"


def opened(**params: str) -> AppTest:
    app = AppTest.from_file(PAGE, default_timeout=180)
    for name, value in params.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


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


# ---- gates ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model", [name for name in ("char-lstm", "char-gru") if name in checkpoints.names()]
)
def test_the_gates_of_the_best_unit_stand_under_the_text(model):
    app = opened(view="Gates", model=model)
    names = (
        ("update gate",) if model == "char-gru" else ("input gate", "forget gate", "output gate")
    )
    assert all(name in descriptions(app)[0] for name in names)
    assert any("inside quotes" in note.value for note in app.markdown)
    assert any("r = " in note.value for note in app.markdown)
    assert ("z_t" if model == "char-gru" else "f_t") in formulas(app)


def test_the_mean_of_all_units_and_a_unit_by_number_can_be_shown():
    assert "forget gate, mean" in descriptions(opened(view="Gates", unit="mean of all"))[0]
    one, other = (
        formulas(opened(view="Gates", unit="by number", number=number)) for number in ("1", "2")
    )
    assert one != other


@pytest.mark.parametrize("text", ["漢字 and سلام", "🙂", "<script>alert(1)</script>"])
def test_characters_outside_the_alphabet_are_named(text):
    app = opened(view="Gates", text=text)
    assert any("Not in the model's alphabet" in warning.value for warning in app.warning)
    assert descriptions(app)


def test_nothing_and_too_much_get_a_sentence():
    app = opened(view="Gates")
    app.text_input(key="text").set_value("").run()
    assert not app.exception
    assert any("nothing to read yet" in info.value for info in app.info)
    app.text_input(key="text").set_value("many words " * 5000).run()
    assert not app.exception
    assert any("were read" in warning.value for warning in app.warning)


def test_a_single_character_is_enough():
    assert "position 1" in descriptions(opened(view="Gates", text="a"))[0]


# ---- by hand ----------------------------------------------------------------------------------


def test_the_gating_example_comes_out_as_in_the_lecture():
    app = opened(view="A gate by hand")
    assert "8 (old), 11 (new), 3 (old), 7 (old), 5 (old), 15 (new)" in descriptions(app)[0]


def test_other_numbers_give_other_results():
    app = opened(view="A gate by hand", gate="0.5 1; 2 3; 4 5")
    assert "3 (mixed), 3 (new)" in descriptions(app)[0]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("2 1; 2 3; 4 5", "between 0"),
        ("1 1; 2 3", "Three rows"),
        ("1 1; 2; 3 4", "equally long"),
        ("one", "is not a number"),
        ("", "is empty"),
    ],
)
def test_numbers_that_make_no_gate_get_a_sentence(rows, said):
    app = opened(view="A gate by hand")
    app.text_input(key="gate").set_value(rows).run()
    assert not app.exception
    assert any(said in info.value for info in app.info)

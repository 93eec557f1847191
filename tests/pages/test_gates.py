"""The page of gates: under a text, by hand, and what gradients reach without them."""

from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page
from viz_core import checkpoints

opened = partial(page, "gates")


def descriptions(app: AppTest) -> list[str]:
    return [chart.proto.alt for chart in app.get("vega_lite_chart")]


def formulas(app: AppTest) -> str:
    return " ".join(latex.value for latex in app.latex)


# ---- gates ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model", [name for name in ("char-lstm", "char-gru") if name in checkpoints.names()]
)
def test_the_gates_of_the_best_unit_stand_under_the_text(model):
    app = opened(model=model)
    names = (
        ("update gate",) if model == "char-gru" else ("input gate", "forget gate", "output gate")
    )
    assert all(name in descriptions(app)[0] for name in names)
    assert any("inside quotes" in note.value for note in app.markdown)
    assert any("r = " in note.value for note in app.markdown)
    assert ("z_t" if model == "char-gru" else "f_t") in formulas(app)


def test_the_mean_of_all_units_and_a_unit_by_number_can_be_shown():
    assert "forget gate, mean" in descriptions(opened(unit="mean of all"))[0]
    one, other = (formulas(opened(unit="by number", number=number)) for number in ("1", "2"))
    assert one != other


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("漢字 and سلام", "This looks like another language"),
        ("🙂", "nothing of it is read"),
        ("<script>alert(1)</script>", "it reads a blank there"),
    ],
)
def test_what_is_not_in_the_alphabet_is_told(text, said):
    app = opened(text=text)
    assert [said in warning.value for warning in app.warning] == [True]
    assert bool(descriptions(app)) == (text != "🙂")


def test_nothing_and_too_much_get_a_sentence():
    app = opened()
    app.text_input(key="text").set_value("").run()
    assert not app.exception
    assert any("nothing to read yet" in info.value for info in app.info)
    app.text_input(key="text").set_value("many words " * 5000).run()
    assert not app.exception
    assert any("the first 250 are read" in warning.value for warning in app.warning)


def test_a_single_character_is_enough():
    assert "position 1" in descriptions(opened(text="a"))[0]


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


# ---- gradients --------------------------------------------------------------------------------


def test_the_question_names_the_steps_that_were_chosen():
    app = opened(view="Gradients", steps="20", present="1", predict="1")
    assert any("a loss 20 steps later" in each.value for each in app.subheader)

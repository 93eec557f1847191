from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page
from viz_core.charts.kit import panels
from viz_core.charts.kit.arithmetic import number
from viz_core.charts.kit.cache import forget

opened = partial(page, "self_attention")


def drawn(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[list[str]]]:
    """The numbers of each panel as they stand in the pictures."""
    found: dict[str, list[list[str]]] = {}
    original = panels.picture

    def record(shown, *args, **options):
        for panel in shown:
            found[panel.name] = [[number(v) for v in row] for row in panel.values]
        return original(shown, *args, **options)

    monkeypatch.setattr(panels, "picture", record)
    forget()  # a chart drawn before would not be drawn again
    app.run()
    assert not app.exception
    return found


def test_the_page_opens_on_the_numbers_of_every_lecture(monkeypatch):
    found = drawn(opened(), monkeypatch)
    assert found["queries"] == [["1", "0", "2"], ["2", "2", "2"], ["2", "1", "3"]]
    assert found["scores"] == [["2", "4", "4"], ["4", "16", "12"], ["4", "12", "10"]]
    assert found["weights"][0] == ["0.1361", "0.4319", "0.4319"]


def test_without_scaling_the_outputs_are_the_known_ones(monkeypatch):
    found = drawn(opened(scaled="false"), monkeypatch)
    assert found["outputs"][0] == ["1.9366", "6.6831", "1.5951"]
    assert found["outputs"][2] == ["1.9997", "7.7599", "0.3584"]


def test_the_mask_leaves_the_first_word_alone(monkeypatch):
    found = drawn(opened(masked="true"), monkeypatch)
    assert found["scaled"][0][1:] == ["−∞", "−∞"]
    assert found["outputs"][0] == found["values"][0]


def test_two_heads_are_joined_and_mixed(monkeypatch):
    found = drawn(opened(heads="2", head="2"), monkeypatch)
    joined, result = found["heads side by side"], found["result"]
    assert [len(joined[0]), len(found["Wo"]), len(result[0])] == [6, 6, 4]
    assert joined[0][3:] == found["outputs"][0]  # head 2 is the one shown


def test_shuffled_words_keep_their_outputs_until_positions_are_added():
    app = opened(part="Shuffle the words")
    assert not app.exception
    assert any("only moved with their words" in text.value for text in app.markdown)
    app.toggle(key="placed").set_value(True).run()
    assert any("The order counts now" in text.value for text in app.markdown)


def test_the_mask_makes_the_order_count_too():
    app = opened(part="Shuffle the words", masked="true")
    assert any("The order counts now" in text.value for text in app.markdown)


def test_the_trained_model_shows_its_own_vectors(monkeypatch):
    found = drawn(opened(part="Trained model", layer="2", which="3"), monkeypatch)
    assert len(found["queries"][0]) == 4  # the first of them
    assert len(found["weights"]) == len(found["weights"][0]) == len(found["inputs"])


@pytest.mark.parametrize("typed", ["", "word " * 5000, "🙂", "این یک جمله است", "<b>x</b>"])
def test_the_trained_model_answers_whatever_is_typed(typed):
    app = opened(part="Trained model")
    app.text_input(key="sentence").set_value(typed).run()
    assert not app.exception
    assert typed.strip() or app.info


@pytest.mark.parametrize(
    ("key", "typed", "sentence"),
    [
        ("x", "1 two; 3 4", "'two' is not a number"),
        ("x", "", "x is empty"),
        ("x", "1 0; 1", "rows have 1 and 2 numbers"),
        ("x", "1e400 1 1 1", "1e400 is not between"),
        ("x", "NaN 1 1 1", "'NaN' is not a number"),
        ("x", "1 0; 0 1; 1 1", "x has 2 columns but Wq has 4 rows"),
        ("wq1", "1 0; 0 1; 1 1; 0 0", "Wq has 2 columns and Wk has 3"),
        ("wv1", "1;" * 60, "Wv is 60 x 1"),
        ("text", "one word too many", "4 words but x has 3 rows"),
    ],
)
def test_numbers_that_do_not_work_get_a_sentence_and_stay_in_their_box(key, typed, sentence):
    app = opened()
    app.text_input(key=key).set_value(typed).run()
    assert not app.exception
    assert [sentence in info.value for info in app.info] == [True]
    assert app.text_input(key=key).value == typed


def test_a_repaired_number_brings_the_picture_back():
    app = opened(x="1 oops")
    assert app.info and not app.get("vega_lite_chart")
    app.text_input(key="x").set_value("1 0 1 0; 0 2 0 2; 1 1 1 1").run()
    assert not app.info and app.get("vega_lite_chart")


def test_a_chosen_word_that_is_gone_does_not_break_the_formulas():
    app = opened(row="3 you")
    app.text_input(key="text").set_value("I love").run()
    app.text_input(key="x").set_value("1 0 1 0; 0 2 0 2").run()
    assert not app.exception
    assert len(app.latex) == 4

from functools import partial

import pytest

from tests.opening import page
from viz_core import checkpoints

opened = partial(page, "positions")


def test_the_page_opens_on_dimensions_four_to_seven_of_twenty():
    app = opened()
    assert not app.exception and not app.info
    assert (app.slider(key="d").value, app.slider(key="length").value) == (20, 100)
    assert app.text_input(key="dims").value == "4-7"
    assert any("depends on their distance alone" in text.value for text in app.markdown)


def test_a_preset_sets_all_inputs_at_once():
    app = opened()
    app.button_group(key="preset").select("dimensions 6-9 of 32").run()
    assert not app.exception
    assert (app.slider(key="d").value, app.slider(key="length").value) == (32, 60)
    assert app.text_input(key="dims").value == "6-9"


@pytest.mark.parametrize("base", ["", "ten", "NaN", "1e400", "0", "-3", "<b>", "1 2"])
def test_a_base_that_does_not_work_gets_a_sentence(base):
    app = opened()
    app.text_input(key="base").set_value(base).run()
    assert not app.exception
    assert [info.value.startswith("The base") for info in app.info] == [True]


@pytest.mark.parametrize("dims", ["", "all", "4-99", "0-19", "-", "😀"])
def test_dimensions_that_do_not_work_get_a_sentence(dims):
    app = opened()
    app.text_input(key="dims").set_value(dims).run()
    assert not app.exception
    assert len(app.info) == 1


def test_a_pair_that_is_gone_does_not_break_the_circle():
    app = opened(part="Moving by k", pair="9")
    assert app.slider(key="pair").value == 9
    app.slider(key="d").set_value(4).run()
    assert not app.exception


@pytest.mark.parametrize("params", [{"d": "4", "length": "2", "dims": "0-3"}, {"d": "127"}])
def test_the_smallest_and_an_odd_width_work(params):
    app = opened(**params)
    assert not app.exception and not app.info


def test_without_positions_the_order_of_the_words_is_lost():
    app = opened(part="Without positions", text="The dog bites the man.")
    assert not app.exception
    table = app.table[0].value
    given, bare = table["positions given"], table["positions left out"]
    assert bare[0] == bare[1] != ""
    assert given[0] != bare[0]
    assert any("the very same French for both orders" in text.value for text in app.markdown)


@pytest.mark.parametrize("typed", ["", "word " * 5000, "🙂", "این یک جمله است", "<b>x</b>", "I"])
def test_the_translation_answers_whatever_is_typed(typed):
    app = opened(part="Without positions")
    app.text_input(key="text").set_value(typed).run()
    assert not app.exception


def test_learned_positions_are_shown_or_their_absence_is_said():
    app = opened(part="Learned positions")
    assert not app.exception
    if "bert-mini" in checkpoints.names():
        assert any("BERT learned its positions" in text.value for text in app.markdown)
    else:
        assert any("bert-mini is not here" in info.value for info in app.info)


def test_a_place_is_added_by_hand_and_as_a_product_of_one_hot_vectors():
    app = opened(part="By hand", start="5", at="2")
    assert not app.exception and not app.info
    described = app.get("vega_lite_chart")[0].proto.alt
    # love at place 6: [0, 2, 0, 2] + [sin 6, cos 6, sin 0.06, cos 0.06]
    assert (
        described == "love at place 6: [0.00, 2.00, 0.00, 2.00] becomes [-0.28, 2.96, 0.06, 3.00]"
    )
    assert any("= 3.89" in line.value for line in app.latex)  # added
    assert any("= 1.54" in line.value for line in app.latex)  # joined


def test_words_of_odd_width_get_a_sentence():
    app = opened(part="By hand", e="1 0 1; 0 2 0", rows="a b")
    assert not app.exception
    assert any("come in pairs" in info.value for info in app.info)

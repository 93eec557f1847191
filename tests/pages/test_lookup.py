from functools import partial

import pytest

from tests.opening import page

opened = partial(page, "lookup")


def test_the_hard_answer_is_the_soft_one_at_temperature_zero():
    app = opened(temperature="0.0")
    assert not app.exception
    hard, soft = (line.split("-- ")[1] for line in app.code[0].value.splitlines())
    assert hard == soft == "[2]"


def test_what_is_not_in_the_table_still_gets_a_soft_answer():
    app = opened()
    app.button_group(key="question").select("a mango, which is not in the table").run()
    assert not app.exception
    assert app.text_input(key="query").value == "0.8 0.6"
    hard, soft = (line.split("-- ")[1] for line in app.code[0].value.splitlines())
    assert hard == "no row"
    assert soft == "[2.2879]"


def test_apple_is_the_combination_of_its_words():
    found = [chart.proto.alt for chart in opened().get("vega_lite_chart")]
    assert any("apple becomes [4.2, 4]" in said for said in found)


def test_weights_that_are_no_softmax_are_noticed():
    app = opened(weights="1 1 1 1 1")
    assert not app.exception
    assert [warning.value for warning in app.warning] == [
        "These weights sum to 5; those of a softmax sum to 1."
    ]


@pytest.mark.parametrize(
    ("key", "typed", "sentence"),
    [
        ("query", "", "Query is empty"),
        ("query", "1 2 3", "query has 3 numbers and each key 2"),
        ("query", "1 0; 0 1", "query has 4 numbers"),
        ("keys", "x", "'x' is not a number"),
        ("values", "1; 2", "4 keys and 2 values"),
        ("values", "1e400; 1; 1; 1", "not between"),
        ("text", "a b c d e", "5 words but the table has 4 rows"),
        ("weights", "0.5 0.5", "2 weights for 5 values"),
        ("seen_values", "nan", "'nan' is not a number"),
        ("seen", "far too many words for such a small table", "9 words"),
    ],
)
def test_numbers_that_do_not_work_get_a_sentence(key, typed, sentence):
    app = opened()
    app.text_input(key=key).set_value(typed).run()
    assert not app.exception
    assert [sentence in info.value for info in app.info] == [True]


def test_the_line_under_the_heading_is_about_the_sentence_that_was_typed(said):
    app = opened(seen="He is drinking a cold beer")
    assert not app.exception
    assert "what **beer** takes" in said(app) and "apple" not in said(app).split("what **beer")[1]

"""The page of a table that is asked two ways: by condition, and by what texts mean."""

from functools import partial

import pytest

from tests.opening import page

VIEWS = ("A table of persons", "Search")


opened = partial(page, "search")


def alt_of(app):
    return app.get("vega_lite_chart")[0].proto.alt


def test_like_finds_two_persons_and_equal_finds_one():
    app = opened()
    assert not app.exception
    assert alt_of(app).startswith("Hard match finds 2 rows")
    app.text_input(key="where").set_value("ID = '015843268901'").run()
    assert alt_of(app).startswith("Hard match finds one row")


def test_search_finds_a_text_that_shares_no_word_with_the_query():
    app = opened(view="Search")
    assert not app.exception
    assert "Hard match finds no row" in alt_of(app) and "Heavy rain" in alt_of(app)


def test_only_the_search_is_said_to_ask_a_bert():
    told = [[each.value for each in opened(view=view).caption] for view in VIEWS]
    assert [any("BERT" in line for line in lines) for lines in told] == [False, True]


@pytest.mark.parametrize(
    ("search", "said"), [("باران", "another language"), ("rain 😀", "never seen 😀")]
)
def test_a_query_that_a_bert_of_english_cannot_read_is_told(search, said):
    app = opened(view="Search", search=search)
    assert not app.exception and any(said in each.value for each in [*app.info, *app.warning])


@pytest.mark.parametrize(
    ("view", "key", "typed", "sentence"),
    [
        ("A table of persons", "where", "ID >", "Write a condition"),
        ("A table of persons", "table", "x", "names of the columns"),
        ("Search", "search", "", "nothing to read yet"),
        ("Search", "texts", "one", "there are 1"),
    ],
)
def test_what_no_table_can_answer_gets_a_sentence(view, key, typed, sentence):
    app = opened(view=view)
    box = next(each for each in [*app.text_input, *app.text_area] if each.key == key)
    box.set_value(typed).run()
    assert not app.exception
    assert [sentence in info.value for info in app.info] == [True]

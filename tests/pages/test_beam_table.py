from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page

opened = partial(page, "beam_table")


def said(app: AppTest) -> str:
    return "\n".join(each.value for each in (*app.markdown, *app.info, *app.latex))


def test_the_page_opens_with_the_lectures_numbers():
    app = opened()
    assert not app.exception and not app.info
    shown = said(app)
    assert "P = **0.048**" in shown and "P = **0.054**" in shown
    assert "Greedy loses" in shown and "proved to be the best" in shown
    assert r"2 \cdot 4 \cdot 4 = 32" in shown and "V^n = 4^{4} = 256" in shown
    assert r"\sqrt[4]{0.0480} = 0.468" in shown and r"\sqrt[4]{0.0540} = 0.482" in shown


def test_a_beam_of_one_does_not_find_the_better_output():
    shown = said(opened(k="1"))
    assert "Greedy search and the beam find the same output" in shown
    assert "a search error" in shown


def test_without_normalisation_a_short_output_wins():
    app = opened(k="3", alpha="0.0")
    assert "P = **0.100**" in said(app)


def test_a_beam_wider_than_the_vocabulary_says_what_it_does():
    app = opened(k="9")
    assert not app.exception
    assert "wider than the vocabulary" in said(app)


def test_a_changed_table_changes_the_outcome():
    """When B at step 2 is a dead end for certain, greedy search takes C and is right."""
    app = opened(table="0.5 0.2 0.2 0.1; * 0 0.2 0.6 0.2; * * 0 0 0 1; A C 0 1 0 0; A C B 0 0 0 1")
    assert not app.exception
    assert "find the same output" in said(app)
    assert "P = **0.300**" in said(app)


@pytest.mark.parametrize("table", ["", "<b>", "1 0 0", "nan 1 0 0", "0 0 0 0", "😀"])
def test_a_mistyped_table_gets_a_sentence(table):
    app = opened()
    app.text_input(key="table").set_value(table).run()
    assert not app.exception
    assert len(app.info) == 1


def test_a_row_that_does_not_sum_to_1_is_named():
    app = opened(table="0.5 0.5 0.5 0.5; * 0 0 0 1")
    assert "The row (start) sums to 2.00" in said(app)
    assert app.get("plotly_chart")


def test_a_table_in_which_nothing_ends_says_so():
    app = opened(table="1 0 0 0")
    assert not app.exception
    assert "No hypothesis finished" in said(app)

"""What a click or a press writes into the inputs of a page, and what stays a word in a table."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests import tiny
from viz_core import probe, ui
from viz_core.decoding import prefix


@pytest.fixture
def state(monkeypatch):
    """The inputs of a page that does not run."""
    kept = {}
    monkeypatch.setattr(st, "session_state", kept)
    return kept


def test_a_click_hands_one_field_of_its_mark_to_an_input(state):
    ui.sets("step", "number")({"number": 3.0, "row": 1})
    ui.sets("box", "part")({"part": "Encoder 2"})
    assert state == {"step": 3, "box": "Encoder 2"}
    assert isinstance(state["step"], int)


def test_a_forced_path_is_read_back_from_its_box_and_another_sentence_begins_freely(state):
    bundle = tiny.translator("rnn-additive")
    found = probe.beam(bundle, tiny.PAIRS[0][0], 3, limit=5)
    ids = found.token_ids(found.best)[:2]
    ui.begin_freely("The cat sees the dog.")
    ui.force(bundle.tokenizer, ids)
    assert prefix.read(bundle.tokenizer, str(state["forced"])) == ids
    ui.begin_freely("The cat sees the dog.")
    assert state["forced"]
    ui.begin_freely("It's my red umbrella.")
    assert state["forced"] == ""


def test_a_clicked_word_of_the_tree_is_written_behind_the_text(state):
    bundle = tiny.gpt()
    found = probe.continuations(bundle, "The cat", 2, 3)
    end = len(found.nodes) - 1
    ui.goes_on(bundle.tokenizer, "The cat", found)(end)
    given = bundle.tokenizer.encode("The cat").ids[:-1]
    assert state["text"] == bundle.tokenizer.decode((*given, *found.token_ids(end)))
    assert str(state["text"]).startswith("The cat")


def test_typed_words_stay_words_in_a_table():
    def page() -> None:
        from viz_core import ui

        ui.table({"typed": ["**bold**", "plain"]})
        ui.table([{"typed": "**bold**"}, {"typed": "plain"}])

    app = AppTest.from_function(page, default_timeout=60).run()
    assert not app.exception
    for table in app.table:
        assert list(table.value["typed"]) == [r"\*\*bold\*\*", "plain"]

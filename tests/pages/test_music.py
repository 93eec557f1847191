"""The page of tunes: notes and sound, from the first notes that were typed."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page


def opened(**params: str) -> AppTest:
    app = page("music", **params)
    assert not app.error
    return app


def test_it_opens_with_a_tune_as_notes_and_as_sound():
    app = opened()
    (staff,) = app.get("vega_lite_chart")
    assert "notes in" in staff.proto.alt and len(app.get("audio")) == 1
    assert app.code[0].value.startswith("M:6/8 K:G Major ")


def test_a_tune_goes_on_with_the_notes_that_were_typed():
    app = opened(metre="3/4", key="E Minor", notes="E2G B2e|")
    assert app.code[0].value.startswith("M:3/4 K:E Minor E2G B2e|")


@pytest.mark.parametrize("notes", ["hello", "گربه", "🎵", "<b>", "G" * 5000])
def test_what_is_no_tune_gets_a_sentence_and_stays_in_the_box(notes):
    app = opened()
    app.text_input(key="notes").set_value(notes).run()
    assert not app.exception and len(app.info) + len(app.warning) >= 1
    assert app.text_input(key="notes").value == notes

"""Views that became pages: an old address leads to the page, with all that it asked for."""

import pytest

from viz_core.atlas import talk
from viz_core.atlas.moved import MOVED, moved
from viz_core.atlas.pages import BY_STEM


@pytest.mark.parametrize(
    ("stem", "inputs", "now"),
    [
        ("recurrent", {"view": "Music", "tune": "3"}, ("music", {"tune": "3"})),
        ("recurrent", {"view": "Gradients"}, ("gates", {"view": "Gradients"})),
        ("recurrent", {"view": "Five shapes"}, ("recurrent", {"view": "Five shapes"})),
        ("lookup", {"temperature": "0"}, ("lookup", {"temperature": "0"})),
        ("lookup", {"view": ["Search", "x"]}, ("lookup", {"view": ["Search", "x"]})),
    ],
)
def test_an_old_address_leads_to_the_page_of_today(stem, inputs, now):
    assert moved(stem, inputs) == now


def test_both_ends_of_every_move_are_pages_and_no_page_moves_twice():
    for (stem, _), (there, _) in MOVED.items():
        assert {stem, there} <= set(BY_STEM)
        assert not any(start == there for start, _ in MOVED)


def test_a_talk_that_was_made_before_shows_the_page_of_today():
    old = talk.View(page="lookup", title="Persons", params={"view": "A table of persons"})
    (view,) = talk.read(talk.write([old]), BY_STEM)
    assert (view.page, dict(view.params)) == ("search", {"view": "A table of persons"})

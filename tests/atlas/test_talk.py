"""The list of a talk: it travels as a file and as a link, and may come from anywhere."""

import base64
import json
import zlib

import pytest
from hypothesis import given, strategies as st

from viz_core.atlas import talk
from viz_core.atlas.talk import View

PAGES = ["alignment", "beam"]
inputs = st.one_of(st.text(max_size=30), st.lists(st.text(max_size=9), min_size=1, max_size=3))
made = st.builds(
    View,
    page=st.sampled_from(PAGES),
    title=st.text(max_size=40),
    note=st.text(max_size=40),
    params=st.dictionaries(st.from_regex(r"\A[a-z_]{1,9}\Z"), inputs, max_size=3),
)


@given(st.lists(made, min_size=1, max_size=5))
def test_a_list_comes_back_from_a_file_and_from_a_link(views):
    assert talk.read(talk.write(views), PAGES) == views
    assert talk.unpack(talk.pack(views), PAGES) == views


def test_a_view_opens_at_its_link():
    view = View(page="beam", title="", params={"text": "Il pleut & fort", "off": ["1.2", "3.4"]})
    assert view.link == "beam?text=Il+pleut+%26+fort&off=1.2&off=3.4"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no list", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("{}", "no entries"),
        ("[]", "no entries"),
        (json.dumps([{"page": "beam"}] * 61), "at most 60"),
        (json.dumps([1]), "does not name its page"),
        (json.dumps([{"page": "../secret"}]), "not here"),
        (json.dumps([{"page": "beam", "params": {"text": {"a": 1}}}]), "inputs that are not text"),
        (json.dumps([{"page": "beam", "params": {"a b": "x"}}]), "inputs that are not text"),
        (json.dumps([{"page": "beam", "title": 3}]), "title or a note"),
        (" " * 200_001, "characters"),
    ],
)
def test_wrong_content_gets_a_sentence(text, said):
    with pytest.raises(ValueError, match=said):
        talk.read(text, PAGES)


@given(st.text(max_size=60))
def test_a_damaged_link_gets_a_sentence(word):
    with pytest.raises(ValueError, match=r"\.$"):
        talk.unpack(word, PAGES)


def test_a_link_that_would_unpack_to_gigabytes_is_not_unpacked():
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 50_000_000)).decode()
    with pytest.raises(ValueError, match="characters"):
        talk.unpack(bomb, PAGES)


def test_the_usual_lecture_is_a_list_that_can_be_read():
    pages = [view.page for view in talk.LECTURE]
    assert talk.read(talk.write(talk.LECTURE), pages) == talk.LECTURE

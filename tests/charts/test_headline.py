"""A title above its text, and the cost of long texts, as charts that fit their room."""

import pytest

from tests import tiny
from viz_core import probe
from viz_core.analysis import summary as told
from viz_core.by_hand.long_text import FORMS, looks
from viz_core.charts import headline, long_text
from viz_core.charts.kit.room import PAGE, Room

ROOMS = (PAGE, Room(1100, 400, 560), Room(1700, 800, 800, 1.8), Room(340, 400, 560))


@pytest.fixture(scope="module")
def trace():
    return probe.summarise(tiny.summary(), tiny.TEXT).words()


@pytest.mark.parametrize("room", ROOMS)
def test_a_title_and_its_text_stay_inside_their_room(trace, room):
    names = told.title_words(trace)
    for step in (0, len(names) - 1, len(names)):
        drawn = headline.headline(trace, step, room=room).to_dict()
        assert drawn["width"] <= room.width
        assert drawn["height"] <= room.tall


def test_words_that_are_not_yet_written_are_not_drawn(trace):
    drawn = headline.headline(trace, 0)
    first = next(iter(drawn.to_dict()["datasets"].values()))
    assert len(first) == 1


def test_a_very_long_text_is_cut_with_a_notice():
    found = probe.summarise(tiny.summary(), " ".join([tiny.TEXT] * 14)).words()
    small = Room(300, 200, 260)
    said = str(headline.headline(found, 0, room=small).to_dict()["title"])
    assert "words" in said
    assert headline.headline(found, 0, room=small).to_dict()["height"] <= small.tall


def test_the_blue_is_deepest_where_the_finding_says(trace):
    weights = told.looked(trace, 0)
    assert f"“{trace.source[int(weights.argmax())]}”" in told.finding(trace, 0)


@pytest.mark.parametrize("tokens", [2, 50, 800])
def test_areas_and_growth_are_drawn_for_any_length(tokens):
    three = [looks(form, tokens, 32) for form in FORMS]
    assert f"{tokens * tokens:,}" in long_text.areas(three).to_dict()["description"]
    assert "11,000" in long_text.growth(tokens, 32, 8).to_dict()["description"]


def test_the_formula_adds_up_to_the_chance_of_the_token():
    found = probe.summarise(tiny.summary(), tiny.TEXT)
    for step in range(len(found.target)):
        summed, total = told.formula(found, step).split(" = ")[-2:]
        products = [side.split(r" \cdot ") for side in summed.split(" + ")]
        added = sum(float(one) * float(other) for one, other in products)
        assert added == pytest.approx(float(total), abs=0.012)


def test_the_sub_word_of_the_formula_is_named():
    found = probe.summarise(tiny.summary(), tiny.TEXT)
    for step, token in enumerate(found.target):
        named = told.counted(found, step)
        assert token.removeprefix("##") in named or (token == told.CLOSING and "end" in named)


def test_a_text_of_few_words_gets_a_sentence():
    assert "1 word." in told.notice("Attention") and "2 words" in told.notice("Two words")
    assert not told.notice("") and not told.notice("word " * 40)

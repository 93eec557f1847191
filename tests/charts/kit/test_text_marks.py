"""Running text shaded by weight."""

from itertools import pairwise

import pytest
import vl_convert

from viz_core.charts.kit import text_marks


def svg(chart):
    return vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4")


def rows(chart):
    return max(chart.to_dict()["datasets"].values(), key=len)


def test_repeated_words_have_places_of_their_own():
    found = rows(text_marks.shaded(["the", "cat", "the"], [0.1, 0.2, 0.7]))
    assert [r["weight"] for r in found] == [0.1, 0.2, 0.7]
    assert len({r["left"] for r in found}) == 3


def test_words_do_not_overlap_and_lines_wrap():
    places = text_marks.flow(["word"] * 30, line=20)
    for (left, row, room), (after, below, _) in pairwise(places):
        assert below == row + 1 if after == 0 else after >= left + room - 1e-9
    assert places[-1][1] > 0
    assert all(left + room <= 20 for left, _, room in places)


def test_a_word_longer_than_a_line_stays_on_it():
    assert text_marks.flow(["x" * 300, "y"], line=20)[0] == (0.0, 0, 20)
    assert "<svg" in svg(text_marks.shaded(["x" * 300], [1.0]))


def test_a_label_that_is_wider_than_its_word_moves_the_next_word_on():
    plain = text_marks.flow(["at", "the"], line=90)
    labelled = text_marks.flow(["at", "the"], line=90, labels=["start 0.36, end 0.22", ""])
    needed = text_marks.width("start 0.36, end 0.22") * text_marks.style.SMALL / text_marks.SIZE
    assert plain[1][0] < needed <= labelled[1][0]


def test_wide_letters_take_more_room():
    assert text_marks.width("中文") > text_marks.width("ab") > text_marks.width("il")
    assert text_marks.width("e\u0301") == text_marks.width("e")


@pytest.mark.parametrize(("signed", "domain"), [(False, [0, 1]), (True, [-1, 0, 1])])
def test_the_colour_domain_is_fixed(signed, domain):
    spec = text_marks.shaded(["a"], [0.5], signed=signed).to_dict()
    assert spec["layer"][0]["encoding"]["color"]["scale"]["domain"] == domain


def test_the_heaviest_words_are_described():
    chart = text_marks.shaded(["it", "animal", "street"], [0.0, 0.62, 0.2], highlight=0)
    assert chart.to_dict()["description"] == "Most weight on animal 0.62, street 0.20"


def test_markup_stays_data():
    assert "&lt;script&gt;" in svg(text_marks.shaded(["<script>"], [0.3]))


def test_entities_are_named_below_their_words():
    picture = svg(
        text_marks.shaded(["Angela", "in", "Paris"], [0, 0, 0], labels=["PER", "", "LOC"])
    )
    assert ">PER<" in picture
    assert ">LOC<" in picture


def test_no_text_gives_a_chart():
    assert "no text" in svg(text_marks.shaded([], []))


def test_a_long_text_is_cut_and_the_title_says_so():
    chart = text_marks.shaded(["w"] * 1000, [0.0] * 1000, limit=100)
    assert len(rows(chart)) == 100
    assert chart.to_dict()["title"]["subtitle"] == ["words 1 to 100 of 1000"]


def test_text_that_is_read_from_right_to_left_begins_at_the_right():
    for words, backwards in ((["به", "خانه"], True), (["to", "house"], False)):
        first, second = rows(text_marks.shaded(words, [0.1, 0.9]))
        assert (first["left"] > second["left"]) == backwards

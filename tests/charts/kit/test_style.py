"""Colour, type and words that all charts share."""

import json

import pytest

from viz_core.charts.kit import style

LIGHT, DARK = "#fcfcfd", "#12161c"  # the backgrounds in .streamlit/config.toml


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [*style.HEADS, style.BLUE, style.VERMILION])
def test_marks_have_a_contrast_of_three_on_a_light_and_on_a_dark_page(colour):
    assert contrast(colour, LIGHT) >= 3
    assert contrast(colour, DARK) >= 3


def test_twelve_heads_have_twelve_colours():
    assert len(set(style.HEADS)) == 12


def test_weights_are_coloured_on_a_scale_from_zero_to_one():
    assert style.weight_scale().to_dict()["domain"] == [0, 1]


def test_a_token_axis_carries_any_token_as_data():
    tokens = [
        'a"b',
        "it's",
        "<script>alert(1)</script>",
        "\\n",
        "🙂",
        "سلام",
        "\u2028",
        "the",
        "the",
    ]
    label = style.token_axis(tokens, orient="top").to_dict()["labelExpr"]
    assert label.isascii()
    assert json.loads(label.removesuffix("[datum.value - 0]")) == tokens


def test_a_token_axis_of_a_part_counts_from_its_first_position():
    label = style.token_axis(["x"], orient="left", start=30).to_dict()["labelExpr"]
    assert label.endswith("[datum.value - 30]")


def test_characters_that_cannot_be_drawn_become_signs():
    assert style.readable("##lla") == "·lla" and style.readable("##") == "##"
    assert style.readable("a\tb\x00\x7f\ud800") == "a␉b␀\ufffd\ufffd"


def test_a_description_states_the_finding():
    where = style.place(2, 4)
    assert style.describe("it", "animal", 0.62, where) == (
        "it attends most to animal, 0.62, layer 3 head 5"
    )


def test_after_a_persian_word_the_number_stays_behind_it():
    told = style.describe("I", "دیروز", 0.7)
    assert told == "I attends most to دیروز\u200e, 0.70"


def test_the_mean_of_heads_and_a_single_attention_are_named_as_such():
    assert style.place(0, None) == "layer 1, mean of heads"
    assert style.place(0, 0, layers=1, heads=1) == ""


def test_type_and_cells_grow_with_the_scale():
    assert style.font(2.0) == 2 * style.font()
    assert style.cell(5, 2.0) == 2 * style.cell(5)


def test_cells_shrink_when_there_are_many():
    assert style.cell(100) < style.cell(10)


@pytest.mark.parametrize(("focus", "start"), [(None, 0), (0, 0), (50, 45), (99, 90)])
def test_a_part_lies_around_its_focus_and_inside_the_whole(focus, start):
    assert style.part(100, 10, focus) == slice(start, start + 10)


def test_a_part_that_is_the_whole_needs_no_note():
    assert style.part_note("words", style.part(5, 10), 5) == ""
    assert style.part_note("words", style.part(50, 10, 20), 50) == "words 16 to 25 of 50"


def test_markup_and_formulas_are_text_for_plotly():
    assert style.plotly_text("<b>$x$</b>") == "&lt;b&gt;&#36;x&#36;&lt;/b&gt;"
    assert style.plotly_text(',"') == ',"'  # Plotly would write out what stands for a quote


def test_where_not_all_words_fit_the_one_in_focus_is_written_all_the_same():
    words = list("abcdefghij")
    assert style.some(words, step=20, size=11) == words
    assert [*filter(None, style.some(words, step=5, size=11))] == ["a", "d", "g", "j"]
    focused = style.some(words, step=5, size=11, focus=14, start=10)
    assert [*filter(None, focused)] == ["a", "e", "j"]
    assert style.some(words, 5, 11, focus=99)[0] == "a"  # the focus is not among them

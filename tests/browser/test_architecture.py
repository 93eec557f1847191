"""The pages beside the machine: what the lecturer changes there changes the picture, and how."""

import re
from collections import Counter

import pytest
from playwright.sync_api import Locator, expect

LONG = (
    "The old farmer who lives near the river told us that his two brown horses ran away last "
    "night because somebody left the gate open."
)


def numbers(chart: Locator) -> list[str]:
    """Every number that is written in a picture, in the order in which it is drawn."""
    written = chart.locator("svg text").all_text_contents()
    return [word for word in written if re.fullmatch(r"[−-]?\d*\.?\d+", word)]


@pytest.mark.parametrize(
    "screen",
    [
        {"viewport": {"width": 1280, "height": 800}},
        {"viewport": {"width": 1920, "height": 1080}},
        {"viewport": {"width": 400, "height": 800}},
    ],
    ids=["laptop", "stage", "phone"],
)
def test_twenty_five_words_fit_the_machine(open_page, screen):
    wide = screen["viewport"]["width"]
    page = open_page(f"machine?text={LONG.replace(' ', '+')}" + "&present=1" * (wide == 1920))
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    expect(chart.get_by_text("Encoder 4").first).to_be_visible()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= wide
    if wide > 400:  # on a phone it may be moved in its own box
        box = chart.locator("svg").first.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= wide


def test_rows_turned_round_come_out_of_a_block_turned_round_and_norms_change_them(
    open_page, settle
):
    page = open_page("block?view=By+hand")
    chart = page.locator(".st-key-picture [data-testid=stVegaLiteChart]").first
    typed = numbers(chart)
    page.locator(".st-key-order").get_by_text("turned round", exact=True).click()
    settle()
    turned = numbers(chart)
    assert turned != typed and Counter(turned) == Counter(typed)
    page.locator(".st-key-norm").get_by_text("norm after (figure 1)", exact=True).click()
    settle()
    assert Counter(numbers(chart)) != Counter(turned)
    expect(page.get_by_text("Figure 1 of the paper norms after each sum")).to_be_visible()
    page.locator(".st-key-part").get_by_text("decoder", exact=True).click()
    settle()
    expect(chart.get_by_text("cross-attention").first).to_be_visible()


def test_a_word_moved_to_another_place_gets_other_numbers(open_page):
    here = numbers(open_page("positions?part=By+hand").locator(".st-key-picture").first)
    page = open_page("positions?part=By+hand&start=5")
    there = numbers(page.locator(".st-key-picture").first)
    assert here and len(here) == len(there) and here != there
    assert "-0.96" in {word.replace("\N{MINUS SIGN}", "-") for word in there}  # sin 5
    expect(page.get_by_text("W [x; p] is e + p again")).to_be_visible()


def test_a_mask_that_is_switched_off_shows_in_the_weights_and_the_words(open_page, settle):
    page = open_page("decoder?view=Masks+at+work&text=I+am+a+student.")
    expect(page.get_by_text("as if it were alone")).to_be_visible()
    page.locator(".st-key-causal label").first.click()
    settle()
    told = page.get_by_text("on what comes after them")
    assert int(re.search(r"spend (\d+)%", told.text_content())[1]) > 0
    page.locator(".st-key-padding label").first.click()
    settle()
    told = page.get_by_text("on the filling")
    assert int(re.search(r"spend (\d+)%", told.text_content())[1]) > 0


def test_the_words_of_training_follow_the_typed_sentence(open_page):
    page = open_page("decoder?text=My+sister+sells+very+good+bread.")
    said = page.locator(".st-key-picture").first.inner_text()
    assert "sœur" in said
    expect(page.get_by_text("Je suis étudiant")).to_have_count(0)


def test_bert_answers_by_a_start_and_an_end_over_every_token_of_the_text(open_page):
    page = open_page("tasks?task=Answers&question=Where+did+the+girl+sit%3F&story=A+girl+sat+here.")
    charts = page.locator("[data-testid=stVegaLiteChart]")
    for word in ("girl", "sat", "here"):
        expect(charts.get_by_text(word, exact=True).first).to_be_visible()
    scores = page.locator(".katex-mathml annotation").all_text_contents()
    assert any(r"s \cdot v_" in line for line in scores)


def test_a_head_on_frozen_states_is_measured_beside_the_fine_tuned_bert(open_page):
    page = open_page("tasks?task=Frozen+or+tuned")
    told = page.get_by_text("A head on frozen states").text_content()
    few, many = (int(share) for share in re.findall(r"(\d+)% (?:of \d+ )?with", told))
    assert few < many and "the fine-tuned BERT on" in told


def test_the_pairs_of_the_lecture_are_judged_and_half_of_all_are_neighbours(open_page, settle):
    page = open_page("pair")
    page.get_by_role("radio", name="lecture: penguins").click()
    settle()
    expect(page.get_by_label("Second sentence")).to_have_value(
        "penguin [MASK] are flightless birds ."
    )
    page = open_page("pair?view=How+pairs+are+drawn")
    shares = page.locator("[data-testid=stVegaLiteChart] svg text").all_text_contents()
    assert {"IsNext", "NotNext"} <= set(shares)
    found = [float(word) for word in shares if re.fullmatch(r"0?\.\d+", word)]
    assert found and all(abs(share - 0.5) < 0.05 for share in found)


def test_more_layers_show_a_convolution_more_words_and_self_attention_all_at_once(
    open_page, settle
):
    page = open_page(f"reach?layers=1&word=10%3A+us&text={LONG.replace(' ', '+')}")
    one = page.get_by_text("After 1 layer").text_content()
    page.locator(".st-key-layers").get_by_text("3", exact=True).click()
    settle()
    three = page.get_by_text("After 3 layers").text_content()
    seen = [re.findall(r"sees (all|\d+ of) 25 words", told)[1:] for told in (one, three)]
    assert seen == [["3 of", "all"], ["7 of", "all"]]  # a convolution over 3 words, self-attention


def test_a_published_number_says_where_it_is_printed(open_page):
    page = open_page("sizes?view=GLUE")
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    chart.locator("g.mark-symbol path").nth(2).hover(force=True)
    expect(page.locator("#vg-tooltip-element")).to_contain_text("Devlin et al. 2019, abstract")
    expect(page.get_by_text("People reach 87.1: passed in 2019-06 by MT-DNN")).to_be_visible()


def test_pages_say_what_is_ours_and_not_the_papers(open_page):
    page = open_page("local?text=My+sister+sells+good+bread.")
    expect(page.get_by_text("Our models learned with D = 4")).to_contain_text("D = 10")
    page = open_page("scores?text=My+sister+sells+good+bread.")
    expect(page.get_by_text("β cos(s, h)").first).to_be_visible()  # Graves et al. 2014, eq. 5
    page = open_page("block?text=My+sister+sells+good+bread.")
    expect(page.get_by_text("was also taught on purpose")).to_be_visible()

"""The machine as a lecturer uses it: every family is drawn, stepped, opened and left by a link."""

import re

from playwright.sync_api import expect

DRAWN = {"RNN": "Writer", "RNN with attention": "Context", "GPT": "Decoder 2"}


def test_every_family_is_drawn_stepped_and_opened_by_a_click(open_page, settle):
    page = open_page("machine?text=I+am+a+student.")
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    expect(chart.locator("image").first).to_be_visible()
    families = page.locator(".st-key-model button")
    for family in families.all_inner_texts():
        families.get_by_text(family, exact=True).click()
        settle()
        expect(chart.get_by_text(DRAWN.get(family, "Encoder 2")).first).to_be_visible()
    families.get_by_text("Transformer", exact=True).click()
    settle()
    hit = chart.locator("g.mark-rect").last.locator("path").nth(2)  # embedding, encoder 1, 2
    hit.click()
    settle()
    expect(page).to_have_url(re.compile("box=Encoder"))
    expect(chart.get_by_text("Heads   8 × ")).to_be_visible()
    page.get_by_role("link", name="Every head").click()
    settle()
    expect(page).to_have_url(re.compile(r"transformer\?text=I\+am\+a\+student.*layer=2"))


def test_arrow_keys_step_on_the_stage(open_page, settle):
    page = open_page("machine?text=I+am+a+student.&present=1")
    title = page.locator("[data-testid=stVegaLiteChart] .role-title-text").first
    before = title.text_content()
    page.keyboard.press("ArrowRight")
    settle()
    expect(title).not_to_have_text(before)


def test_an_opened_box_leads_on_with_the_same_sentence_and_arrows_go_to_the_next_box(
    open_page, settle
):
    page = open_page("machine?text=The+nurse+closed+the+small+window.&box=Encoder+1&present=1")
    title = page.locator("[data-testid=stVegaLiteChart] .role-title-text").first
    expect(title).to_contain_text("Encoder 1: from 10 × 256")
    page.keyboard.press("ArrowRight")
    settle()
    expect(title).to_contain_text("Encoder 2: from 10 × 256")
    page.get_by_role("link", name="Self-attention by hand").click()
    settle()
    expect(page.get_by_text("There are 6 words but")).to_have_count(0)
    expect(page.locator("[data-testid=stVegaLiteChart]").first).to_be_visible()


def test_before_it_writes_nobody_knows_how_many_words_there_will_be(open_page):
    page = open_page("machine?text=I+am+a+student.&step=0")
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    expect(chart.get_by_text("? × 256").first).to_be_visible()
    page = open_page("machine?text=I+am+a+student.&reads=the+right+words%3A+training&step=0")
    expect(chart.get_by_text("? × 256")).to_have_count(0)

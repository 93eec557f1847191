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
    expect(chart.get_by_text("8 heads")).to_be_visible()
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

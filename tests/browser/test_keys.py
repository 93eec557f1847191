"""Who has typed or chosen something goes on with the keys of the page, at once."""

import re

from playwright.sync_api import Page, expect


def presented_and_left(page: Page, settle) -> None:
    page.keyboard.press("p")
    expect(page).to_have_url(re.compile("present=1"))
    settle()
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("present=1"))
    settle()


def test_enter_hands_the_keyboard_back_and_back_finds_the_sentence_again(open_page, settle):
    page = open_page("alignment")
    box = page.get_by_label("English sentence")
    box.fill("My uncle sold seven old ship")
    box.press("p")
    box.press("s")
    box.press("Enter")
    settle()
    expect(box).to_have_value("My uncle sold seven old shipps")
    presented_and_left(page, settle)
    page.get_by_text("BERT", exact=True).first.click()
    page.get_by_text("BERT, every head").first.click()
    expect(page).to_have_url(re.compile("/bert$"))
    settle()
    page.go_back()
    expect(box).to_have_value("My uncle sold seven old shipps")


def test_a_choice_hands_the_keyboard_back(open_page, settle):
    page = open_page("alignment")
    box = page.locator(".st-key-model input")
    box.scroll_into_view_if_needed()
    page.wait_for_timeout(500)  # scrolling shuts the list
    box.click()
    page.get_by_role("option").last.click()
    settle()
    assert "model=" in page.url
    presented_and_left(page, settle)
    page.locator(".st-key-level").get_by_role("radio").last.click()
    settle()
    assert "level=" in page.url
    presented_and_left(page, settle)

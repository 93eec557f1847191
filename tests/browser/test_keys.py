"""Who has chosen something by mouse goes on with the keys of the page, at once."""

import re

from playwright.sync_api import Page, expect


def presented_and_left(page: Page, settle) -> None:
    page.keyboard.press("p")
    expect(page).to_have_url(re.compile("present=1"))
    settle()
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("present=1"))
    settle()


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

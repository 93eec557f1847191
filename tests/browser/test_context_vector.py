"""The page of the context vector as a visitor uses it."""

from playwright.sync_api import expect


def test_a_weight_that_is_dragged_brings_another_word(open_page, settle):
    page = open_page("context_vector?step=4&key=9%3A+train&weight=0.95")
    expect(page.get_by_role("heading", name="J'ai perdu mon train rouge")).to_be_visible()
    page.get_by_role("button", name="On", exact=True).or_(
        page.locator(".st-key-step_on_step button")
    ).first.click()
    settle()  # another word has weights of its own again
    expect(page.get_by_role("heading", name="J'ai perdu mon parapluie")).to_be_visible()

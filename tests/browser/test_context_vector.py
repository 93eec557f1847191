"""The page of the context vector as a visitor uses it."""

from urllib.parse import urlencode

from playwright.sync_api import expect

MILK = {"text": "My sister drinks her coffee without milk.", "model": "rnn-additive"}


def test_a_weight_that_is_dragged_brings_another_word(open_page, settle):
    dragged = urlencode(MILK | {"step": 5, "key": "8: milk", "weight": 0.95})
    page = open_page(f"context_vector?{dragged}")
    expect(page.get_by_role("heading", name="Ma sœur boit son lait sans lait")).to_be_visible()
    page.get_by_role("button", name="On", exact=True).or_(
        page.locator(".st-key-step_on_step button")
    ).first.click()
    settle()  # another word has weights of its own again
    expect(page.get_by_role("heading", name="Ma sœur boit son café sans lait")).to_be_visible()

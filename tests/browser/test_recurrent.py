"""The page of recurrent nets as a visitor uses it."""

from urllib.parse import parse_qs, urlsplit

import pytest

VIEWS = ["Learning hello", "Five shapes"]


def parameters(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_training_again_is_seen_while_it_happens(open_page, settle):
    page = open_page("recurrent")
    page.get_by_role("button", name="Train again").click()
    half_way = (
        "[...document.querySelectorAll('p')].some(p => /^Update [1-9]\\d?$/.test(p.innerText))"
    )
    page.wait_for_function(half_way)
    settle()
    assert page.get_by_text("Update 100", exact=True).is_visible()
    assert page.get_by_text("ello ✓ learned").first.is_visible()
    assert parameters(page)["seed"] == "2"


def test_the_arrow_key_steps_in_time(open_page, settle):
    page = open_page("recurrent")
    before = page.locator(".katex-mathml").all_inner_texts()
    page.keyboard.press("ArrowRight")
    settle()
    assert parameters(page)["time"] == "1"
    assert page.locator(".katex-mathml").all_inner_texts() != before


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("screen", [{"viewport": {"width": 400, "height": 800}}])
def test_each_view_fits_a_phone(view, open_page):
    page = open_page(f"recurrent?view={view.replace(' ', '+')}")
    assert page.get_by_test_id("stVegaLiteChart").first.is_visible()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 400

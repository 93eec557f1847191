"""The page of recurrent nets as a visitor uses it."""

from urllib.parse import parse_qs, urlsplit

import pytest

VIEWS = ["Learning hello", "Five shapes", "Gates", "A gate by hand", "Gradients", "Music"]


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


def test_typing_a_text_gives_its_gates_and_a_link_to_it(open_page, settle):
    page = open_page("recurrent?view=Gates")
    box = page.get_by_label("Any text")
    box.fill("Hello again")
    box.press("Enter")
    settle()
    assert parameters(page)["text"] == "Hello again"
    chart = page.get_by_test_id("stVegaLiteChart").first
    letters = chart.locator("g.mark-text text").all_text_contents()
    assert "".join(letters).startswith("Hello␣again")


def test_hovering_a_character_tells_what_is_expected_without_asking_the_server(open_page, unasked):
    page = open_page("recurrent?view=Gates&text=Hello+again")
    with unasked():
        page.get_by_test_id("stVegaLiteChart").first.locator("g.mark-rect path").nth(3).hover()
        page.locator("#vg-tooltip-element").get_by_text("expects next").wait_for()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("screen", [{"viewport": {"width": 400, "height": 800}}])
def test_each_view_fits_a_phone(view, open_page):
    page = open_page(f"recurrent?view={view.replace(' ', '+')}")
    assert page.get_by_test_id("stVegaLiteChart").first.is_visible()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 400

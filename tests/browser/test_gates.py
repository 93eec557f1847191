"""The page of gates as a visitor uses it, and the links that led to it when it was a view."""

from urllib.parse import parse_qs, urlsplit

import pytest

VIEWS = ["Gates", "A gate by hand", "Gradients"]


def parameters(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_typing_a_text_gives_its_gates_and_a_link_to_it(open_page, settle):
    page = open_page("gates")
    box = page.get_by_label("Any text")
    box.fill("Hello again")
    box.press("Enter")
    settle()
    assert parameters(page)["text"] == "Hello again"
    chart = page.get_by_test_id("stVegaLiteChart").first
    letters = chart.locator("g.mark-text text").all_text_contents()
    assert "".join(letters).startswith("Hello␣again")


def test_hovering_a_character_tells_what_is_expected_without_asking_the_server(open_page, unasked):
    page = open_page("gates?text=Hello+again")
    with unasked():
        page.get_by_test_id("stVegaLiteChart").first.locator("g.mark-rect path").nth(3).hover()
        page.locator("#vg-tooltip-element").get_by_text("expects next").wait_for()


@pytest.mark.parametrize(
    ("old", "there", "inputs"),
    [
        ("recurrent?view=Gates&text=Hello+again", "gates", {"text": "Hello again"}),
        ("recurrent?view=Music&tune=3&present=1", "music", {"tune": "3", "present": "1"}),
    ],
)
def test_a_link_to_a_view_that_became_a_page_leads_there(old, there, inputs, open_page):
    shown = open_page(old)
    shown.wait_for_url(f"**/{there}?**")
    assert inputs.items() <= parameters(shown).items()
    shown.get_by_test_id("stVegaLiteChart").first.wait_for()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("screen", [{"viewport": {"width": 400, "height": 800}}])
def test_each_view_fits_a_phone(view, open_page):
    page = open_page(f"gates?view={view.replace(' ', '+')}")
    assert page.get_by_test_id("stVegaLiteChart").first.is_visible()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 400

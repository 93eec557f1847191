"""The alignment page as a visitor uses it."""

import re

import pytest


def test_typing_a_sentence_gives_its_translation_and_a_link_to_it(open_page, settle):
    page = open_page("alignment")
    box = page.get_by_label("English sentence")
    box.fill("Where is the station?")
    box.press("Enter")
    settle()
    assert page.get_by_role("heading", level=3).first.inner_text().startswith("Où")
    assert "text=Where" in page.url


def test_a_link_opens_the_same_sentence_and_level(open_page):
    page = open_page("alignment?text=I+am+tired.&level=sub-words")
    assert page.get_by_label("English sentence").input_value() == "I am tired."
    chosen = page.get_by_role("radio", name="sub-words")
    assert chosen.get_attribute("aria-checked") == "true"


def test_clicking_a_cell_shows_the_formula_with_its_numbers(open_page, settle):
    page = open_page("alignment")
    before = page.locator(".katex-mathml").all_inner_texts()
    cells = page.locator("[data-testid=stVegaLiteChart]").first.locator("g.mark-rect path")
    cells.nth(1).click()
    settle()
    after = page.locator(".katex-mathml").all_inner_texts()
    assert before and after and before != after


def test_hovering_a_row_shows_its_weights_without_asking_the_server(open_page):
    page = open_page("alignment")
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    finding = chart.locator("g.mark-text text", has_text=re.compile("attends most to"))
    before = finding.text_content()
    chart.locator("g.mark-rect path").nth(3).hover()
    page.wait_for_function(
        "before => ![...document.querySelectorAll('text')].some(t => t.textContent === before)",
        arg=before,
    )
    assert finding.text_content() != before
    state = page.get_by_test_id("stApp").get_attribute("data-test-script-state")
    assert state == "notRunning"


def test_the_slider_of_training_steps_goes_back_to_even_weights(open_page, settle):
    page = open_page("alignment")
    assert not page.locator(".js-plotly-plot").count()  # read only by those who ask for it
    page.get_by_text("How it was learned").click()
    settle()
    rail = page.locator(".slider-rail-touch-rect").first
    rail.scroll_into_view_if_needed()
    rail.click(position={"x": 3, "y": 3})
    page.wait_for_function(
        """() => {
            const trace = document.querySelector('.js-plotly-plot')._fullData[0];
            return trace.customdata && Math.max(...trace.z.map(row => Math.max(...row))) < 0.3;
        }"""
    )


@pytest.mark.parametrize("screen", [{"viewport": {"width": 400, "height": 800}}])
def test_the_page_fits_a_phone(open_page):
    opened = open_page("alignment")
    assert opened.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 400

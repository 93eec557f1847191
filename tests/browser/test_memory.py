"""The memory page as a visitor uses it: bits are clicked, and so are steps."""

import pytest
from playwright.sync_api import expect

BITS = "10110010 01101100 11110000"


def layer(page, count):
    """The marks of the layer that has exactly so many."""
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    for group in chart.locator("g.mark-rect").all():
        marks = group.locator("path")
        if marks.count() == count:
            return marks
    raise AssertionError(f"no layer has {count} marks")


def test_a_click_turns_a_bit_and_a_second_one_turns_it_back(open_page, settle):
    page = open_page(f"memory?text={BITS.replace(' ', '+')}")
    box = page.get_by_label("Bits, eight for each input")
    layer(page, 24).first.click()
    settle()
    assert box.input_value() == "0" + BITS[1:]
    layer(page, 24).first.click()
    settle()
    assert box.input_value() == BITS


def test_a_click_below_chooses_the_step(open_page, settle):
    page = open_page(f"memory?text={BITS.replace(' ', '+')}")
    layer(page, 7).nth(5).click(position={"x": 4, "y": 100})
    settle()
    expect(page.get_by_text("Step 6 of 7: output 2")).to_be_visible()
    assert "step=5" in page.url


def test_an_arrow_key_moves_the_step_on(open_page, settle):
    page = open_page(f"memory?text={BITS.replace(' ', '+')}&step=2&present=1")
    page.keyboard.press("ArrowRight")
    settle()
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    expect(chart.get_by_text("Step 4 of 7: the end mark")).to_be_visible()


@pytest.mark.parametrize("length", [20, 120])
def test_a_long_pattern_is_drawn_whole_above_the_fold(open_page, settle, length):
    page = open_page("memory")
    page.get_by_text(f"{length} random inputs", exact=True).click()
    settle()
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    expect(chart.get_by_text(f"{length} inputs copied")).to_be_visible()
    box = chart.bounding_box()
    assert box["y"] + box["height"] < 800 and box["x"] + box["width"] <= 1280

"""A phone in a hall: no keys, no hover, 390 pixels; everything is reached by a finger."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FINGER = 40  # pixels that a finger hits
LEAST = 11  # pixels of type that can be read
TREE = "document.querySelector('.st-key-tree_canvas').scrollLeft"
MAIN = "document.querySelector('[data-testid=stMain]').scrollTop"
RIGHTMOST = """(chart) => Math.max(...[...chart.querySelectorAll("svg.marks text")].map(
  (each) => each.getBoundingClientRect().right)) - chart.getBoundingClientRect().right"""
pytestmark = pytest.mark.parametrize("screen", [PHONE])


@pytest.fixture
def swipe(page: Page) -> Callable[[float, float, float, float], None]:
    """swipe(x, y, right, down): a finger goes over the screen."""
    line = page.context.new_cdp_session(page)

    def move(x: float, y: float, right: float, down: float) -> None:
        for step in range(11):
            at = {"x": x + right * step / 10, "y": y + down * step / 10}
            kind = "touchMove" if step else "touchStart"
            line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
            page.wait_for_timeout(16)
        line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(1000)  # it glides on

    return move


def test_the_buttons_of_a_page_have_names_and_the_size_of_a_finger(open_page):
    page = open_page("alignment")
    for name in ("Present", "Predict first", "Pin", "Share"):
        button = page.locator(".st-key-toolbar").get_by_role("button", name=name)
        expect(button.get_by_text(name, exact=True)).to_be_in_viewport(ratio=1)
        box = button.bounding_box()
        assert box and min(box["width"], box["height"]) >= FINGER
    over = page.locator('[data-testid="stElementToolbar"] button')  # those over a chart
    sizes = over.evaluate_all("all => all.map((one) => [one.offsetWidth, one.offsetHeight])")
    assert sizes and min(map(min, sizes)) >= FINGER


def test_the_title_of_a_chart_that_scrolls_is_read_at_once(open_page):
    page = open_page("machine")
    chart = page.get_by_test_id("stVegaLiteChart").first
    over = """(chart) => chart.querySelector(".role-title-text text").getBoundingClientRect().right
      - chart.getBoundingClientRect().right"""
    assert chart.evaluate(over) < 0


@pytest.mark.parametrize("stem", ["it", "transformer", "bert", "own", "mask", "pair"])
def test_lines_lead_to_words_that_are_on_the_screen(stem, open_page):
    page = open_page(stem)
    chart = page.locator('[class*="st-key-narrow_"] [data-testid="stVegaLiteChart"]').first
    chart.scroll_into_view_if_needed()
    assert chart.evaluate(RIGHTMOST) < 1
    assert chart.evaluate("(chart) => chart.scrollWidth - chart.clientWidth") < 2
    words = chart.locator("svg.marks text").filter(has_text=re.compile(r"\S"))
    type_sizes = "each => each.map((word) => word.getBoundingClientRect().height)"
    assert min(words.evaluate_all(type_sizes)) >= LEAST


def test_a_swipe_over_the_tree_scrolls_the_tree_or_the_page_and_a_tap_chooses(
    open_page, settle, swipe
):
    page = open_page("beam")
    tree = page.locator(".st-key-tree_canvas")
    tree.scroll_into_view_if_needed()
    box = tree.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    node = page.locator(".scatterlayer .point").nth(1)
    place = node.bounding_box()
    assert place and place["x"] < 380
    swipe(300, middle, -200, 0)
    assert page.evaluate(TREE) > 50
    before = page.evaluate(MAIN)
    swipe(200, middle, 0, -200)
    assert page.evaluate(MAIN) > before + 50
    page.evaluate(f"{TREE} = 0")
    node.tap(force=True)
    settle()
    assert "forced=" in page.url


def test_the_names_of_rows_stay_in_sight_when_a_chart_is_scrolled(open_page, swipe):
    page = open_page("alignment")
    chart = page.locator('.st-key-picture [data-testid="stVegaLiteChart"]').first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box
    swipe(300, box["y"] + box["height"] / 2, -200, 0)
    names = chart.locator(".atlas-names span")
    expect(names.first).to_be_visible()
    assert "Parlement" in names.all_inner_texts()
    assert all(name.bounding_box()["x"] >= box["x"] - 1 for name in names.all())
    chart.evaluate("(chart) => { chart.scrollLeft = 0 }")
    expect(names).to_have_count(0)


def test_no_tile_of_home_is_cut(open_page):
    page = open_page("")
    # A drawing has an empty edge of 11 pixels, which may reach below its place.
    cut = """() => [...document.querySelectorAll('[class*="st-key-tile_"]')].filter((tile) =>
      [...tile.querySelectorAll("svg.marks")].some((svg) => {
        const drawn = svg.getBoundingClientRect(), box = tile.getBoundingClientRect();
        const place = svg.closest('[data-testid="stVerticalBlock"]').getBoundingClientRect();
        return drawn.right > box.right || drawn.bottom > place.bottom + 12;
      })).map((tile) => tile.className)"""
    assert page.evaluate(cut) == []


def test_back_brings_the_typed_sentence_at_the_first_press(open_page, settle):
    page = open_page("alignment")
    box = page.get_by_label("English sentence")
    box.fill("My uncle sold seven old boats.")
    box.press("Enter")
    settle()
    said = page.locator(".st-key-picture h3").inner_text()
    page.get_by_test_id("stExpandSidebarButton").tap()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Score functions").tap()
    settle()
    assert "/scores" in page.url
    page.go_back()
    settle()
    assert "/alignment" in page.url
    expect(page.get_by_label("English sentence")).to_have_value("My uncle sold seven old boats.")
    expect(page.locator(".st-key-picture h3")).to_have_text(said)

"""Self-attention by hand as a lecturer uses it: hover, edit, share."""

import re

from playwright.sync_api import expect

from viz_core.charts.kit import style

CHART = "[data-testid=stVegaLiteChart]"
VERMILION = style.VERMILION
PATIENCE = 60_000  # milliseconds, for a slow machine


def arithmetic(page):
    """The line under the first picture."""
    return page.locator(CHART).first.locator("text", has_text=re.compile("number|asks"))


def test_hovering_a_number_tells_its_arithmetic_without_asking_the_server(open_page, unasked):
    page = open_page("self_attention")
    chart = page.locator(CHART).first
    assert arithmetic(page).text_content().startswith("output of you, number 2: ")
    with unasked():
        chart.locator("text", has_text=re.compile("^16$")).hover(force=True)
        page.wait_for_function(
            "() => [...document.querySelectorAll('text')].some("
            "t => t.textContent === 'love asks, love answers: 2·4 + 2·4 + 2·0 = 16')"
        )


NASTY = ("http://x.y", "www.x.y", "a@b.cd", ":smile:", "![x](y)", "<img>", "~~no~~")


def test_what_was_typed_is_repeated_as_it_was_typed(open_page, settle):
    page = open_page("self_attention?part=Numbers")
    box = page.get_by_label("x", exact=True)
    for word in NASTY:
        box.fill(f"1 {word}; 3 4")
        box.press("Enter")
        settle()
        told = page.get_by_test_id("stAlert")
        assert f"'{word}' is not a number" in told.inner_text().replace("\u2060", "")
        assert not told.locator("a, img:not([alt='']), del, em, strong").count()


def test_hovering_a_word_frames_it_in_every_step(open_page):
    page = open_page("self_attention")
    frames = page.locator(CHART).first.locator(f"path[stroke='{VERMILION}']")
    before = frames.count()
    page.locator(CHART).first.locator("text", has_text=re.compile("^love$")).first.hover(force=True)
    page.wait_for_function(
        "([chart, colour, before]) => document.querySelector(chart)"
        ".querySelectorAll(`path[stroke='${colour}']`).length > before",
        arg=[CHART, VERMILION, before],
    )
    assert frames.count() == 8  # inputs, queries, keys, values, scores, scaled, weights, outputs


def test_an_edited_cell_changes_the_picture_and_the_link_and_survives_a_reload(
    page, open_page, settle
):
    open_page("self_attention?part=Numbers")
    grid = page.get_by_test_id("stDataFrame").first
    grid.scroll_into_view_if_needed()
    grid.dblclick(position={"x": 40, "y": 57}, delay=50)  # the first number of x
    page.locator("#portal input").fill("3")
    page.keyboard.press("Enter")
    box = page.get_by_label("x", exact=True)
    expect(box).to_have_value("3 0 1 0; 0 2 0 2; 1 1 1 1", timeout=PATIENCE)
    settle()
    expect(page).to_have_url(re.compile(r"x=3\+0\+1\+0"), timeout=PATIENCE)
    page.reload()
    settle()
    expect(box).to_have_value("3 0 1 0; 0 2 0 2; 1 1 1 1")


def test_typed_numbers_that_do_not_fit_get_a_sentence(open_page, settle):
    page = open_page("self_attention?part=Numbers")
    box = page.get_by_label("x", exact=True)
    box.fill("1 two; 3 4")
    box.press("Enter")
    settle()
    assert "'two' is not a number" in page.get_by_test_id("stAlert").inner_text()


def test_a_link_opens_two_heads_with_the_mask_on(open_page):
    page = open_page("self_attention?heads=2&head=2&masked=true")
    assert page.locator(CHART).nth(1).locator("text", has_text="heads side by side").count() == 1
    assert page.locator(CHART).first.locator("text", has_text="−∞").count() == 3

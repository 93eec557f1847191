"""The pages of BERT as a visitor uses them: tiles, words and lines answer the pointer."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

SENTENCE = "text=The+cat+saw+the+dog+because+it+was+red."


def parameters(page):
    return parse_qs(urlsplit(page.url).query)


def chart(page, number):
    return page.get_by_test_id("stVegaLiteChart").nth(number)


def test_a_click_on_a_tile_opens_that_head(open_page, settle):
    page = open_page(f"bert?{SENTENCE}&layer=1&heads=1")
    tiles = chart(page, 1).locator("g.mark-rect path")
    assert tiles.count() == chart(page, 1).locator("image").count() > 5
    title = chart(page, 0).locator("g.role-title-text text")
    assert title.all_text_contents() == ["Layer 1, head 1"]
    tiles.nth(4).click()
    settle()
    assert title.all_text_contents() == ["Layer 1, head 5"]


def test_a_click_on_a_word_puts_it_into_focus_everywhere(open_page, settle):
    page = open_page(f"bert?{SENTENCE}&layer=1&heads=1")
    assert "focus" not in parameters(page)  # it is in focus by itself
    chart(page, 0).locator("g.mark-rect path").nth(2).click()
    settle()
    assert parameters(page)["focus"] == ["3: cat"]
    assert page.get_by_text("Softmax of cat").is_visible()


def test_hovering_a_word_shows_its_weights_without_asking_the_server(open_page, unasked):
    page = open_page(f"bert?{SENTENCE}&layer=1&heads=1&threshold=0.0&focus=all")
    numbers = chart(page, 0).locator("g.mark-text text")
    before = numbers.count()
    with unasked():
        chart(page, 0).locator("g.mark-rect path").nth(3).hover()
        page.wait_for_function(
            "count => document.querySelector('[data-testid=stVegaLiteChart]')"
            ".querySelectorAll('g.mark-text text').length > count",
            arg=before,
        )


def lines(page):
    return chart(page, 0).locator("g.mark-rule line")


def light(page, head):
    """Click a head in the row above the lines."""
    chart(page, 0).locator("g.mark-symbol").last.locator("path").nth(head - 1).click()


def test_a_head_is_lit_in_the_browser_and_stays_alight_when_a_word_is_pinned(
    open_page, settle, unasked
):
    page = open_page(f"bert?{SENTENCE}&layer=1&heads=1&threshold=0.0&focus=all")
    title = chart(page, 0).locator("g.role-title-text text")
    alone = lines(page).count()
    with unasked():
        light(page, 5)
        expect(title).to_have_text("Layer 1")
        # The pointer still rests on the head: no word is hovered, so all lines stay bright.
        shades = lines(page).evaluate_all("all => all.map(line => line.getAttribute('opacity'))")
        assert max(float(shade) for shade in shades) > 0.3
    both = lines(page).count()
    assert both > alone
    chart(page, 0).locator("g.mark-rect path").nth(2).click()
    settle()
    assert parameters(page)["focus"] == ["3: cat"]
    assert lines(page).count() == both
    light(page, 1)
    expect(title).to_have_text("Layer 1, head 5")


def test_a_click_hides_a_word_and_the_link_keeps_it(open_page, settle):
    page = open_page("mask?text=The+cat+sat+on+the+mat.")
    page.get_by_role("button", name="cat", exact=True).first.click()
    settle()
    assert set(parameters(page)["hidden"]) == {"cat", "mat"}
    assert page.get_by_label("Mask", exact=True).first.is_visible()

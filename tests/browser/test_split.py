"""Split and merge: the way of a number is followed in the browser, nobody is asked."""

from playwright.sync_api import expect


def test_hovering_follows_one_number_without_the_server(open_page, settle, unasked):
    page = open_page("split?text=I+am+a+student.")
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    told = chart.get_by_text("nothing was moved")
    before = told.text_content()
    with unasked():
        box = chart.bounding_box()
        page.mouse.move(box["x"] + 200, box["y"] + 200)
        page.mouse.move(box["x"] + 202, box["y"] + 202)
        expect(told).not_to_have_text(before)
    page.get_by_text("Two heads by hand", exact=True).click()
    settle()
    expect(chart.get_by_text("[b1; b2]", exact=True)).to_be_visible()

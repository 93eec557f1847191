"""A click on the drawn flower asks that place, in a real browser."""

import re

from playwright.sync_api import expect


def test_a_click_on_the_picture_asks_that_place(open_page, settle):
    page = open_page("dream")
    box = page.locator("[data-testid=stVegaLiteChart]").first.bounding_box()
    page.mouse.click(box["x"] + 60, box["y"] + 110)
    settle()
    expect(page).to_have_url(re.compile(r"row=\d+&column=\d+"))
    row, column = re.search(r"row=(\d+)&column=(\d+)", page.url).groups()
    said = f"Row {row}, column {column} looks mostly at"
    expect(page.get_by_text(re.compile(said)).first).to_be_visible()

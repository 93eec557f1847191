"""Words in context as a visitor sees them: another example, another mixture."""

from playwright.sync_api import expect


def test_an_example_fills_the_boxes_and_the_picture_is_above_the_fold(open_page, settle):
    page = open_page("context")
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    expect(chart.get_by_text("She opened an account at the bank.")).to_be_visible()
    box = chart.bounding_box()
    assert box["y"] + box["height"] < 800 and box["x"] + box["width"] <= 1280
    page.get_by_text("match", exact=True).click()
    settle()
    assert page.get_by_label("Word", exact=True).input_value() == "match"
    expect(chart.get_by_text("He lit the fire with a match.")).to_be_visible()
    assert "word=match" in page.url

"""The page of the reviews as a visitor uses it: a click leaves a sentence out."""

from playwright.sync_api import expect

REVIEW = "A+wonderful+cast.+The+script+is+terrible+and+boring.+I+saw+it+on+Monday."


def test_a_click_on_a_sentence_turns_the_verdict_and_goes_into_the_address(open_page, settle):
    page = open_page(f"documents?review={REVIEW}")
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    expect(chart.get_by_text("Negative, ", exact=False)).to_be_visible()
    box = chart.bounding_box()
    assert box["y"] + box["height"] < 800 and box["x"] + box["width"] <= 1280
    chart.get_by_text("terrible", exact=True).click()
    settle()
    expect(chart.get_by_text("Positive, ", exact=False)).to_be_visible()
    expect(chart.get_by_text("out", exact=True)).to_be_visible()
    assert "out=2" in page.url

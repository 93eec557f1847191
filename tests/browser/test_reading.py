"""Reading with a tape as a visitor does: a click on a line, an arrow key, a long sentence."""

from playwright.sync_api import expect

LONG = (
    "When+the+train+finally+arrived+at+the+station,+my+brother+and+his+friends+had+already+gone+"
    "home+because+it+was+too+cold+to+wait+outside."
)


def test_a_click_chooses_a_line_and_an_arrow_key_draws_the_next_one(open_page, settle):
    page = open_page("reading")
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    marks = chart.locator("g.mark-rect").last.locator("path")
    assert marks.count() == 55  # 1 + 2 + ... + 10
    marks.nth(3).click()  # the first word of the third line
    settle()
    expect(chart.get_by_text("“is” looks back most at")).to_be_visible()
    page.goto(page.url + "&present=1")
    settle()
    assert marks.count() == 6
    page.keyboard.press("ArrowRight")
    settle()
    assert marks.count() == 10


def test_twenty_five_words_fit_the_width(open_page):
    page = open_page(f"reading?text={LONG}")
    box = page.locator("[data-testid=stVegaLiteChart]").first.bounding_box()
    assert box["x"] + box["width"] <= 1280

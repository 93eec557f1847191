"""The canvas: a stroke becomes a question, and the address holds it."""


def test_a_stroke_is_drawn_asked_for_and_kept_in_the_address(open_page, settle):
    page = open_page("few_shot")
    field = page.locator("canvas[aria-label='A field to draw on']")
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 150, box["y"] + 180, steps=8)
    page.mouse.up()
    settle()
    assert "asked=my+own+drawing" in page.url and "ink=" in page.url
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    assert "It says" in chart.inner_text()
    page.get_by_role("button", name="Clear", exact=True).click()
    settle()
    assert page.get_by_text("There is no stroke yet").is_visible()

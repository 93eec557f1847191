"""The pages of the GPT as a visitor uses them."""

from playwright.sync_api import expect


def test_a_beginning_is_written_on_and_a_block_is_read_by_a_click(open_page, settle):
    page = open_page("gpt?text=The+little+dog+was&tokens=6&heat=0")
    expect(page.get_by_role("heading", name="The little dog was ")).to_be_visible()
    expect(page.get_by_text("Token 6 of 6")).to_be_visible()
    page = open_page("inside_gpt?text=The+little+dog+was")
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    chart.locator("g.mark-rect path").nth(1).click(position={"x": 4, "y": 4})
    settle()
    expect(page.get_by_text("Token 2 of 5")).to_be_visible()
    assert "token=1" in page.url

"""The local attention page as a visitor uses it."""


def writing(page):
    return page.locator("text", has_text="Writing").first.text_content()


def test_a_step_on_moves_the_window_and_the_formula(open_page, settle):
    page = open_page("local")
    before, formulas = writing(page), page.locator(".katex-mathml").all_inner_texts()
    first = int(page.get_by_role("slider", name="Target word").input_value())
    page.get_by_role("button", name="▶").click()
    settle()
    assert writing(page) != before
    assert page.locator(".katex-mathml").all_inner_texts() != formulas
    assert f"step={first + 1}" in page.url


def test_moving_p_shows_what_is_expected_then(open_page, settle):
    page = open_page("local?step=2")
    assert page.get_by_text("where the model put it").count() == 1
    page.get_by_role("slider", name="Move p by").press("ArrowRight")
    settle()
    assert page.get_by_text("p moved by").count() == 1
    assert "shift=0.5" in page.url

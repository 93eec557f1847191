"""A visitor's own model in the browser: its query meets its keys, and the page fits a phone."""

from urllib.parse import quote

import pytest

SENTENCE = "text=The+animal+was+tired+because+it+was+tired."


def link(folder) -> str:
    return f"own?folder={quote(str(folder))}&{SENTENCE}&layer=1&heads=1"


@pytest.mark.parametrize("kind", ["roberta", "gpt2"])
def test_a_click_on_a_key_takes_that_weight_apart(kind, open_page, settle, folders):
    page = open_page(link(folders[kind]))
    charts = page.get_by_test_id("stVegaLiteChart")
    assert charts.count() == 4
    formulas = page.locator(".katex-html")
    before = formulas.all_inner_texts()
    bars = charts.nth(3).locator("g.mark-rect path").all()
    wide = sorted(bars, key=lambda bar: -(bar.bounding_box() or {"width": 0.0})["width"])
    wide[1].click()  # the widest is chosen already
    settle()
    assert formulas.all_inner_texts() != before
    hide = page.get_by_text("Hide <s> and </s>")
    assert hide.count() == (1 if kind == "roberta" else 0)


@pytest.mark.parametrize("kind", ["roberta", "gpt2"])
@pytest.mark.parametrize("screen", [{"viewport": {"width": 400, "height": 800}}])
def test_an_own_model_fits_a_phone(kind, open_page, folders):
    page = open_page(link(folders[kind]))
    assert page.get_by_test_id("stVegaLiteChart").first.is_visible()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 400

"""The page of word vectors as a visitor uses it."""

from urllib.parse import parse_qs, urlsplit

import pytest

VIEWS = ["Arithmetic", "Families", "One vector a word"]


def parameters(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def written(page):
    return page.get_by_test_id("stVegaLiteChart").first.locator("text").all_text_contents()


def test_typing_a_sum_draws_its_answer_and_makes_a_link(open_page, settle):
    page = open_page("vectors")
    assert "queen" in written(page)
    box = page.get_by_label("Words to add and subtract")
    box.fill("Paris - France + Italy")
    box.press("Enter")
    settle()
    assert "rome" in written(page)
    assert parameters(page)["sum"] == "Paris - France + Italy"


def test_on_the_stage_the_arrow_keys_build_the_parallelogram(open_page, settle):
    page = open_page("vectors?present=1")
    counts = [len(written(page))]
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        settle()
        counts.append(len(written(page)))
    assert counts == [3, 3, 4, 10]


def test_the_lesson_is_seen_while_it_happens(open_page, settle):
    page = open_page("word2vec")
    page.get_by_role("button", name="Train again").click()
    half_way = (
        "[...document.querySelectorAll('p')].some(p => /^Update [1-9]\\d?$/.test(p.innerText))"
    )
    page.wait_for_function(half_way)
    settle()
    assert page.get_by_text("Update 300", exact=True).is_visible()
    assert parameters(page)["seed"] == "2"


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("screen", [{"viewport": {"width": 390, "height": 844}}])
def test_each_view_fits_a_phone(view, open_page):
    page = open_page(f"vectors?view={view.replace(' ', '+')}")
    assert page.get_by_test_id("stVegaLiteChart").first.is_visible()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390

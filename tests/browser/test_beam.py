"""The beam search laboratory as a visitor uses it."""

import csv
import html
import json
from urllib.parse import parse_qs, urlsplit

import pytest

SHORT = "beam?text=I+am+tired."


def tree(page):
    return page.get_by_test_id("stPlotlyChart").first


def click_rival(page):
    """Click the first hypothesis that was kept and did not win; returns its word."""
    tree(page).scroll_into_view_if_needed()
    spot = tree(page).evaluate(
        """element => {
            const plot = element.querySelector('.js-plotly-plot');
            const {xaxis, yaxis} = plot._fullLayout;
            const kept = plot.data.find(trace => trace.name === 'kept');
            const corner = plot.getBoundingClientRect();
            return {
                x: corner.left + xaxis._offset + xaxis.d2p(kept.x[0]),
                y: corner.top + yaxis._offset + yaxis.d2p(kept.y[0]),
                word: kept.text[0],
            };
        }"""
    )
    page.mouse.click(spot["x"], spot["y"])
    return html.unescape(spot["word"])


def forced(page):
    return parse_qs(urlsplit(page.url).query).get("forced", [""])[0]


def test_clicking_a_node_forces_its_path_into_the_link_and_back_takes_it_out(open_page, settle):
    page = open_page(SHORT)
    word = click_rival(page)
    settle()
    assert forced(page) == word
    assert page.get_by_label("What if it began with").input_value() == word
    assert tree(page).get_by_text("winner without forcing").is_visible()
    page.get_by_role("button", name="Back").click()
    settle()
    assert forced(page) == ""
    assert not tree(page).get_by_text("winner without forcing").is_visible()


def test_a_link_with_a_forced_beginning_opens_both_futures(open_page):
    page = open_page(SHORT + "&forced=Nous+sommes")
    assert tree(page).get_by_text("winner without forcing").is_visible()
    assert tree(page).locator(".textpoint", has_text="sommes").count() > 0


def test_another_sentence_drops_the_forced_beginning_from_the_link(open_page, settle):
    page = open_page(SHORT + "&forced=Nous")
    assert forced(page) == "Nous"
    page.get_by_label("English sentence").fill("It is raining.")
    page.get_by_label("English sentence").press("Enter")
    settle()
    assert forced(page) == ""
    assert "It+is+raining." in page.url


def test_play_makes_the_tree_grow(open_page, settle):
    page = open_page(SHORT + "&tree_step=1")
    before = tree(page).locator(".textpoint").count()
    page.get_by_text("Play", exact=True).click()
    page.wait_for_function(
        "before => document.querySelectorAll('.stPlotlyChart .textpoint').length > before",
        arg=before,
    )


def test_the_finished_hypotheses_are_downloaded_as_csv_and_json(open_page):
    page = open_page(SHORT)
    rows = {}
    for kind in ("CSV", "JSON"):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=kind, exact=True).click()
        path = waiting.value.path()
        with open(path, encoding="utf-8") as file:
            rows[kind] = list(csv.DictReader(file)) if kind == "CSV" else json.load(file)
    assert [row["text"] for row in rows["CSV"]] == [row["text"] for row in rows["JSON"]]
    assert rows["JSON"][0]["rank"] == 1
    assert rows["JSON"][0]["log-probability"] < 0


def test_the_tree_stands_above_the_fold(open_page):
    page = open_page("beam")
    box = tree(page).bounding_box()
    assert box["y"] + box["height"] <= 900


@pytest.mark.parametrize("screen", [{"viewport": {"width": 400, "height": 800}}])
def test_the_page_fits_a_phone(open_page):
    page = open_page(SHORT)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 400
    assert tree(page).is_visible()


def test_a_changed_cell_changes_the_lectures_outcome_and_the_link(open_page, settle):
    page = open_page("beam_table")
    assert page.get_by_text("Greedy loses").is_visible()
    grid = page.get_by_test_id("stDataFrame")
    box = grid.bounding_box()
    cell = {"x": box["width"] * 0.45, "y": box["height"] * 5.5 / 7}  # row A C, column B
    grid.dblclick(position=cell)
    page.locator("#portal input").fill("0.1")
    page.locator("#portal input").press("Enter")
    settle()
    assert "A C 0.1 0.1 0.2 0.1" in page.get_by_label("The same as text").input_value()
    assert "table=" in page.url
    assert page.get_by_text("The row A C sums to 0.50").is_visible()
    assert not page.get_by_text("Greedy loses").is_visible()

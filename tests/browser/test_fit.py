"""Every picture fits, with any sentence on any screen.

For every page: no chart leaves its column or the box in which it scrolls, none is cut off or lies
over another, the first picture ends above the fold, and all type can be read.
`python -m benchmarks.layout` prints the same as a table.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from benchmarks.layout import SCREENS, SENTENCES, Ruler, State, judge, states
from viz_core.atlas.pages import PAGES


@pytest.fixture(scope="module")
def ruler(browser: Browser, app_url: str) -> Iterator[Ruler]:
    """One page for all states: a reload is what takes time."""
    with browser.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(60_000)
        yield Ruler(context.new_page(), app_url)


@pytest.mark.parametrize("stem", [page.stem for page in PAGES])
def test_every_picture_of_a_page_fits(stem, ruler):
    fits = [ruler.measure(state) for state in states([stem])]
    broken = [
        f"{fit.state.words} words, {fit.state.screen.name}: {'; '.join(fit.broken)}"
        for fit in fits
        if fit.broken
    ]
    assert not broken, "\n".join(broken)


def chart(**facts):
    box = {"left": 0, "right": 100, "top": 0, "bottom": 100}
    sound = {"cut": 0, "type": 20, "least": "a", "worst": "a", "leaves": 0, "scrolled": 0}
    return {**sound, "box": box, "first": True, "canvas": False, "size": [100, 100], **facts}


def found(*charts, **facts):
    typed = list(SENTENCES.values())
    sound = {"overlap": 0, "below": -10, "words": 20, "wide": 0, "typed": typed, "errors": []}
    return {**sound, "charts": list(charts), **facts}


@pytest.mark.parametrize(
    ("facts", "complaint"),
    [
        (found(chart(leaves=9)), "leaves its column"),
        (found(chart(cut=9, worst="because")), "“because” is cut off"),
        (found(chart(type=8, least="because")), "8.0 pixels small"),
        (found(chart(scrolled=300)), "must be scrolled"),
        (found(chart(), chart(), overlap=12), "overlap"),
        (found(chart(), below=40), "below the fold"),
        (found(chart(), wide=30), "too wide"),
        (found(chart(), typed=[]), "not on the page"),
        (found(chart(), errors=["ValueError"]), "ValueError"),
    ],
)
def test_what_does_not_fit_is_told(facts, complaint):
    fit = judge(State("alignment", 12, SCREENS[0]), facts)
    assert len(fit.broken) == 1 and complaint in fit.broken[0]


def test_a_phone_may_scroll_a_chart_in_its_own_box():
    phone = next(screen for screen in SCREENS if screen.scrolls)
    assert not judge(State("alignment", 12, phone), found(chart(scrolled=300), below=40)).broken

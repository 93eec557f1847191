"""The rehearsal: whole talks given by keyboard, and the gallery pressed tile by tile, with Back."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from benchmarks.layout import POLLING
from tests.browser.conftest import IDLE, forget
from viz_core.atlas import talk
from viz_core.atlas.figures import CLOSED, TRAINED
from viz_core.atlas.talk import View
from viz_core.ui import talks

OWN = [
    View(page="alignment", title="Boats", params={"text": "My uncle sold seven old boats."}),
    View(
        page="alignment",
        title="Boats, forced",
        params={"text": "Rain fell on the harbour.", "target": "La pluie est tombée."},
    ),
    View(page="bert", title="Nurse", params={"text": "The nurse shut the window.", "layer": "2"}),
    View(page="decoder", title="Town", params={"text": "We like this town.", "step": "1"}),
    View(page="mask", title="Soup", params={"text": "The [MASK] soup is cold."}, predict=True),
    View(page="transformer", title="Train", params={"text": "Her train is late.", "kind": "cross"}),
    View(page="local", title="Bread", params={"text": "Bread is cheap here.", "reach": "2"}),
    View(page="norms", title="Two rows", params={"values": "1 2; 3 5", "text": "a b"}),
    View(page="beam", title="Hungry", params={"text": "We are hungry.", "k": "3"}),
    View(page="eras", title="Eras", params={"text": "The soup is cold.", "show": "read English"}),
]
NOTE = "Nobody but me may read this."
SLIDE = re.compile(r"slide=(\d+)")


def at(page: Page) -> int:
    found = SLIDE.search(page.url)
    return int(found[1]) if found else 0


def pressed(page: Page, key: str, number: int, settle) -> None:
    page.keyboard.press(key)
    expect(page).to_have_url(re.compile(rf"slide={number}(?!\d)"))
    settle()


def seen(page: Page) -> str:
    """The words and numbers of the picture, and of what it says."""
    read = """() => [...document.querySelectorAll('.st-key-picture svg text, .st-key-picture h3')]
      .map((each) => each.textContent.trim()).filter(Boolean).join(" | ")"""
    return str(page.evaluate(read))


@pytest.fixture
def alone(visitor, page, app_url) -> Iterator[Callable[[View], str]]:
    """alone(view): what its link shows to a visitor who has opened nothing before."""
    other = visitor("alone")
    other.set_viewport_size(page.viewport_size)

    def read(view: View) -> str:
        other.goto(f"{app_url}/{view.link}{'&' if view.params else '?'}present=1")
        other.wait_for_selector(".st-key-picture :is(svg.marks, svg.main-svg)")
        other.wait_for_function(IDLE, polling=POLLING)
        return seen(other)

    yield read
    forget(other, app_url)


def test_an_own_talk_of_ten_views_is_given_by_keyboard_with_a_reload(open_page, settle, alone):
    views = [View(**{**each_of(view), "note": NOTE}) for view in OWN]
    page = open_page(f"talk?views={talk.pack(views)}")
    page.reload()
    settle()
    page.get_by_role("link", name="Begin").click()
    page.mouse.move(0, 0)  # a picture under it would show what it hovers
    for number, view in enumerate(views, 1):
        expect(page).to_have_url(re.compile(rf"{view.page}\?.*slide={number}(?!\d)"))
        settle()
        if number == 5:
            page.reload()
            settle()
        expect(page.get_by_role("heading", level=1)).to_have_text(view.title)
        query = parse_qs(urlsplit(page.url).query)
        assert view.params.items() <= {key: values[0] for key, values in query.items()}.items()
        if view.predict:  # the first press shows the answer
            page.keyboard.press(" ")
            expect(page.locator(".st-key-picture svg.marks").first).to_be_visible()
            settle()
        assert seen(page) == alone(view)
        assert NOTE not in page.locator("body").inner_text()
        if number == 7:  # off the stage and on again
            page.keyboard.press("Escape")
            expect(page).not_to_have_url(re.compile("present"))
            settle()
            page.keyboard.press("p")
            expect(page).to_have_url(re.compile("present=1"))
            settle()
        if number < len(views):
            page.keyboard.press("PageDown")
    pressed(page, "PageUp", len(views) - 1, settle)


def each_of(view: View) -> dict:
    return {name: getattr(view, name) for name in View.__dataclass_fields__}


def test_the_usual_lecture_takes_few_presses_and_shows_its_links(open_page, settle, alone, asked):
    page = open_page(talks.address(talks.USUAL, talk.LECTURE, 0))
    presses, last = 0, len(talk.LECTURE)
    while at(page) < last:
        before = at(page)
        view = talk.LECTURE[before - 1]
        if before == 9:  # a lost connection and a reload are the same to the address
            page.reload()
            settle()
        if view.still and not view.predict:
            assert seen(page) == alone(view), view
        for _ in range(14):
            unanswered = len(asked)
            page.keyboard.press("ArrowRight")
            presses += 1
            for _ in range(200):  # most presses ask the server within a few milliseconds
                if len(asked) > unanswered:
                    break
                page.wait_for_timeout(20)
            settle()
            if at(page) != before:
                break
        assert at(page) == before + 1, view
    assert presses <= 2.2 * last  # a view that is not still has few steps
    pressed(page, "PageUp", talk.slides(talk.LECTURE)[-2] + 1, settle)


def test_the_presenter_window_shows_the_note_and_hands_its_keys_on(open_page, settle, app_url):
    page = open_page(talks.address(talks.USUAL, talk.LECTURE, 1))
    own = page.context.new_page()
    own.goto(f"{app_url}/talk?presenter=1&talk={talks.USUAL}")
    note = own.locator(".note")
    expect(note).to_have_text(talk.LECTURE[1].note)
    expect(own.locator(".number")).to_have_text(f"2 / {len(talk.LECTURE)}")
    expect(own.locator(".next")).to_contain_text(talk.LECTURE[2].title)
    own.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile("slide=3"))
    expect(note).to_have_text(talk.LECTURE[2].note)


def test_pins_outlive_a_reload_and_reach_another_tab(open_page, settle, app_url):
    page = open_page("alignment?text=My+uncle+sold+seven+old+boats.")
    page.get_by_role("button", name="Pin").click()
    settle()
    page.reload()
    settle()
    other = page.context.new_page()
    other.goto(f"{app_url}/talk")
    expect(other.get_by_role("link", name="Begin")).to_have_attribute(
        "href", re.compile(r"^alignment\?text=My\+uncle")
    )


@pytest.mark.parametrize("half", [0, 1])  # one for each worker
def test_every_tile_of_the_gallery_opens_exactly_its_figure(half, open_page, settle):
    page = open_page("gallery")
    for figure in (*TRAINED, *CLOSED)[half::2]:
        page.get_by_role("link", name=figure.title, exact=True).first.click()
        expect(page).to_have_url(re.compile(rf"/{figure.page}(\?|$)"))
        settle()
        asked = {key: [value] for key, value in figure.params.items()}
        assert parse_qs(urlsplit(page.url).query).items() <= asked.items(), figure.title
        boxes = page.locator('[data-testid="stTextInput"] input')
        written = [box.input_value() for box in boxes.all()]
        for name in {"text", "target"} & figure.params.keys():
            assert figure.params[name] in written, figure.title
        if figure.page == "alignment":
            rows = seen(page).split(" | ")
            words = figure.params["text"].replace('"', " ").replace(",", " ").rstrip(".").split()
            assert {word.lower() for word in words} <= {word.lower() for word in rows}
            assert ("target" in figure.params) == bool(written[1]), "left over from another figure"
        page.go_back()
        expect(page).to_have_url(re.compile("/gallery$"))
        settle()


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("screen", [PHONE])
def test_a_phone_leaves_the_stage_and_a_tap_reveals(open_page, settle):
    page = open_page("alignment?text=Hello.&present=1&predict=1")
    picture = page.locator(".st-key-picture svg.marks").first
    expect(picture).to_have_count(0)
    page.locator(".st-key-stage_question").tap()
    expect(picture).to_be_visible()
    settle()
    page.get_by_role("button", name="Leave").tap()
    expect(page).not_to_have_url(re.compile("present"))
    settle()

"""In the lecture hall: presenting by keyboard, sharing, pinning a talk, and keeping pictures."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from benchmarks.layout import POLLING, SLIDE
from tests.browser.conftest import forget, settled, watched
from viz_core.atlas import talk
from viz_core.atlas.pages import BY_STEM

PAGES = sorted(BY_STEM)
LISTS = {"gallery", "talk"}  # pages without an input of their own
# Inputs that differ from what the page opens with.
INPUTS = {
    "ablation": "text=I+am+hungry.&part=decoder",
    "block": "text=I+am+hungry.",
    "context": "word=play&text=A+play+in+three+acts.&second=They+play+chess.",
    "embeddings": "text=My+cat+is+old.&pair=She+sleeps.",
    "gpt": "text=The+dog+was&tokens=6&layer=2",
    "home": "text=I+am+hungry.",
    "inside_gpt": "text=The+dog+was+very",
    "models": "model=ntm",
    "machine": "text=I+am+hungry.&model=BERT&step=3",
    "mask": "text=Birds+can+sing.&layer=2",
    "caption": "photo=cat&step=2",
    "dream": "seed=11&row=4&step=3",
    "patches": "photo=cat&layer=2",
    "memory": "text=10110010+01101100&step=4",
    "documents": "review=A+fine+film.+The+end+is+dull.",
    "ponder": "text=Where+is+Mary%3F",
    "summary": "article=We+present+a+corpus+of+letters.&step=2",
    "few_shot": "shots=5&episode=3",
    "own": "text=Birds+can+sing.&layer=2",
    "pair": "text=Birds+sing.&pair=Dogs+bark.",
    "reading": "text=Birds+can+sing.&word=1",
    "recurrent": "view=Five+shapes",
    "gates": "text=Hello+again&at=3",
    "music": "tune=2",
    "search": "view=Search",
    "word2vec": "look=man",
    "split": "text=I+am+hungry.&layer=2&step=2",
    "tasks": "task=Entities",
    "the_bottleneck": "text=My+brother+bought+a+boat.",
    "alignment": "text=Where+is+my+dog%3F&level=sub-words",
    "bert": "text=The+cat+sat+on+the+mat.&layer=2",
    "beam": "text=I+am+hungry.&k=3",
    "beam_table": "k=3&alpha=1",
    "context_vector": "text=I+am+hungry.&step=1",
    "decoder": "text=You+are+welcome.&step=2",
    "eras": "text=I+am+hungry.&head=2",
    "it": "head=3",
    "local": "text=I+am+hungry.&reach=2",
    "lookup": "temperature=0.1",
    "norms": "values=1+2%3B+3+5&text=a+b",
    "positions": "d=32&dims=6-9",
    "reach": "text=I+am+hungry.&layers=3",
    "scores": "text=I+am+hungry.",
    "self_attention": "masked=true&step=4",
    "transformer": "text=I+am+hungry.&layer=1&kind=cross",
    "sizes": "layers=24&width=1024&heads=16",
    "vectors": "sum=paris+-+france+%2B+italy&step=2",
}
SHOWN = """() => [...document.querySelectorAll(
  '[data-testid="stMain"] svg text, [data-testid="stMain"] [data-testid="stMarkdown"]')]
  .map((each) => each.textContent.trim()).filter(Boolean).join(" | ")"""


def test_no_page_is_left_out():
    assert sorted(INPUTS) == sorted(set(PAGES) - LISTS)


@pytest.fixture(scope="module")
def passer_by(visitor, app_url) -> Iterator[Callable[[str, str], Page]]:
    """passer_by("bert", "layer=2"): goes on as a talk does from slide to slide, without a load."""
    page = visitor("passer-by")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{app_url}/talk")
    settled(page)

    def go(name: str, query: str) -> Page:
        page.evaluate(SLIDE, f"{app_url}/{'' if name == 'home' else name}?{query}")
        expect(page).to_have_title(f"{BY_STEM[name].title} · Attention Atlas")
        settled(page)
        return page

    yield go
    forget(page, app_url)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_and_keeps_its_address(name, passer_by, visitor):
    with watched(visitor("passer-by")):
        page = passer_by(name, INPUTS.get(name, ""))
        found = Axe().run(page, options={"resultTypes": ["violations"]})
    grave = [
        f"{each['id']}: {each['nodes'][0]['html'][:200]}"
        for each in found.response["violations"]
        if each["impact"] in {"serious", "critical"}
    ]
    assert not grave, "\n".join(grave)
    for pair in INPUTS.get(name, "").split("&"):  # what Share gives on, and what F5 finds again
        assert pair in page.url


@pytest.mark.parametrize("name", ["alignment", "beam", "dream", "gates", "it", "sizes"])
def test_a_shared_link_opens_the_same_picture(name, open_page, settle, visitor, app_url):
    page = open_page(f"{name}?{INPUTS[name]}")
    page.get_by_role("button", name="Share").click()
    settle()
    link = page.get_by_role("dialog").get_by_test_id("stCode").inner_text().strip()
    for pair in INPUTS[name].split("&"):
        assert pair in link
    page.keyboard.press("Escape")
    settle()
    here = page.evaluate(SHOWN)
    other = visitor("alone")
    other.set_viewport_size(page.viewport_size)
    other.goto(link)
    same = f"() => ({SHOWN})() === {json.dumps(here)}"
    other.wait_for_function(same, timeout=60_000, polling=POLLING)
    forget(other, app_url)


def test_a_page_is_presented_by_keyboard_from_beginning_to_end(open_page, settle):
    page = open_page("decoder?text=I+am+a+student.")
    page.keyboard.press("p")
    settle()
    expect(page).to_have_url(re.compile("present=1"))
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    seen = []
    for key in ("ArrowRight", " ", "PageDown", "ArrowRight"):
        seen.append(page.locator(".st-key-picture h3").inner_text())
        page.keyboard.press(key)
        settle()
    assert [len(text) for text in seen] == sorted({len(text) for text in seen}), seen
    page.keyboard.press("ArrowLeft")
    settle()
    assert page.locator(".st-key-picture h3").inner_text() == seen[-1]
    page.keyboard.press("Escape")
    settle()
    expect(page).not_to_have_url(re.compile("present"))
    expect(page.get_by_test_id("stHeader")).to_be_visible()


def test_a_step_is_concealed_until_a_key_is_pressed(open_page, settle):
    page = open_page("alignment?text=Hello,+my+friend.&word=0")
    page.get_by_role("button", name="Predict first").click()
    settle()
    charts = page.locator('.st-key-picture [data-testid="stVegaLiteChart"]')
    expect(charts).to_have_count(0)
    expect(page.get_by_text("Which English words does")).to_be_visible()
    for _ in range(2):  # a press shows the step, the next one brings the next question
        page.keyboard.press("ArrowRight")
        settle()
        expect(charts.first).to_be_visible()
        page.keyboard.press("ArrowRight")
        settle()
        expect(charts).to_have_count(0)
    page.get_by_role("button", name="Show the answer").click()  # a finger has no keys
    settle()
    expect(charts.first).to_be_visible()


LITERAL = "# a &amp; http://x.y www.x.y a@b.cd :smile: -> -- $x$ <b>b</b> **c** ![d](e) [f](g)"


def test_a_title_is_shown_as_it_was_typed(open_page):
    word = talk.pack([talk.View(page="norms", title=LITERAL)])
    page = open_page(f"norms?present=1&talk={word}&slide=1")
    title = page.get_by_role("heading", level=1)
    assert title.inner_text().replace("\u2060", "").split() == LITERAL.split()
    assert not title.locator("a, b, img, code, em, .katex").count()


@pytest.mark.parametrize("screen", [{"viewport": {"width": 1920, "height": 1080}}])
def test_on_a_projector_it_fills_its_half_of_the_stage(open_page):
    page = open_page("it?present=1")
    for half in (0, 1):
        column = page.locator(".st-key-picture").get_by_test_id("stColumn").nth(half)
        picture = column.locator("svg.marks")
        room, drawn = column.bounding_box(), picture.bounding_box()
        assert room and drawn
        assert drawn["width"] > 0.95 * room["width"]
        assert drawn["y"] + drawn["height"] < 1080


KINDS = ("PNG", "SVG", "HTML, keeps its hover", "CSV", "JSON")


def kept(page: Page, chart: str, tmp_path: Path, kinds: Sequence[str] = KINDS) -> dict[str, Path]:
    """Every file of a chart's menu, by its ending."""
    page.locator(f".st-key-keep_{chart}").get_by_role("button", name="Keep").click()
    found = {}
    menu = page.get_by_test_id("stPopoverBody")
    for kind in kinds:
        with page.expect_download() as download:
            menu.get_by_role("button", name=kind, exact=True).click()
        name = download.value.suggested_filename
        path = tmp_path / name
        download.value.save_as(path)
        found[path.suffix] = path
    return found


def test_an_altair_picture_is_kept_in_every_kind(open_page, page, tmp_path, browser):
    open_page("norms")
    found = kept(page, "norms", tmp_path, (*KINDS, "PDF"))
    assert found[".pdf"].read_bytes().startswith(b"%PDF")
    assert found[".png"].read_bytes().startswith(b"\x89PNG")
    assert "layer norm" in found[".svg"].read_text()
    assert "i-love-you" in found[".csv"].name
    assert json.loads(found[".json"].read_text())["tables"]
    alone = browser.new_context(offline=True).new_page()
    alone.goto(found[".html"].as_uri())
    before = alone.locator("svg").first.text_content()
    alone.locator("svg .mark-rect path").first.hover(force=True)  # frames lie over the squares
    expect(alone.locator("svg").first).not_to_have_text(before)
    alone.context.close()


@pytest.mark.parametrize("name", ["alignment", "bert", "tasks"])
def test_a_typed_script_does_not_run_in_a_kept_page(name, open_page, page, tmp_path, browser):
    open_page(f"{name}?text=%3C%2Fscript%3E%3Cscript%3Edocument.title%3D1%3C%2Fscript%3E+x")
    page.locator("[class*='st-key-keep_']").first.get_by_role("button", name="Keep").click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="HTML").click()
    download.value.save_as(tmp_path / "kept.html")
    alone = browser.new_context(offline=True).new_page()
    alone.goto((tmp_path / "kept.html").as_uri())
    expect(alone.locator("svg").first).to_be_visible()
    assert alone.title() != "1"
    assert "Attention Atlas" in alone.title()
    alone.context.close()


def test_a_plotly_picture_is_kept_in_every_kind(open_page, page, tmp_path, browser):
    open_page("beam_table")
    found = kept(page, "tree", tmp_path, (*KINDS, "PDF"))
    assert found[".pdf"].read_bytes().startswith(b"%PDF")
    assert found[".png"].read_bytes().startswith(b"\x89PNG")
    assert found[".svg"].read_text().count("<svg") > 1
    assert "log-probability" in found[".csv"].read_text()
    alone = browser.new_context(offline=True).new_page()
    alone.goto(found[".html"].as_uri())
    point = alone.locator(".scatterlayer .point").last
    point.hover(force=True)
    expect(alone.locator(".hoverlayer .hovertext")).to_be_visible()
    alone.context.close()


@pytest.mark.parametrize(
    "query",
    ["layer=99", "layer=..%2Fx&level=%00", "word=-5", "heads=a&heads=b"],
)
def test_a_broken_link_opens_the_page_with_defaults(query, open_page):
    page = open_page(f"alignment?{query}")
    expect(page.locator(".st-key-picture svg").first).to_be_visible()


@pytest.mark.parametrize("screen", [{"viewport": {"width": 1280, "height": 800}}])
def test_the_code_of_a_long_link_fits_the_screen(open_page, settle):
    page = open_page("alignment?text=" + "seven+old+boats+" * 60)
    page.get_by_role("button", name="Share").click()
    settle()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Only this machine")).to_be_in_viewport(ratio=1)
    expect(dialog.locator("img")).to_be_in_viewport(ratio=1)


def test_an_oversized_link_gets_a_notice(open_page):
    page = open_page("alignment?text=" + "word+" * 900)
    expect(page.get_by_text("the first 40 are read")).to_be_visible()

"""Does every picture fit? Every page, three lengths of sentence, four screens, in Chromium.

    python -m benchmarks.layout                      the whole table
    python -m benchmarks.layout decoder alignment    these pages only
    python -m benchmarks.layout --shots folder       and a picture of each state

The numbers are pixels. "leaves" is how far a chart reaches out of its column (on a phone: out of
the box in which it may be scrolled), "cut" how far its own words reach out of it, "overlap" how far
two charts lie over each other, "fold" how far the first picture reaches below the screen, "type"
the smallest words. A star marks what breaks the promise. tests/browser/test_fit.py holds it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page, TimeoutError, sync_playwright

from benchmarks.server import serve
from scripts import chromium
from viz_core.atlas.pages import PAGES

SENTENCES = {
    6: "My sister sold it last summer.",
    12: "The young doctor forgot his keys because it was late that evening.",
    25: (
        "When the train finally arrived at the station, my brother and his friends had already "
        "gone home because it was too cold to wait outside."
    ),
}
FOLDED = 15  # words with which the first picture ends above the fold on every screen
# Where the sentence goes; a page that is not named here takes it as its text.
PLACES = {
    "home": "",
    "gallery": "",
    "models": "",
    "talk": "",
    "vectors": "",
    "lookup": "",
    "norms": "",
    "positions": "",
    "beam_table": "",
    "memory": "",
    "sizes": "",
    "context": "word=it&text={}&second={}",
    "documents": "review={}",
    "caption": "",
    "patches": "",
    "dream": "",
    "gpt": "tokens=8&text={}",
    "ponder": "",
    "summary": "article={}",
    "few_shot": "",
    "self_attention": "part=Trained%20model&sentence={}",
    "recurrent": "",
    "word2vec": "",
    "music": "",
    "search": "",
    "it": "text={}&other={}",
    "embeddings": "text={}&pair=",
    "tasks": "task=Sentiment&text={}",
}


@dataclass(frozen=True)
class Screen:
    name: str
    width: int
    height: int
    present: bool = False
    smallest: float = 11.0  # pixels of type
    scrolls: bool = False  # a chart may be wider than the screen, in a box of its own


SCREENS = (
    Screen("1280 x 800", 1280, 800),
    Screen("1920 x 1080", 1920, 1080),
    Screen("phone", 390, 844, scrolls=True),
    Screen("stage", 1920, 1080, present=True, smallest=18.0),
)

POLLING = 50  # milliseconds; asked in every frame, a page that is to be drawn has less time for it

# The server has answered what was pressed or typed after this: its script runs, or the page has
# changed outside of the boxes, for a quick run can be over before anybody looks.
WATCH = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    window.answered = false;
    window.patience = performance.now() + 8000;  // an answer may be what is there already
    const box = '[data-testid="stTextInput"], [data-testid="stTextArea"]';
    const outside = ({ type, target }) => type === "attributes"
        || !(target.closest ? target : target.parentElement)?.closest(box);
    window.watching ??= new MutationObserver((seen) => { window.answered ||= seen.some(outside); });
    window.watching.observe(app, { attributeFilter: ["data-test-script-state"] });
    window.watching.observe(document.querySelector('[data-testid="stMain"]'),
        { childList: true, characterData: true, subtree: true });
}"""

SLIDE = "to => { history.pushState({}, '', to); dispatchEvent(new PopStateEvent('popstate')); }"
PRESENTED = "presented => location.search.includes('present=1') === presented"

DRAWN = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    const charts = [...document.querySelectorAll(
        '[data-testid="stVegaLiteChart"], [data-testid="stPlotlyChart"]')];
    const answered = window.answered !== false || performance.now() > window.patience;
    const idle = answered && app?.dataset.testConnectionState === "CONNECTED"
        && app.dataset.testScriptState === "notRunning"
        && document.querySelector('[data-testid="stMain"] [data-testid="stElementContainer"]')
        && !document.querySelector('[data-testid*="Skeleton"], [data-stale="true"]')
        && charts.every((chart) => chart.querySelector("svg.marks, canvas.marks, svg.main-svg")
            || !chart.checkVisibility());
    window.idleSince = idle ? window.idleSince ?? performance.now() : null;
    return idle && performance.now() - window.idleSince > 150;
}"""

MEASURE = """() => {
    const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const over = (a, b) => Math.min(
        Math.min(a.right, b.right) - Math.max(a.left, b.left),
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
    const main = document.querySelector('[data-testid="stMain"]');
    main.scrollTop = 0;
    const charts = [];
    for (const chart of document.querySelectorAll(
            '[data-testid="stVegaLiteChart"], [data-testid="stPlotlyChart"]')) {
        const drawn = chart.querySelector("svg.marks, canvas.marks, svg.main-svg");
        if (!drawn || !chart.checkVisibility()) continue;
        const whole = drawn.getBoundingClientRect();
        if (!whole.width) continue;
        let { left, right, top, bottom } = whole, low = 0, high = main.clientWidth, scrolled = 0;
        for (let e = drawn.parentElement; e && e !== main; e = e.parentElement) {
            const box = e.getBoundingClientRect();
            if (/auto|scroll/.test(getComputedStyle(e).overflowX)
                    && e.scrollWidth > e.clientWidth + 1) {
                scrolled = Math.max(scrolled, e.scrollWidth - e.clientWidth);
                left = Math.max(left, box.left); right = Math.min(right, box.right);
            }
            if (["stVerticalBlock", "stColumn"].includes(e.dataset.testid)) {
                low = Math.max(low, box.left); high = Math.min(high, box.right);
            }
        }
        let cut = 0, type = Infinity, least = "", worst = "";
        for (const text of chart.querySelectorAll("svg text")) {
            if (!text.textContent.trim() || !seen(text)) continue;
            const box = text.getBoundingClientRect(), view = text.ownerSVGElement;
            const zoom = view.viewBox.baseVal?.width
                ? view.getBoundingClientRect().width / view.viewBox.baseVal.width : 1;
            const size = parseFloat(getComputedStyle(text).fontSize) * zoom;
            if (size < type) { type = size; least = text.textContent; }
            const air = 0.25 * size;  // above and below the letters
            const beyond = Math.max(box.right - whole.right, whole.left - box.left,
                box.bottom - whole.bottom - air, whole.top - box.top - air);
            if (beyond > cut) { cut = beyond; worst = text.textContent; }
        }
        charts.push({
            box: { left, right, top, bottom }, cut, least, worst,
            type: isFinite(type) ? type : null,
            leaves: Math.max(right - high, low - left, 0), scrolled,
            first: !!chart.closest(".st-key-picture"), canvas: drawn.tagName === "CANVAS",
            size: [whole.width, whole.height],
        });
    }
    let overlap = 0;
    charts.forEach((a, i) => charts.slice(i + 1).forEach((b) => {
        overlap = Math.max(overlap, over(a.box, b.box)); }));
    const bar = document.querySelector(".st-key-talk_bar");
    const floor = bar && seen(bar) ? bar.getBoundingClientRect().top : window.innerHeight;
    const picture = charts.find((chart) => chart.first) ?? charts[0];
    const small = [...document.querySelectorAll(".st-key-picture :is(p, li, h3, td)")].filter(
        (e) => seen(e) && e.innerText.trim()).map((e) => parseFloat(getComputedStyle(e).fontSize));
    return {
        charts, overlap, below: picture ? picture.box.bottom - floor : 0,
        words: small.length ? Math.min(...small) : null,
        wide: main.scrollWidth - main.clientWidth,
        typed: [...document.querySelectorAll("input, textarea")].map((e) => e.value),
        errors: [...document.querySelectorAll('[data-testid="stException"]')].map(
            (e) => e.innerText),
    };
}"""


@dataclass(frozen=True)
class State:
    stem: str
    words: int  # 0 where the page takes no sentence
    screen: Screen

    @property
    def address(self) -> str:
        inputs = [PLACES.get(self.stem, "text={}").replace("{}", quote(self.sentence))]
        page = "" if self.stem == "home" else self.stem  # Home is the root, and has no other name
        return f"{page}?" + "&".join([*filter(None, inputs)] + ["present=1"] * self.presented)

    @property
    def presented(self) -> bool:
        return self.screen.present

    @property
    def sentence(self) -> str:
        return SENTENCES.get(self.words, "")


@dataclass(frozen=True)
class Fit:
    """What was measured of a state, and which promises it breaks."""

    state: State
    leaves: float
    cut: float
    overlap: float
    below: float
    smallest: float | None
    covered: float  # the share of the screen that the first picture fills
    broken: list[str] = field(default_factory=list)


def states(stems: Iterable[str]) -> Iterator[State]:
    """The order saves time: a page is loaded once, resized and typed into, then put on the stage,
    where one sentence follows the other."""
    for stem in stems:
        lengths = [0] if PLACES.get(stem) == "" else list(SENTENCES)
        for words in lengths:
            yield from (State(stem, words, screen) for screen in SCREENS if not screen.present)
        for words in reversed(lengths):
            yield from (State(stem, words, screen) for screen in SCREENS if screen.present)


def judge(state: State, found: dict[str, Any]) -> Fit:
    charts, screen = found["charts"], state.screen
    sizes = [chart["type"] for chart in charts if chart["type"] is not None]
    first = next((chart for chart in charts if chart["first"]), charts[0] if charts else None)
    fit = Fit(
        state=state,
        leaves=max((chart["leaves"] for chart in charts), default=0.0),
        cut=max((chart["cut"] for chart in charts), default=0.0),
        overlap=max(found["overlap"], 0.0),
        below=found["below"],
        smallest=min(sizes, default=None),
        covered=_area(first["box"], screen) if first else 0.0,
    )
    for problem in found["errors"]:
        fit.broken.append(f"error: {problem[:200]}")
    if state.sentence and not screen.present and state.sentence not in found["typed"]:
        fit.broken.append("the sentence is not on the page")
    if fit.leaves > 1.5:
        fit.broken.append(f"a chart leaves its column by {fit.leaves:.0f}")
    if found["wide"] > 1:
        fit.broken.append(f"the page is {found['wide']:.0f} too wide")
    worst = max(charts, key=lambda chart: chart["cut"], default=None)
    if worst and fit.cut > 2.5:
        fit.broken.append(f"“{worst['worst'][:30]}” is cut off by {fit.cut:.0f}")
    if fit.overlap > 1.5:
        fit.broken.append(f"two charts overlap by {fit.overlap:.0f}")
    if not screen.scrolls:
        scrolled = max((chart["scrolled"] for chart in charts), default=0)
        if scrolled > 1:
            fit.broken.append(f"a chart must be scrolled by {scrolled:.0f}")
        if fit.below > 0.5 and (state.words <= FOLDED or screen.height > 1000):
            fit.broken.append(f"the first picture ends {fit.below:.0f} below the fold")
    if fit.smallest is not None and fit.smallest < screen.smallest - 0.05:
        least = min((c for c in charts if c["type"] is not None), key=lambda chart: chart["type"])
        fit.broken.append(f"“{least['least'][:20]}” is {fit.smallest:.1f} pixels small")
    return fit


def _area(box: dict[str, float], screen: Screen) -> float:
    wide, high = (
        max(min(box[end], most) - max(box[start], 0), 0)
        for start, end, most in (("left", "right", screen.width), ("top", "bottom", screen.height))
    )
    return wide * high / (screen.width * screen.height)


class Ruler:
    """Goes from state to state in one page, which is loaded as rarely as possible."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.at: State | None = None

    def measure(self, state: State) -> Fit:
        page, screen = self.page, state.screen
        page.set_viewport_size({"width": screen.width, "height": screen.height})
        self._go(state)
        self._wait()
        return judge(state, page.evaluate(MEASURE))

    def _go(self, state: State) -> None:
        here, self.at = self.at, state
        if here is None:
            self.page.goto(f"{self.url}/{state.address}")
            return
        if here.stem != state.stem:
            self._slide(state.address)
            return
        if here.presented and not state.presented:
            self._turn("Escape", presented=False)
        if here.words != state.words and state.presented:
            self._slide(state.address)
        elif here.words != state.words:
            self._type(here.sentence, state.sentence)
        elif state.presented and not here.presented:
            self._turn("p", presented=True)

    def _slide(self, address: str) -> None:
        """To another view without loading the app anew, as a talk goes from slide to slide."""
        self.page.evaluate(WATCH)
        self.page.evaluate(SLIDE, f"{self.url}/{address}")

    def _type(self, old: str, new: str) -> None:
        boxes = self.page.locator("input, textarea")
        # Asked once: an answer may bring other boxes, behind those of the sentence.
        values = boxes.evaluate_all("boxes => boxes.map((box) => box.value)")
        for box in [boxes.nth(place) for place, value in enumerate(values) if value == old]:
            self.page.evaluate(WATCH)
            box.fill(new)
            several = box.evaluate("box => box.tagName === 'TEXTAREA'")
            box.press("Control+Enter" if several else "Enter")
            self._wait()

    def _turn(self, key: str, presented: bool) -> None:
        """On the stage or off it, by the key of a lecturer who is not typing."""
        self._wait()  # a page that is not complete does not know its keys
        self.page.evaluate("document.activeElement?.blur()")
        for patience in (20_000, 60_000):  # on a crowded machine a press may come amid a redraw
            self.page.keyboard.press(key)
            with suppress(TimeoutError):
                self.page.wait_for_function(PRESENTED, arg=presented, timeout=patience)
                return
        raise TimeoutError(f"{key} changes nothing: presented is not {presented}")

    def _wait(self) -> None:
        self.page.evaluate("window.idleSince = null")
        self.page.wait_for_function(DRAWN, polling=POLLING)


def line(fit: Fit) -> str:
    type_ = "" if fit.smallest is None else f"{fit.smallest:.1f}"
    name = f"{fit.state.stem:15}{fit.state.words or '':>5}  {fit.state.screen.name:12}"
    numbers = f"{fit.leaves:7.0f}{fit.cut:6.0f}{fit.overlap:8.0f}{fit.below:7.0f}{type_:>7}"
    return (
        f"{name}{numbers}{fit.covered:7.0%} {'* ' if fit.broken else '  '}{'; '.join(fit.broken)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    stems = [page.stem for page in PAGES]
    parser.add_argument("pages", nargs="*", default=stems, help="stems, all of them unless told")
    parser.add_argument("--shots", type=Path, help="a folder for a picture of each state")
    parser.add_argument("--screens", nargs="*", default=[screen.name for screen in SCREENS])
    parser.add_argument("--words", nargs="*", type=int, default=[0, *SENTENCES])
    parser.add_argument("--port", type=int, default=0)
    told = parser.parse_args()
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with (
        serve(port=told.port) as app,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium.find(), args=arguments) as browser,
    ):
        page = browser.new_page()
        page.set_default_timeout(120_000)
        ruler, broken, count = Ruler(page, app.url), 0, 0
        head = "leaves   cut overlap   fold   type covered"
        print(f"{'page':15}words  {'screen':12} {head}", flush=True)
        for state in states(told.pages):
            if state.screen.name not in told.screens or state.words not in told.words:
                continue
            fit = ruler.measure(state)
            broken, count = broken + bool(fit.broken), count + 1
            print(line(fit), flush=True)
            if told.shots:
                told.shots.mkdir(parents=True, exist_ok=True)
                name = f"{state.stem}-{state.words}-{state.screen.name.replace(' ', '')}.png"
                page.screenshot(path=told.shots / name)
    print(f"{broken} of {count} states break a promise")


if __name__ == "__main__":
    main()

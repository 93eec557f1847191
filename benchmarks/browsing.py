"""From Enter to the new picture in Chromium, cold start, and what a session weighs."""

from __future__ import annotations

import asyncio
import statistics
import time

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.load import megabytes
from benchmarks.server import ROOT, Server, serve
from benchmarks.timing import Row
from benchmarks.visitor import Visitor
from scripts import chromium

SENTENCES = [
    f"The {noun} {verb} the red umbrella."
    for noun in ("cat", "dog", "girl", "teacher") for verb in ("sees", "likes", "finds")
]  # fmt: skip
MOMENTS = {"the new picture": 2.0, "the complete page": 3.0}  # at most so many times the least
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
IDLE = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    return app?.dataset.testScriptState === "notRunning"
        && !document.querySelector('[data-testid*="Skeleton"], [data-stale="true"]');
}"""


# The clock runs inside the page, from the key on. A picture is new when what is written in it has
# changed; the page is complete when a run has come and gone and nothing is stale.
WATCH = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    const stale = () => document.querySelector('[data-testid*="Skeleton"], [data-stale="true"]');
    const written = () => document.querySelector(
        '[data-testid="stVegaLiteChart"] svg, [data-testid="stPlotlyChart"] svg')?.textContent;
    const before = written();
    let pressed = null, ran = false, picture = null;
    const press = () => { pressed = performance.now(); };
    window.addEventListener("keydown", press, { once: true, capture: true });
    window.taken = new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error(`no new picture: ran ${ran}, stale ${stale()}`)), 60000);
        const look = () => {
            const now = performance.now() - pressed;
            if (pressed !== null && written() && written() !== before) picture ??= now;
            if (app.dataset.testScriptState !== "notRunning") ran = true;
            else if (picture !== null && !stale()) return resolve([picture, now]);
            requestAnimationFrame(look);
        };
        look();
    });
}"""


def enter(page: Page, texts: list[str]) -> tuple[float, float]:
    """Medians of the milliseconds from Enter to the new picture, and to the complete page."""
    found = []
    for text in texts:
        page.bring_to_front()  # a page behind another one draws nothing
        box = page.get_by_role("textbox").first
        box.fill(text)
        page.evaluate(WATCH)
        box.press("Enter")
        found.append(page.evaluate("() => window.taken"))
    picture, complete = (statistics.median(times) for times in zip(*found, strict=True))
    return picture, complete


def latencies(names: list[str]) -> tuple[list[Row], list[str]]:
    """Rows against the least page in the same browser and round, and the cold start in words."""
    path = chromium.find()
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=path, args=ARGUMENTS) as browser,
        serve(ROOT / "benchmarks" / "empty_chart.py") as least,
    ):
        with serve() as fresh:
            notes = [cold_start(browser.new_page(), fresh, "transformer")]
        with serve() as app:
            notes.append(cold_start(browser.new_page(), app))
            return typed(browser, names, app.url, least.url), notes


def typed(browser: Browser, names: list[str], url: str, least: str) -> list[Row]:
    """The pages and the least page in turns, in one browser."""
    pages: dict[str, Page] = {}
    for name, address in [*((n, f"{url}/{n}") for n in names), ("", least)]:
        page = pages[name] = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(120_000)
        page.goto(address)
        page.get_by_role("textbox").first.wait_for()
        page.wait_for_function(IDLE)
    rows = []
    for name in names:
        enter(pages[name], ["My uncle sold seven boats."])  # whatever is loaded lazily
        ours, theirs = enter(pages[name], SENTENCES), enter(pages[""], SENTENCES)
        for (what, goal), own, floor in zip(MOMENTS.items(), ours, theirs, strict=True):
            rows.append(Row(f"Enter on {name} to {what}", own, floor, "ms", goal))
    return rows


def cold_start(page: Page, app: Server, path: str = "") -> str:
    """What Home, or a deep link, shows when, in a process that has just been started."""
    page.goto(f"{app.url}/{path}", wait_until="commit")
    page.get_by_role("heading", level=1).wait_for()
    words = time.perf_counter() - app.started
    page.locator("svg.marks").first.wait_for()
    picture = time.perf_counter() - app.started
    return (
        f"cold start at /{path}: the first words after {words:.1f} s, "
        f"the first picture after {picture:.1f}"
    )


def session_weight(count: int = 20) -> str:
    async def visits(url: str, pid: int) -> tuple[float, float]:
        visitors = [Visitor(url) for _ in range(count + 1)]
        await visitors[0].connect()
        await visitors[0].open("alignment")
        before = megabytes([pid])
        for visitor in visitors[1:]:
            await visitor.connect()
            await visitor.open("alignment")
        after = megabytes([pid])
        for visitor in visitors:
            await visitor.__aexit__()
        return before, after

    with serve() as app:
        before, after = asyncio.run(visits(app.url, app.process.pid))
    return (
        f"memory: {before:.0f} MB with one session, {(after - before) / count:.2f} MB for each more"
    )

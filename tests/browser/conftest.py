"""The real app in a real Chromium, cut off from the network.

    @pytest.mark.parametrize("screen", [{"viewport": {"width": 400, "height": 800}}])
    def test_a_wider_beam_fits_a_phone(open_page, settle):
        page = open_page("alignment?text=Hello.")
        page.get_by_label("Beam size").fill("4")
        settle()

`screen` holds the arguments of the browser context; without the mark it is a light desktop. Nothing
moves by itself: the grey bars that shimmer until a page is there take as much time as the page.
A test fails by itself if the page logs an error or asks another host for anything.
"""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    Request,
    WebSocket,
    sync_playwright,
)

from benchmarks.layout import POLLING
from scripts import chromium

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # seconds, for a slow machine that imports torch

CHROMIUM_ARGS = [
    "--no-sandbox",  # Chromium's sandbox does not start as root, as in most containers
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--js-flags=--no-opt,--no-maglev",  # no page stays long enough to earn its optimised code
    # A blank page in a tab that is kept counts as one of the internet, and may not frame the app.
    "--disable-features=LocalNetworkAccessChecks",
    # No other name resolves, so nothing leaves this machine, whatever a page asks for.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
]

# Idle means connected, not running, nothing grey or still to be drawn, and all this for a moment:
# Streamlit waits up to 200 ms before it tells the server of a click.
IDLE = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    const idle = app?.dataset.testConnectionState === "CONNECTED"
        && app.dataset.testScriptState === "notRunning"
        && document.querySelector('[data-testid="stMain"] [data-testid="stElementContainer"]')
        && !document.querySelector('[data-testid*="Skeleton"], [data-stale="true"]');
    window.idleSince = idle ? window.idleSince ?? performance.now() : null;
    return idle && performance.now() - window.idleSince > 300;
}"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("browser")
    # The longest ones first: what is left for the end is shared out in small pieces.
    items.sort(
        key=lambda item: (
            item.path.stem != "test_rehearsal",
            item.get_closest_marker("browser") is None,
        )
    )


@pytest.fixture(scope="session")
def app_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app, started once on a free port."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
    command += ["--client.showErrorDetails=full"]
    log = tmp_path_factory.mktemp("app") / "app.log"
    with log.open("w") as output:
        app = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
    url = f"http://localhost:{port}"
    try:
        if not _healthy(url, app):
            pytest.fail(f"The app did not start:\n{log.read_text()}")
        yield url
    finally:
        app.terminate()
        app.wait(PATIENCE)


def _healthy(url: str, app: subprocess.Popen[bytes]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while app.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5):
                return True
        except OSError:
            time.sleep(0.2)
    return False


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium.find()
    if path is None:
        pytest.fail(chromium.MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def visitor(browser: Browser) -> Callable[..., Page]:
    """visitor("me") and visitor("you") share nothing. Whoever asks again meets the same one in the
    same tab: a new tab is a new process, which reads and compiles all of the app's scripts anew,
    three quarters of what a page costs."""
    known: dict[str, Page] = {}

    def meet(name: str, **kind: Any) -> Page:
        key = f"{name} {kind}"
        if key not in known or known[key].is_closed():
            context = browser.new_context(reduced_motion="reduce", **kind)
            context.set_default_timeout(PATIENCE * 1000)
            known[key] = context.new_page()
        return known[key]

    return meet


@pytest.fixture
def screen() -> dict[str, Any]:
    return {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}


@pytest.fixture
def page(visitor: Callable[..., Page], screen: dict[str, Any], app_url: str) -> Iterator[Page]:
    """A fresh visitor, whose errors and outside requests are counted when the test ends."""
    kind = {name: value for name, value in screen.items() if name != "viewport"}
    page = visitor("page", **kind)
    page.set_viewport_size(screen["viewport"])
    page.mouse.move(0, 0)
    with watched(page):
        yield page
        forget(page, app_url)


@contextmanager
def watched(page: Page) -> Iterator[None]:
    """Fails if the page logs an error or asks another host for anything."""
    problems: list[str] = []

    def check_host(asked: Request | WebSocket) -> None:
        parts = urlsplit(asked.url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname != "localhost":
            problems.append(f"request to another host: {asked.url}")

    def check_console(message: ConsoleMessage) -> None:
        address = message.location["url"]
        if message.type == "error":
            problems.append(f"console: {message.text} {address}")

    def check_error(error: Error) -> None:
        problems.append(f"page error: {error}")

    page.context.on("request", check_host)
    events = {"websocket": check_host, "pageerror": check_error, "console": check_console}
    for event, check in events.items():
        page.on(event, check)  # type: ignore[call-overload]
    yield
    page.context.remove_listener("request", check_host)
    for event, check in events.items():
        page.remove_listener(event, check)
    assert not problems, "\n".join(problems)


def forget(page: Page, app_url: str) -> None:
    """Leave the app as if nobody had been there: no other tab, nothing stored."""
    for opened in page.context.pages:
        if opened != page:
            opened.close()
    if page.url.startswith(app_url):
        page.evaluate("sessionStorage.clear()")  # a tab's own, which the line below leaves alone
    page.goto("about:blank")
    storage = {"origin": app_url, "storageTypes": "cookies,local_storage"}
    line = page.context.new_cdp_session(page)
    line.send("Storage.clearDataForOrigin", storage)
    line.detach()


@pytest.fixture
def settle(page: Page) -> Callable[[], None]:
    """settle() waits until Streamlit has finished answering the last input."""
    return lambda: settled(page)


def settled(page: Page) -> None:
    page.evaluate("window.idleSince = null")
    page.wait_for_function(IDLE, polling=POLLING)
    exceptions = page.locator('.st-key-unforeseen, [data-testid="stException"]')
    assert not exceptions.count(), "\n".join(exceptions.all_inner_texts())


@pytest.fixture
def open_page(page: Page, app_url: str, settle: Callable[[], None]) -> Callable[[str], Page]:
    """open_page("alignment?beam=4") goes there and waits until the page is complete."""

    def open_and_settle(path: str = "") -> Page:
        page.goto(f"{app_url}/{path}")
        settle()
        return page

    return open_and_settle


@pytest.fixture
def asked(page: Page) -> Iterator[list[str]]:
    """One entry for each time that the page has asked the server for something."""
    sent: list[str] = []

    def hear(socket: WebSocket) -> None:
        socket.on("framesent", lambda _: sent.append("frame"))

    # Heard from the first connection on: one that is open already would not be announced again.
    page.on("websocket", hear)
    yield sent
    page.remove_listener("websocket", hear)


@pytest.fixture
def unasked(page: Page, asked: list[str]) -> Callable[[], AbstractContextManager[None]]:
    """with unasked(): what the visitor does here stays in the browser, or the test fails."""

    @contextmanager
    def watch() -> Iterator[None]:
        assert asked, "The page has not even asked for itself: nothing is counted."
        before = len(asked)
        yield
        page.wait_for_timeout(500)  # Streamlit waits a little before it tells the server
        assert len(asked) == before, "The server was asked."

    return watch

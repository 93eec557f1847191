"""Finds a Chromium for the browser tests, or gets one: `python scripts/chromium.py`."""

import os
import shutil
import subprocess
import sys

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
MISSING = (
    "No working Chromium found, and none could be installed. "
    "Install chromium or Google Chrome, or set ATLAS_CHROMIUM to its path."
)


def find() -> str | None:
    """The path of a Chromium that starts; ATLAS_CHROMIUM, if set, is the only candidate."""
    if named := os.environ.get("ATLAS_CHROMIUM"):
        return named if _starts(named) else None
    installed = filter(None, map(shutil.which, NAMES))
    return next(filter(_starts, installed), None) or _downloaded()


def install() -> None:
    """Playwright's own download first; it may lack system libraries, so Debian's package next."""
    _run(sys.executable, "-m", "playwright", "install", "chromium")
    if find() is None and shutil.which("apt-get") and os.geteuid() == 0:
        _run("apt-get", "update", "-qq")
        _run("apt-get", "install", "-qq", "-y", "chromium")


def _downloaded() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if _starts(path) else None


def _starts(path: str) -> bool:
    """Ubuntu's `chromium-browser` may be an empty shell: being on the path is not enough."""
    if os.name == "nt":  # there --version opens a window
        return os.path.exists(path)
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _run(*command: str) -> None:
    print("$", *command, flush=True)
    subprocess.run(command, check=False)  # what counts is whether find() succeeds afterwards


if __name__ == "__main__":
    if find() is None and "ATLAS_CHROMIUM" not in os.environ:
        install()
    sys.exit(None if find() else MISSING)

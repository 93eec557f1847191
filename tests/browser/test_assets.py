"""Style sheets and scripts that the browser drops silently if a brace is missing."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

ASSETS = Path(__file__).parents[2] / "viz_core/ui/assets"
RULES = """(text) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(text);
  return sheet.cssRules.length }"""
MODULE = """async (text) => { const url = URL.createObjectURL(new Blob([text],
  { type: "text/javascript" })); return typeof (await import(url)).default }"""


def blocks(text: str) -> int:
    """Top-level blocks, by their braces."""
    depth = count = 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        count += sign == "}" and depth == 0
    assert depth == 0
    return count


@pytest.mark.parametrize("path", sorted(ASSETS.glob("*.css")), ids=lambda path: path.name)
def test_the_browser_reads_every_rule(path, browser: Browser):
    page = browser.new_page()
    text = path.read_text(encoding="utf-8")
    assert page.evaluate(RULES, text) == blocks(text)
    page.close()


@pytest.mark.parametrize("path", sorted(ASSETS.glob("*.js")), ids=lambda path: path.name)
def test_the_browser_can_run_the_script(path, browser: Browser):
    page = browser.new_page()
    assert page.evaluate(MODULE, path.read_text(encoding="utf-8")) == "function"
    page.close()

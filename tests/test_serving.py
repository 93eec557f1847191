"""Before a page runs: the browser knows where its server is, and memory is given back."""

import platform
import subprocess
import sys

import pytest

from viz_core import serving
from viz_core.atlas.pages import BY_STEM


def test_streamlits_own_page_still_has_a_place_for_it():
    html = serving.shell()
    assert html.index("<head>") < html.index(serving.TOLD) < html.index("<script type=")


@pytest.mark.parametrize(("base", "begins"), [("", "/"), ("atlas", "/atlas/"), ("/a/b/", "/a/b/")])
def test_every_page_has_its_address(base, begins, monkeypatch):
    monkeypatch.setattr(serving.config, "get_option", {"server.baseUrlPath": base}.__getitem__)
    assert {route.path for route in serving.routes()} == {begins + stem for stem in ("", *BY_STEM)}


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="other C libraries have no such heaps"
)
def test_the_c_library_still_takes_its_orders():
    # In a process of its own: they cannot be taken back.
    asked = "from viz_core import serving; raise SystemExit(not serving.give_memory_back())"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0

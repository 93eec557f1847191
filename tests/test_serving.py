"""Before a page runs: the browser knows where its server is, and memory is given back."""

import platform
import subprocess
import sys

import pytest
from streamlit.testing.v1 import AppTest

from viz_core import serving
from viz_core.atlas.pages import BY_STEM
from viz_core.command import ROOT


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


def test_what_one_run_marks_in_its_menu_the_next_does_not_see(tmp_path):
    script = tmp_path / "app.py"
    script.write_text(
        "from viz_core import serving\n"
        "pages = [page for part in serving.menu().values() for page in part]\n"
        "for page in pages:\n"
        "    page._can_be_called = True\n"
        "later = [page for part in serving.menu().values() for page in part]\n"
        "assert [page.url_path for page in later] == [page.url_path for page in pages]\n"
        "assert pages and not any(page._can_be_called for page in later)\n"
    )
    serving._made.cache_clear()
    (tmp_path / "pages").symlink_to(ROOT / "pages")
    app = AppTest.from_file(str(script), default_timeout=60).run()
    serving._made.cache_clear()  # these know the folder of this test
    assert not app.exception

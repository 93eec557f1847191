"""A visitor who closes the tab is computed for no longer, on a real server."""

import asyncio
import time

from tests.ui import live

WORK = """
import time
from pathlib import Path
from viz_core import interruption


def endless(beats):
    for _ in range(600):
        interruption.point()
        time.sleep(0.05)
        with Path(beats).open("a") as file:
            file.write("x")
"""
SCRIPT = """
import sys
sys.path.insert(0, {folder!r})
from importlib import import_module
import work
import_module("viz_core.ui.run").once(work.endless, {beats!r})
"""


def test_a_computation_ends_within_seconds_when_its_tab_is_closed(tmp_path):
    beats = tmp_path / "beats"
    (tmp_path / "work.py").write_text(WORK)
    script = SCRIPT.format(folder=str(tmp_path), beats=str(beats))

    async def visit(url):
        line = await live.asked(url)
        end = time.monotonic() + 60
        while not beats.exists() and time.monotonic() < end:
            await asyncio.sleep(0.1)
        line.transport.abort()  # nobody says goodbye
        await asyncio.sleep(3)

    with live.served(script, tmp_path) as url:
        live.visited(visit(url))
        beaten = beats.stat().st_size
        time.sleep(1)
        assert beats.stat().st_size == beaten > 0

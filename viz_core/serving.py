"""What the server does before a page runs, and what it says when one fails.

Streamlit's script in the browser does not know where its server is. On a deep link it guesses, and
the first guesses are 404s in the console; our own pages tell it. Nothing of the models is read
here, so that a server answers as soon as it is started.
"""

from __future__ import annotations

import ctypes
from copy import copy
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from streamlit import config
from streamlit.navigation.page import StreamlitPage

from viz_core.atlas.pages import BY_STEM, parts

# A page is one step below its server, whatever stands before both behind a proxy.
TOLD = '<script>window.__streamlit = {BACKEND_BASE_URL: new URL("./", location).href}</script>'

# Of malloc.h. Every visit computes in a thread of its own, and glibc gives eight threads a core a
# heap each, in which what a long text leaves is never given back: a quarter of a busy server.
ARENAS, OWN_PAGES = -8, -3
HEAPS, LARGE = 2, 2**20  # from so many bytes on an array has pages of its own, freed with it


def give_memory_back() -> bool:
    """Before the first visit; False where the C library knows nothing of it."""
    tune = getattr(ctypes.CDLL(None), "mallopt", None)
    return bool(tune and tune(ARENAS, HEAPS) and tune(OWN_PAGES, LARGE))


def shell() -> str:
    """Streamlit's own page, with the address of its server."""
    html = (Path(st.__file__).parent / "static" / "index.html").read_text()
    return html.replace("<head>", f"<head>{TOLD}", 1)


def routes() -> list[Route]:
    """Every page of the atlas, by its address, below `server.baseUrlPath` if there is one."""
    html, base = shell(), config.get_option("server.baseUrlPath").strip("/")

    async def page(request: Request) -> HTMLResponse:
        return HTMLResponse(html, headers={"Cache-Control": "no-cache"})

    return [Route(f"/{base}/{stem}".replace("//", "/"), page) for stem in ("", *BY_STEM)]


def menu() -> dict[str, list[StreamlitPage]]:
    """The pages of each part of the lecture. Streamlit looks for the file of each whenever one is
    made, 3 ms at every keystroke; a run marks the page that it opens, so each gets copies."""
    return {part: [copy(page) for page in listed] for part, listed in _made().items()}


@cache
def _made() -> dict[str, list[StreamlitPage]]:
    return {
        part: [
            st.Page(
                f"pages/{page.stem}.py",
                title=page.title,
                url_path=page.stem,
                default=page.stem == "home",
            )
            for page in listed
        ]
        for part, listed in parts().items()
    }


def failed(error: Exception) -> bool:
    """What nobody foresaw, in a page, a callback or a fragment; True keeps the red box away."""
    from viz_core.ui import unforeseen

    return unforeseen.tell(error)

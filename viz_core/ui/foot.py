"""The foot of a page: the pages before and after it in the lecture, and its own source."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from viz_core.atlas.pages import PAGES, Page
from viz_core.command import ROOT

SCRIPTS = ROOT / "pages"


def foot(stem: str, *stands_on: Callable[..., Any]) -> None:
    """Every page ends here. stands_on are the probe and the equation behind its picture."""
    at = [page.stem for page in PAGES].index(stem)
    with st.container(key="foot", horizontal=True, horizontal_alignment="distribute"):
        _link(PAGES[at - 1] if at else None, "Before: ", ":material/arrow_back:")
        if st.button("Source of this page", key="source", type="tertiary", icon=":material/code:"):
            _source(stem, stands_on)
        _link(PAGES[at + 1] if at + 1 < len(PAGES) else None, "Next: ", ":material/arrow_forward:")


def _link(page: Page | None, before: str, icon: str) -> None:
    if page is not None:
        link(page.stem, before + page.title, icon)


def link(stem: str, label: str, icon: str = ":material/arrow_forward:") -> None:
    """To another page of the atlas."""
    with suppress(StreamlitPageNotFoundError):  # a page that runs alone has no neighbours
        st.page_link(f"pages/{stem}.py", label=label, icon=icon)


@st.dialog("Source of this page", width="large")
def _source(stem: str, stands_on: tuple[Callable[..., Any], ...]) -> None:
    st.caption(f"pages/{stem}.py")
    st.code((SCRIPTS / f"{stem}.py").read_text(encoding="utf-8"), language="python")
    for function in stands_on:
        plain = inspect.unwrap(function)
        st.caption(f"{plain.__module__}.{plain.__qualname__}")
        st.code(inspect.getsource(plain), language="python")

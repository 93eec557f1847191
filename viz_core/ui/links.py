"""Links from a view to other pages, with inputs for them."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from urllib.parse import urlencode

import streamlit as st

from viz_core.atlas.pages import BY_STEM
from viz_core.ui.page import presenting


def onward(links: Mapping[str, Mapping[str, str]], before: str = "") -> None:
    """Pages that show more of this, by stem, each opened with these inputs; on the stage too."""
    stage = {"present": "1"} if presenting() else {}
    pages = "".join(
        f'<a class="atlas-go" href="{escape(f"{stem}?{urlencode({**inputs, **stage})}")}">'
        f"{escape(BY_STEM[stem].title)}</a>"
        for stem, inputs in links.items()
    )
    st.html(f'<nav class="atlas-begin"><span>{escape(before)}</span>{pages}</nav>')

"""The lecturer's own screen: notes, the next title and the time, in a second window."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from viz_core.ui import talks

NOTES = (
    "<div class='top'><b class='number'></b><span class='clock'></span><span class='gone'></span>"
    "</div><h2 class='title'></h2><p class='note' role='status'></p><p class='next'></p>"
)
NOTES_LOOK = """
.top { display: flex; gap: 2rem; align-items: baseline; font-size: 1.4rem; }
.title { font-size: 1.7rem; margin: 1rem 0 0.4rem; }
.note { font-size: 1.5rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
.next { font-size: 1.2rem; border-top: 1px solid var(--st-border-color); padding-top: 0.8rem; }
"""

_presenter = st.components.v2.component(
    "atlas_presenter",
    html=NOTES,
    css=NOTES_LOOK,
    js=(Path(__file__).parent / "assets" / "presenter.js").read_text(),
)


def presenter() -> bool:
    """The lecturer's own screen, if the address asks for it: notes, the next title, the time."""
    word = st.query_params.get("talk", "")
    if "presenter" not in st.query_params or not word:
        return False
    try:
        views = talks.unpacked(word)
    except ValueError as error:
        st.warning(str(error))
        return False
    told = [{"title": view.title, "note": view.note} for view in views]
    _presenter(key="presenter", data={"talk": word, "views": told})
    return True

"""The frame of a page: its header, its notices, and text that stays text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import altair as alt
import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from viz_core.checkpoints import CheckpointError

alt.data_transformers.disable_max_rows()  # Streamlit sends the data apart from the spec

STYLE = """
/* The picture stands above the fold: no empty band over the title. */
[data-testid="stMainBlockContainer"] { padding-top: 3.6rem; padding-bottom: 4rem; }
[data-testid="stMainBlockContainer"] h1 { padding: 0.2rem 0; }
/* A chart wider than its column scrolls; it never covers its neighbour. */
[data-testid="stVegaLiteChart"], [data-testid="stPlotlyChart"] { overflow-x: auto; }
"""


def header(title: str, lead: str = "") -> None:
    """Every page begins here, because every page may be the first one opened."""
    if PagesManager.uses_pages_directory:
        # A deep link on a cold server: Streamlit took pages/ for its old kind of app and ran this
        # file without app.py. Turn that off and start again, now with the navigation.
        PagesManager.uses_pages_directory = False
        st.rerun()
    st.set_page_config(page_title=f"{title} · Attention Atlas", page_icon="🧭", layout="wide")
    st.html(f"<style>{STYLE}</style>")
    st.title(title, anchor=False)
    if lead:
        st.markdown(lead)


@contextmanager
def sentences() -> Iterator[None]:
    """A ValueError below is a sentence for the visitor: show it, and let the page go on."""
    try:
        yield
    except CheckpointError as error:
        st.error(str(error))
    except ValueError as error:
        st.info(str(error))


def scale() -> float:
    """How much larger than on a desk type and marks are drawn."""
    return 1.0


def unread(signs: Sequence[str]) -> None:
    """Which typed characters a translator has never seen."""
    if signs:
        named = escape(", ".join(dict.fromkeys(signs))[:80])
        st.warning(f"The model has never seen {named}: it reads a blank there.")


def ink() -> str | None:
    """The text colour of the theme: Plotly cannot take it from the page by itself."""
    colour: str | None = st.get_option(f"theme.{st.context.theme.type or 'light'}.textColor")
    return colour


def escape(text: str) -> str:
    """Typed text inside Markdown stays text."""
    for sign in "\\`*_{}[]()#+-!|<>~$:":
        text = text.replace(sign, "\\" + sign)
    return text

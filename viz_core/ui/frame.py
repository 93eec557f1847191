"""What every page says in the same way: notices, and typed text that stays text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import altair as alt
import streamlit as st

from viz_core.checkpoints import CheckpointError

alt.data_transformers.disable_max_rows()  # Streamlit sends the data apart from the spec


@contextmanager
def sentences() -> Iterator[None]:
    """A ValueError below is a sentence for the visitor: show it, and let the page go on."""
    try:
        yield
    except CheckpointError as error:
        st.error(str(error))
    except ValueError as error:
        st.info(str(error).replace("[", "\\["))  # it may repeat what was typed: no link, no image


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

"""What every page says in the same way: notices, and typed text that stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import streamlit as st

from viz_core.checkpoints import CheckpointError

# Blank and indented lines would end the paragraph or begin a block of code.
LINES = re.compile(r"\s*\n\s*")
# What means something to Markdown when it stands anywhere, or at the beginning of a line.
MARKS = re.compile(r"[\\`*_{}\[\]()#+\-!|<>~$:&]|^=", re.MULTILINE)
NUMBER = re.compile(r"^(\s*\d+)\.", re.MULTILINE)
# What Streamlit looks for in the finished text, where a backslash is gone already: addresses, mail,
# :emoji: and arrows. An invisible word joiner after the first part keeps them apart.
REREAD = re.compile(
    r"https?:/(?=/)|www(?=\.)|[-.\w+](?=@[-\w])|:(?=[\w+-].*:)"
    r"|(?<!\S)[<>~-](?=(?:->|[>=-])(?!\S))",
    re.IGNORECASE,
)


SAID, UNREAD = "stage_said", "stage_unread"  # in this run


def begin() -> None:
    """A run begins: nothing is said yet."""
    st.session_state[SAID] = []
    st.session_state.pop(UNREAD, None)


def unread(notice: str) -> None:
    """Beside its box it is said why a text is not read: that is not to be said again."""
    st.session_state[UNREAD] = notice


@contextmanager
def sentences() -> Iterator[None]:
    """A ValueError below is a sentence for the visitor: show it, and let the page go on.

    Once: what fails for the same reason further down the page says nothing more.
    """
    try:
        yield
    except CheckpointError as error:
        st.error(str(error))
    except ValueError as error:
        told = st.session_state.get(UNREAD)
        sentence = told or escape(str(error))  # it may repeat what was typed
        is_told = told and "present" not in st.query_params  # on a stage the boxes are not seen
        said = st.session_state.setdefault(SAID, [])
        if not is_told and sentence not in said:
            said.append(sentence)
            st.info(sentence)


@contextmanager
def quietly() -> Iterator[None]:
    """For inputs that ask the model first: the picture fails for the same reason, and says it."""
    with suppress(ValueError):
        yield


def ink() -> str | None:
    """The text colour of the theme: Plotly cannot take it from the page by itself."""
    colour: str | None = st.get_option(f"theme.{st.context.theme.type or 'light'}.textColor")
    return colour


def escape(text: str) -> str:
    """Typed text inside Markdown stays text."""
    text = LINES.sub("\n", text)
    text = REREAD.sub("\\g<0>\u2060", text)
    return NUMBER.sub(r"\1\\.", MARKS.sub(r"\\\g<0>", text))

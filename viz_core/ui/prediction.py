"""Predict first: what a step shows is not sent to the browser before the hall has guessed.

Hidden by style alone, an answer still stands in the page, and a heading, a formula or a bar beside
the picture gives it away. So the server keeps it: of a concealed step only the inputs go out, and
the question. Whatever a page draws or says waits for the key, on pages written later too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from viz_core.ui import address
from viz_core.ui.markdown import escape
from viz_core.ui.patches.sending import asked

# What a concealed step may send: inputs, which hold what the visitor typed or chose.
INPUTS = {
    *("button_group", "checkbox", "date_input", "file_uploader", "multiselect", "number_input"),
    *("radio", "selectbox", "slider", "text_area", "text_input"),
    *("empty", "exception", "space", "toast"),
}
MOVES = ("stage_", "talk_", "step_")  # buttons with these keys move; others may carry an answer
PLAIN = (str, int, float, bool, list, tuple, type(None))
STYLE = """
.st-key-stage_ask { position: fixed; bottom: 3.4rem; left: 0; right: 0; z-index: 8; width: auto;
  align-items: center; }
.st-key-heading > :has(> .st-key-stage_ask) { flex: 0 0 0; width: 0; min-width: 0; }
.st-key-stage_question h3 { font-size: clamp(1.2rem, 2.6vw, 2.2rem) !important; line-height: 1.4; }
"""

concealing, shown_anyway = "stage_concealed", "stage_shown_anyway"


def predicting() -> bool:
    return {"present", "predict"} <= set(st.query_params)


def concealed() -> bool:
    """Whether this step still waits for its key."""
    page, seen = st.session_state.get("stage_revealed", ("", {}))
    now = st.session_state
    moving = any(str(key).endswith("_pending") for key in now)  # a stepper that plays
    same = page == address.page() and all(now.get(key) == was for key, was in seen.items())
    return predicting() and (moving or not same)


def reveal() -> None:
    """Show this step. Another step, sentence or page is concealed again."""
    seen = {
        key: value
        for key, value in st.session_state.items()
        if not str(key).startswith(("stage_", "talk_", "kept ")) and isinstance(value, PLAIN)
    }
    st.session_state["stage_revealed"] = (address.page(), seen)


def begin() -> None:
    """A run begins, and the heading of a page is never held back."""
    st.session_state[concealing] = False


def ask() -> None:
    """In the heading of a concealed page: the button that shows the answer, for key and finger."""
    if concealed():
        st.html(f"<style>{STYLE}</style>")
        with st.container(key="stage_ask"):
            st.button("Show the answer", key="stage_reveal", on_click=reveal, type="primary")


def hold() -> None:
    """From here on the page shows its answer."""
    asked(may_go)
    st.session_state[concealing] = concealed()


@contextmanager
def aloud() -> Iterator[None]:
    """What is said in here is no answer, and goes out at once."""
    st.session_state[shown_anyway] = True
    try:
        yield
    finally:
        st.session_state[shown_anyway] = False


def question(text: str, *about: str) -> None:
    """What the hall is asked while the step is concealed, and about what; nothing afterwards."""
    if st.session_state.get(concealing):
        with aloud(), st.container(key="stage_question"):
            st.subheader(escape(text), anchor=False)
            for each in filter(str.strip, about):
                st.subheader(f"*{escape(each.strip())}*", anchor=False)


def may_go(kind: str, element: Any) -> bool:
    """Whether the browser may have this element now."""
    if not st.session_state.get(concealing) or st.session_state.get(shown_anyway):
        return True
    if kind == "button":  # its id ends with the key
        return str(element.id).split("-")[-1].startswith(MOVES)
    return kind in INPUTS

"""What nobody foresaw: a sentence and a way back, never the red box of Streamlit.

Streamlit has a place for this, which only an app that starts itself can name. Ours is started by
`streamlit run`, so the place is filled here: for the sessions to come, and for those that are open.
It hears of everything: pages, callbacks of their inputs, fragments. The traceback is in the log of
the server already, for the lecturer.
"""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz_core.ui import address, prediction

SAID = "Something went wrong here that nobody foresaw, and it has been noted."


def tell(error: Exception) -> bool:
    """The sentence for the visitor; True keeps Streamlit's box away."""
    here = "." if address.page() == "home" else address.page()
    with prediction.aloud(), st.container(key="unforeseen"):
        st.error(SAID, icon=":material/error:")
        st.html(f'<a href="{escape(here)}" target="_self">Open this page as it begins</a>')
    return True


@cache
def install() -> None:
    """Fill the place in this process, where a server runs."""
    server = runtime.get_instance() if runtime.exists() else None
    sessions: Any = getattr(server, "_session_mgr", None)
    if sessions is None:  # a simulated app
        return
    sessions._on_script_error = tell
    for each in sessions.list_sessions():
        each.session._on_script_error = tell
    running = get_script_run_ctx(suppress_warning=True)
    if running is not None:  # the visitor whose page came first
        running.on_script_error = tell

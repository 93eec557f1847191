"""What nobody foresaw: a sentence and a way back, never the red box of Streamlit.

It hears of everything: pages, callbacks of their inputs, fragments. The traceback is in the log of
the server already, for the lecturer.
"""

from __future__ import annotations

from html import escape

import streamlit as st

from viz_core.ui import address, prediction

SAID = "Something went wrong here that nobody foresaw, and it has been noted."


def tell(error: Exception) -> bool:
    """The sentence for the visitor; True keeps Streamlit's box away."""
    here = "." if address.page() == "home" else address.page()
    with prediction.aloud(), st.container(key="unforeseen"):
        st.error(SAID, icon=":material/error:")
        st.html(f'<a href="{escape(here)}" target="_self">Open this page as it begins</a>')
    return True

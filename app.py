"""The navigation, nothing else: every page also stands alone.

`streamlit run` reads this file twice: once as a module, for the server, and then for every visit.
"""

import sys

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from viz_core import serving
from viz_core.atlas import pages

if __name__ != "__main__":
    PagesManager.uses_pages_directory = False  # or a cold deep link runs its page without this file
    serving.give_memory_back()
    app = st.App(__file__, routes=serving.routes(), on_script_error=serving.failed)
else:
    chosen = st.navigation(serving.menu(), position="top")
    if "torch" not in sys.modules:  # a server that was just started takes seconds to read it
        waiting = st.empty()
        with waiting.container():
            st.title("Attention Atlas", anchor=False)
            st.markdown(pages.BY_STEM[chosen.url_path or "home"].lead)
            st.caption("One moment: the models are being loaded, for the first visitor only.")
        import viz_core.probe
        import viz_core.ui  # noqa: F401

        waiting.empty()
    chosen.run()

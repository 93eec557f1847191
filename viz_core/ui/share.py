"""Share a view: its link, copied, and as a code for 200 phones."""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit

import segno
import streamlit as st

from viz_core.ui import address

# A page served over plain http cannot reach the clipboard; then the link is there to be selected.
COPY = """
export default async function ({ parentElement, data }) {
  const said = parentElement.querySelector("p");
  try { await navigator.clipboard.writeText(data.link); said.textContent = "The link is copied."; }
  catch { said.textContent = "Select the link below and copy it."; }
}
"""

HIGH = 400  # pixels of the code: all of it is seen on a screen of 800

_copied = st.components.v2.component("atlas_copied", html="<p role='status'></p>", js=COPY)


def link() -> str:
    """The address of this view, as the visitor's browser knows it."""
    query = urlencode(address.params(), doseq=True)
    return f"{address.here()}?{query}" if query else address.here()


@st.dialog("Share this view", width="large")
def share() -> None:
    """The link, copied, and as a code that the last row can read."""
    told = link()
    if urlsplit(told).hostname in {"localhost", "127.0.0.1"}:
        st.warning(
            "Only this machine can open a link to localhost. Start the app with "
            "`--server.address 0.0.0.0` and open it by the machine's name or number."
        )
    _copied(data={"link": told}, key="copied")
    drawn, written = st.columns([3, 2], gap="medium")
    with drawn:
        _code(told)
    with written, st.container(height=HIGH, border=False):
        st.code(told, language=None, wrap_lines=True)


def _code(told: str) -> None:
    try:
        code = segno.make(told, error="l")
    except segno.DataOverflowError:
        st.info("This view holds too much text for a code; the link holds all of it.")
        return
    drawn = code.svg_inline(scale=10, border=3, dark="#000", light="#fff")
    st.image(drawn, width=HIGH, caption="The link as a code for a phone's camera")

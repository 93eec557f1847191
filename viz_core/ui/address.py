"""Where the visitor is. A page knows nothing of the page before: it begins as its address says."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz_core.atlas.moved import moved
from viz_core.atlas.pages import BY_STEM

STAGE = ("present", "predict", "talk", "slide")  # how a page is shown, not what it shows
KEPT = {"here", "talk_views", "talk_known", "talk_opened"}  # what belongs to the visit, not a page


def pages() -> list[str]:
    return list(BY_STEM)


def page() -> str:
    """The page that is running, by its stem.

    The address of the browser still names the page before when a link has just been followed.
    """
    running = get_script_run_ctx(suppress_warning=True)
    if running is not None:
        known = running.pages_manager.get_pages().get(running.page_script_hash)
        stem = Path(known["script_path"]).stem if known else ""
        if stem in pages():
            return stem
    stem = urlsplit(st.context.url or "").path.rstrip("/").rsplit("/", 1)[-1]
    return stem if stem in pages() else "home"


def here() -> str:
    """The whole address of the open page, without its inputs.

    Streamlit's own (st.context.url) takes the name of a page off the end of a longer one: of
    "split" it leaves "spl", because there is a page "it".
    """
    running = get_script_run_ctx(suppress_warning=True)
    told = running.context_info if running is not None else None
    return joined(told.url if told is not None else "", page())


def joined(url: str, stem: str) -> str:
    """The address of a page, from that of any page of the app."""
    base, _, last = url.rstrip("/").rpartition("/")
    root = base if last in pages() else url.rstrip("/")
    return root if stem == "home" else f"{root}/{stem}"


def params() -> dict[str, str | list[str]]:
    """The inputs of the open page, as its address holds them."""
    found: dict[str, str | list[str]] = {}
    for key in st.query_params:
        values = st.query_params.get_all(key)
        if key not in STAGE:
            found[key] = values if len(values) > 1 else values[0]
    return found


def forward(stem: str) -> None:
    """Go on to the page that a view of this one has become; whoever goes back is let through."""
    running = get_script_run_ctx()
    there, inputs = moved(stem, params())
    if there != stem and not (running is not None and running.is_history_navigation):
        shown = {key: st.query_params[key] for key in STAGE if key in st.query_params}
        st.switch_page(f"pages/{there}.py", query_params={**inputs, **shown})


def arrive() -> None:
    """Forget the inputs of the page before; every page asks before it makes any of its own.

    Pages share the names of their inputs (text, layer, heads), because a name is what the address
    says. Streamlit keeps the value of such a name from page to page, where it means another thing.
    """
    state, running = st.session_state, get_script_run_ctx()
    moved_in_history = running is not None and running.is_history_navigation
    if state.get("here") == page() and not moved_in_history:
        return
    for key in set(state) - KEPT:
        del state[key]
    state["here"] = page()
    if moved_in_history:
        _read_again()


def _read_again() -> None:
    """Take the whole address that the visitor went back to, or that a slide has.

    Streamlit has dropped every input from it whose name the page before had as well.
    """
    running = get_script_run_ctx()
    assert running is not None
    with running.session_state.query_params() as params:
        address = running.query_string
        params.populate_from_query_string(address)
        params.set_initial_query_params(address)
        params._send_query_param_msg()

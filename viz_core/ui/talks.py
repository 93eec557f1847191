"""Views pinned while exploring, and the talk that shows them in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pandas as pd
import streamlit as st

from viz_core.atlas import talk
from viz_core.atlas.pages import BY_STEM
from viz_core.atlas.talk import MOST, View
from viz_core.ui.markdown import escape

STAGE = ("present", "predict")  # how a page is shown, not what it shows
KEPT = {"talk_views", "talk_at", "talk_opened"}  # what a change of page must not forget


def pages() -> list[str]:
    return list(BY_STEM)


def page() -> str:
    """The page that is open, by its stem."""
    stem = urlsplit(st.context.url or "").path.rstrip("/").rsplit("/", 1)[-1]
    return stem if stem in pages() else "home"


def pinned() -> list[View]:
    found: list[View] = st.session_state.setdefault("talk_views", [])
    return found


def params() -> dict[str, str | list[str]]:
    """The inputs of the open page, as its address holds them."""
    found: dict[str, str | list[str]] = {}
    for key in st.query_params:
        values = st.query_params.get_all(key)
        if key not in STAGE:
            found[key] = values if len(values) > 1 else values[0]
    return found


def pin(title: str) -> None:
    """Keep this view for the talk."""
    if len(pinned()) >= MOST:
        st.toast(f"A talk has at most {MOST} views.")
        return
    pinned().append(View(page=page(), title=title, params=params()))
    st.toast(f"Pinned: view {len(pinned())} of your talk.")


def begin(at: int = 0) -> None:
    st.session_state["talk_at"] = at
    st.session_state["talk_go"] = True


def end() -> None:
    st.session_state.pop("talk_at", None)


def follow() -> None:
    """Opens the view that the talk has come to; every page asks before it draws anything."""
    if not st.session_state.pop("talk_go", False):
        return
    at = st.session_state.get("talk_at")
    if at is None or not 0 <= at < len(pinned()):
        return
    view = pinned()[at]
    for key in set(st.session_state) - KEPT:  # the inputs of the last view, which has the same keys
        del st.session_state[key]
    st.switch_page(f"pages/{view.page}.py", query_params={**view.params, "present": "1"})


def bar() -> None:
    """Where the talk is: number, title and note, under the picture."""
    at = st.session_state.get("talk_at")
    if at is None or not 0 <= at < len(pinned()) or "present" not in st.query_params:
        return
    view, last = pinned()[at], len(pinned()) - 1
    with st.container(key="talk_bar", horizontal=True, vertical_alignment="center"):
        st.button("◀", key="talk_back", on_click=begin, args=(at - 1,), disabled=at == 0)
        st.button("▶", key="talk_on", on_click=begin, args=(at + 1,), disabled=at == last)
        st.markdown(f"{at + 1} / {last + 1} **{escape(view.title)}** {escape(view.note)}")


def set_views(found: Sequence[View]) -> None:
    """The list as it is from now on; views of pages that this atlas does not have stay out."""
    st.session_state["talk_views"] = [view for view in found if view.page in pages()]


def edit_views(found: list[View]) -> None:
    """The list as a table: reorder by number, rename, note, delete."""
    rows = {
        "order": range(1, len(found) + 1),
        "title": [view.title for view in found],
        "note": [view.note for view in found],
        "opens": [view.link for view in found],
    }
    edited = st.data_editor(
        pd.DataFrame(rows),
        key=f"views {hash(tuple(view.link for view in found))}",
        num_rows="dynamic",
        hide_index=True,
        disabled=["opens"],
        column_config={"opens": st.column_config.LinkColumn(width="medium")},
    )
    kept = [
        (row["order"], place, row) for place, row in edited.iterrows() if pd.notna(row["opens"])
    ]
    by_link = {view.link: view for view in found}
    ordered = [row for _, _, row in sorted(kept, key=lambda each: (float(each[0] or 0), each[1]))]
    new = [
        replace(by_link[row["opens"]], title=str(row["title"] or ""), note=str(row["note"] or ""))
        for row in ordered
    ]
    if new != found:
        st.session_state["talk_views"] = new
        st.rerun()


def talk_link(found: Sequence[View]) -> str:
    """One link that holds the whole list."""
    return f"{st.context.url or ''}?views={talk.pack(found)}"


def opened_talk() -> None:
    """A list that came with the link, taken once."""
    word = st.query_params.get("views")
    if not word or st.session_state.get("talk_opened") == word:
        return
    st.session_state["talk_opened"] = word
    try:
        set_views(talk.unpack(word, pages()))
    except ValueError as error:
        st.warning(str(error))


def open_file(file: Any) -> None:
    """A list from a file, taken once; ValueError says what is wrong with it."""
    if file is None or st.session_state.get("talk_opened") == file.file_id:
        return
    st.session_state["talk_opened"] = file.file_id
    try:
        text = file.getvalue().decode()
    except UnicodeDecodeError:
        raise ValueError("This is not a list of views: it is not text.") from None
    set_views(talk.read(text, pages()))
    st.rerun()

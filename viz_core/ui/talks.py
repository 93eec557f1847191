"""Views pinned while exploring, and the talk that shows them in order.

A talk that is given lives in the address, with the number of its view: a reload, a lost connection
or the way back all go on where it was. The list that is being made lives in the browser's storage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from viz_core.atlas import talk
from viz_core.atlas.talk import MOST, View
from viz_core.ui.address import page, pages, params

USUAL = "usual"  # the usual lecture, in an address


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A talk on the stage, and the view that it has come to."""

    word: str  # the list, as the address holds it
    views: tuple[View, ...]
    at: int

    @property
    def view(self) -> View:
        return self.views[self.at]

    def link(self, at: int | None) -> str:
        """The address of another of its views; empty past the ends."""
        return address(self.word, self.views, at) if at is not None else ""

    @property
    def links(self) -> dict[str, str]:
        """Where the keys lead: one view on or back, one slide on or back."""
        last = len(self.views) - 1
        return {
            "on": self.link(self.at + 1 if self.at < last else None),
            "back": self.link(self.at - 1 if self.at else None),
            "next": self.link(talk.next_slide(self.views, self.at, 1)),
            "previous": self.link(talk.next_slide(self.views, self.at, -1)),
        }


def address(word: str, views: Sequence[View], at: int) -> str:
    view = views[at]
    shown = {"present": "1"} | ({"predict": "1"} if view.predict else {})
    query = {**view.params, **shown, "talk": word, "slide": str(at + 1)}
    return f"{'.' if view.page == 'home' else view.page}?{urlencode(query, doseq=True)}"


def packed(views: Sequence[View]) -> str:
    return USUAL if list(views) == talk.LECTURE else talk.pack(views)


@lru_cache(maxsize=256)
def unpacked(word: str) -> tuple[View, ...]:
    """The views of a word in an address. ValueError says what is wrong with it."""
    return tuple(talk.LECTURE if word == USUAL else talk.unpack(word, pages()))


def given() -> Place | None:
    """The talk that the address names, if this page is what it shows."""
    word, number = st.query_params.get("talk", ""), st.query_params.get("slide", "")
    if not word or not number.isdecimal():
        return None
    try:
        views = unpacked(word)
    except ValueError as error:
        st.warning(str(error))
        return None
    at = int(number) - 1
    there = 0 <= at < len(views) and views[at].page == page()
    return Place(word=word, views=views, at=at) if there else None


def pinned() -> list[View]:
    found: list[View] = st.session_state.setdefault("talk_views", [])
    return found


def set_views(found: Sequence[View]) -> None:
    """The list as it is from now on; views of pages that this atlas does not have stay out."""
    st.session_state["talk_views"] = [view for view in found if view.page in pages()]
    st.session_state["talk_known"] = True


def pin(title: str) -> None:
    """Keep this view for the talk."""
    if len(pinned()) >= MOST:
        st.toast(f"A talk has at most {MOST} views.")
        return
    set_views([*pinned(), View(page=page(), title=title, params=params())])
    st.toast(f"Pinned: view {len(pinned())} of your talk.")


def stored() -> str | None:
    """The list for the browser's storage; None while this visit has not asked for what is there."""
    if not st.session_state.get("talk_known"):
        return None
    return packed(pinned()) if pinned() else ""


def restore(word: str) -> None:
    """The list that the browser has kept, or that another tab has changed."""
    try:
        set_views(unpacked(word) if word else [])
    except ValueError:  # kept by an older atlas
        st.session_state["talk_known"] = True


def edit_views(found: list[View]) -> None:
    """The list as a table: reorder by number, rename, note, mark, delete."""
    rows = {
        "order": range(1, len(found) + 1),
        "title": [view.title for view in found],
        "note": [view.note for view in found],
        **{mark: [getattr(view, mark) for view in found] for mark in talk.MARKS},
        "opens": [view.link for view in found],
    }
    box = st.column_config.CheckboxColumn
    edited = st.data_editor(
        pd.DataFrame(rows),
        key=f"views {hash(tuple(view.link for view in found))}",
        num_rows="dynamic",
        hide_index=True,
        disabled=["opens"],
        column_config={
            "note": st.column_config.TextColumn(width="medium", help="Only you see it."),
            "predict": box("predict first", help="The answer is hidden until a key is pressed."),
            "still": box(help="The arrow keys go to the next view, not through words or heads."),
            "step": box(help="It belongs to the slide above: Page Down passes it over."),
            "opens": st.column_config.LinkColumn(width="medium"),
        },
    )
    kept = [
        (row["order"], place, row) for place, row in edited.iterrows() if pd.notna(row["opens"])
    ]
    ordered = [row for _, _, row in sorted(kept, key=lambda each: (float(each[0] or 0), each[1]))]
    by_link = {view.link: view for view in found}
    new = [
        replace(
            by_link[row["opens"]],
            title=str(row["title"] or ""),
            note=str(row["note"] or ""),
            predict=bool(row["predict"]),
            still=bool(row["still"]),
            step=bool(row["step"]),
        )
        for row in ordered
    ]
    if new != found:
        set_views(new)
        st.rerun()


def begin_links(found: Sequence[View]) -> None:
    """Begin, at any of the views, and the window for the lecturer's own screen."""
    word, names = packed(found), [escape(view.title) for view in found]
    starts = "".join(
        f'<a class="atlas-go" href="{escape(address(word, found, at))}" title="{name}">{at + 1}</a>'
        for at, name in enumerate(names)
    )
    first = escape(address(word, found, 0))
    window = escape(f"talk?{urlencode({'presenter': '1', 'talk': word})}")
    st.html(
        f'<nav class="atlas-begin"><a class="atlas-go atlas-first" href="{first}">Begin</a>'
        f'<a href="{window}" target="atlas-presenter">Presenter window</a>'
        f"<span>or begin at</span>{starts}</nav>"
    )


def talk_link(found: Sequence[View]) -> str:
    """One link that holds the whole list."""
    return f"{st.context.url or ''}?views={talk.pack(found)}"


def opened_talk() -> None:
    """A list that came with the link; it leaves the address, or a reload would undo all edits."""
    word = st.query_params.get("views")
    if not word:
        return
    try:
        set_views(unpacked(word))
    except ValueError as error:
        st.warning(str(error))
    else:
        del st.query_params["views"]
        st.rerun()  # the browser keeps what the header of a page tells it


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

"""The stage of a page: its header, the buttons and keys of every page, presentation mode."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from viz_core.atlas.pages import BY_STEM
from viz_core.charts.kit.room import PAGE, Room
from viz_core.ui import address, patches, prediction, talks
from viz_core.ui.languages import in_languages
from viz_core.ui.markdown import begin, escape
from viz_core.ui.share import share
from viz_core.ui.talks import Place

ASSETS = Path(__file__).parent / "assets"
ENLARGED = 1.5  # type and marks in presentation mode, for the last row
# A stage of 1920 x 1080: what the heading and the sentence leave.
ON_STAGE = Room(1810, 720, 720, ENLARGED)
LINE, GAP = 44, 24  # pixels of a line of text over a chart, and half of a gap between columns

KEY_HELP = (
    "Key P. Arrow keys and space step through the picture, Page Up and Page Down go from slide to "
    "slide; Escape leaves."
)

PAGE_CSS, HOME_CSS, STAGE_CSS = (
    (ASSETS / f"{name}.css").read_text() for name in ("page", "home", "stage")
)
NOTICES = "stage_notices"  # the place of this run, beside the title
_keys = st.components.v2.component("atlas_keys", js=(ASSETS / "keys.js").read_text())


def header(stem: str) -> None:
    """Every page begins here, because every page may be the first one opened."""
    page = BY_STEM[stem]
    title = "Attention Atlas" if stem == "home" else page.title
    patches.apply()
    address.forward(stem)
    st.set_page_config(page_title=f"{page.title} · Attention Atlas", page_icon="🧭", layout="wide")
    address.arrive()
    begin()
    place = talks.given()
    prediction.begin()
    st.session_state["page_model"] = page.model
    more = (HOME_CSS if stem == "home" else "") + (STAGE_CSS if presenting() else "")
    st.html(f"<style>{PAGE_CSS}{more}</style>")
    with st.container(key="heading", horizontal=True, vertical_alignment="center"):
        st.title(escape(place.view.title) if place else title, anchor=False)
        if presenting():
            st.session_state[NOTICES] = st.container(key=NOTICES)
        prediction.ask()
        toolbar(title, place)
    with st.container(key="lead"):
        st.markdown(in_languages(page.lead))
    prediction.hold()


def presenting() -> bool:
    return "present" in st.query_params


def scale() -> float:
    """How much larger than on a desk type and marks are drawn."""
    return ENLARGED if presenting() else 1.0


def room(share: float = 1.0, lines: int = 0) -> Room:
    """The room of a chart in a column that has this share of the width, under lines of text."""
    whole, given = (ON_STAGE, 1) if presenting() else (PAGE, 0)  # a stage has its translation
    above = LINE * max(lines - given, 0)
    return whole.part(share).less(width=GAP if share < 1 else 0, height=above)


def picture(sentence: str = "") -> Any:
    """The place of the page's picture: all that is seen in presentation mode, under the sentence
    that it is about."""
    place = st.container(key="picture")
    with place:
        on_top(sentence)
    return place


def on_top(sentence: str) -> None:
    """The sentence that the picture is about, large, on a stage."""
    if sentence and presenting():
        with st.container(key="stage_sentence"), prediction.aloud():
            st.markdown(escape(sentence))


def warn(sentence: str, on_stage: str = "") -> None:
    """Said beside an input; on a stage, where inputs are not seen, beside the title, in short."""
    st.warning(sentence)
    place = st.session_state.get(NOTICES)
    if presenting() and place is not None:
        with place, prediction.aloud():  # what is wrong with a sentence is no answer
            st.markdown(on_stage or sentence)


def present(predict: bool = False) -> None:
    st.query_params["present"] = "1"
    if predict:
        st.query_params["predict"] = "1"


def leave() -> None:
    """Off the stage. The talk stays in the address: Present goes on with it."""
    for key in ("present", "predict"):
        st.query_params.pop(key, None)


def toolbar(title: str, place: Place | None) -> None:
    """Present, share and pin, on every page; the keys work without a look at the buttons."""
    with st.container(key="toolbar", horizontal=True, horizontal_alignment="right", gap="small"):
        if place or presenting():
            turns(place)
        if presenting():
            st.button(
                "Leave",
                key="stage_leave",
                on_click=leave,
                type="tertiary",
                icon=":material/close:",
                help="Key Escape.",
            )
        else:
            _buttons(title, place)
    view = place.view if place else None
    _keys(
        key="stage_keys",
        data={
            "present": presenting(),
            "concealed": prediction.concealed(),
            "page": address.page(),
            "still": bool(view and view.still),
            "links": place.links if place else {},
            "talk": place.word if place else "",
            "slide": place.at + 1 if place else 0,
            "list": talks.stored(),
        },
        on_list_change=_restore,
        height=0,
    )


def _restore() -> None:
    talks.restore(st.session_state["stage_keys"]["list"] or "")


def turns(place: Place | None) -> None:
    """Back and on for a hand without keys, and where the talk is."""
    where = f"<span>{place.at + 1} / {len(place.views)}</span>" if place else ""
    back, on = (
        f'<button data-turn="{key}" aria-label="{name}">{sign}</button>'
        for key, name, sign in (("ArrowLeft", "Back", "‹"), ("ArrowRight", "On", "›"))
    )
    st.html(f'<div class="atlas-turns">{back}{where}{on}</div>' if presenting() else where)


def _buttons(title: str, place: Place | None) -> None:
    st.button(
        "Go on" if place else "Present",
        key="stage_present",
        on_click=present,
        args=(bool(place and place.view.predict),),
        type="tertiary",
        icon=":material/slideshow:",
        help=KEY_HELP,
    )
    st.button(
        "Predict first",
        key="stage_predict",
        on_click=present,
        args=(True,),
        type="tertiary",
        icon=":material/visibility_off:",
        help="Present, and hold every step back until a key is pressed.",
    )
    st.button(
        "Pin",
        key="stage_pin",
        on_click=talks.pin,
        args=(title,),
        type="tertiary",
        icon=":material/keep:",
        help="Keep this view for your talk.",
    )
    if st.button("Share", key="stage_share", type="tertiary", icon=":material/qr_code_2:"):
        share()

"""The stage of a page: its header, the buttons and keys of every page, presentation mode."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from viz_core.atlas.pages import BY_STEM
from viz_core.charts.kit.room import PAGE, Room
from viz_core.ui import address, patches, prediction, talks, unforeseen
from viz_core.ui.markdown import escape
from viz_core.ui.share import share
from viz_core.ui.talks import Place

ASSETS = Path(__file__).parent / "assets"
ENLARGED = 1.5  # type and marks in presentation mode, for the last row
# A stage of 1920 x 1080: what the heading and the sentence leave.
ON_STAGE = Room(1810, 720, 720, ENLARGED)
LINE, GAP = 44, 24  # pixels of a line of text over a chart, and half of a gap between columns

STYLE = """
/* The picture stands above the fold: no empty band over the title. */
[data-testid="stMainBlockContainer"] { padding-top: 3.6rem; padding-bottom: 4rem; }
[data-testid="stMainBlockContainer"] h1 { padding: 0.2rem 0; }
/* A chart never leaves its column: a drawing shrinks with it, and on a phone it scrolls. */
[data-testid="stVegaLiteChart"], [data-testid="stPlotlyChart"] {
  max-width: 100%; overflow-x: auto; }
@media (min-width: 641px) {
  [data-testid="stVegaLiteChart"]:has(svg.marks) :is(div, svg) { max-width: 100%; height: auto; } }
/* Lines between two columns of words are made to fit a phone at once, at the smallest type. */
@media (max-width: 640px) { [class*="st-key-narrow_"] svg.marks { zoom: 0.79; } }
/* A tile is one link, as large as itself. */
[class*="st-key-tile_"] { position: relative; gap: 0.3rem; padding: 0.5rem 0.8rem; }
[class*="st-key-tile_"] [data-testid="stVerticalBlock"] { overflow: hidden; }
[class*="st-key-tile_"] a { padding-left: 0; }
[class*="st-key-tile_"] a * { white-space: normal; overflow: visible; }
[class*="st-key-tile_"]:hover { border-color: var(--st-primary-color); }
[class*="st-key-tile_"] a::after { content: ""; position: absolute; inset: 0; z-index: 1; }
/* A large window enlarges the drawings: they are made for 1280 x 800. */
@media (min-width: 1700px) and (min-height: 950px) {
  [data-testid="stVegaLiteChart"] svg.marks { zoom: 1.3; } }
/* Small print keeps a contrast of 4.5. */
[data-testid="stWidgetLabel"] { color: inherit; }
[data-testid="stCaptionContainer"] { opacity: 0.8; }
/* High superscripts of formulas are not cut off. */
.katex-display { padding-top: 0.3rem; }
/* The title and the buttons of every page share a line; on a phone the buttons are icons. */
.st-key-heading { flex-wrap: nowrap; }
.st-key-heading > :last-child { flex: 0 0 auto; width: auto; min-width: 0; }
.st-key-toolbar { flex-wrap: nowrap; gap: 0.9rem; }
.st-key-toolbar [data-testid="stElementContainer"]:has(.stBidiComponent) { display: none; }
/* Links that open a view, and the turns of the stage. */
.atlas-turns, .atlas-begin { display: flex; flex-wrap: wrap; align-items: center; gap: 0.6rem; }
.atlas-turns { flex-wrap: nowrap; white-space: nowrap; }
.atlas-turns button, .atlas-begin a { font: inherit; color: inherit; background: none;
  border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: 0.3rem;
  padding: 0.15rem 0.6rem; min-width: 2rem; text-align: center; cursor: pointer;
  text-decoration: none; }
.st-key-toolbar [data-testid="stElementContainer"]:has(.atlas-turns) { width: auto; }
.atlas-begin .atlas-first { font-weight: 600; padding: 0.35rem 1.2rem; }
@media (max-width: 640px) { .st-key-toolbar
  [data-testid="stElementContainer"]:not(.st-key-stage_leave) button
  [data-testid="stMarkdownContainer"] { position: absolute; clip-path: inset(50%); } }
"""

# Everything but the heading and the picture leaves the stage; drawings fill what is left.
PRESENTING = """
html { font-size: 145%; }
.st-key-heading h1 { font-size: 1.44rem; padding: 0; }
.st-key-picture h3 { padding: 0 0 0.3rem; font-size: 1.2rem; line-height: 1.4; }
.st-key-stage_sentence p { font-size: 1.44rem; line-height: 1.3; }
.st-key-picture { gap: 0.7rem; }
header[data-testid="stHeader"], [class*="st-key-keep_"], [data-testid="stElementToolbar"] {
  display: none; }
[data-testid="stMainBlockContainer"] { padding: 1rem 2rem; max-width: none; }
.st-key-toolbar { font-size: 0.8rem; gap: 0.4rem; opacity: 0.75; }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"]:has(.st-key-picture)
  > :not(.st-key-picture, :has(.st-key-picture, .st-key-heading, .st-key-unforeseen)) {
  display: none; }
.st-key-picture [data-testid="stVegaLiteChart"] svg.marks {
  width: 100%; height: auto; max-height: calc(100vh - 14.5rem); zoom: 1; }
.st-key-picture :is([data-testid="stVegaLiteChart"], div):has(svg.marks) {
  width: 100% !important; }
@media (max-width: 640px) { html { font-size: 100%; } .st-key-heading { flex-wrap: wrap; }
  [data-testid="stMainBlockContainer"] { padding: 0.5rem 1rem; } }
"""

CALM = """
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; } }
"""

KEY_HELP = (
    "Key P. Arrow keys and space step through the picture, Page Up and Page Down go from slide to "
    "slide; Escape leaves."
)

_keys = st.components.v2.component("atlas_keys", js=(ASSETS / "keys.js").read_text())


def header(stem: str) -> None:
    """Every page begins here, because every page may be the first one opened."""
    page = BY_STEM[stem]
    title = "Attention Atlas" if stem == "home" else page.title
    if PagesManager.uses_pages_directory:
        # A deep link on a cold server: Streamlit took pages/ for its old kind of app and ran this
        # file without app.py. Turn that off and start again, now with the navigation.
        PagesManager.uses_pages_directory = False
        st.rerun()
    patches.apply()
    unforeseen.install()
    st.set_page_config(page_title=f"{page.title} · Attention Atlas", page_icon="🧭", layout="wide")
    address.arrive()
    place = talks.given()
    prediction.begin()
    st.session_state["page_model"] = page.model
    st.html(f"<style>{STYLE}{CALM}{PRESENTING if presenting() else ''}</style>")
    with st.container(key="heading", horizontal=True, vertical_alignment="center"):
        st.title(escape(place.view.title) if place else title, anchor=False)
        prediction.ask()
        toolbar(title, place)
    st.markdown(page.lead)
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
    if sentence and presenting():
        with place.container(key="stage_sentence"), prediction.aloud():
            st.markdown(escape(sentence))
    return place


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

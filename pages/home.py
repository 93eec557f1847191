"""What the atlas shows, in the order of a lecture: every tile is drawn by the running models."""

import streamlit as st

from viz_core import ui
from viz_core.atlas import pages
from viz_core.checkpoints import CheckpointError

ACROSS, LARGE = 5, 360  # tiles in a row, and pixels of the largest picture
FIRST = "recurrent"
WHOLE = "machine"  # the map of all: its tile is the first and largest, as high as two others

ui.header("home")
box, first, lecture = st.columns([4, 2, 2], vertical_alignment="bottom")
with box:
    typed = ui.text("Your sentence, in English: press Enter, then a tile", "").strip()
with first:
    start = pages.BY_STEM["alignment" if typed else FIRST]
    label = "Translate it and look" if typed else f"Start here: {start.title}"
    play, hall = ":material/play_arrow:", ":material/school:"
    params = {"text": typed} if typed else {}
    st.page_link(f"pages/{start.stem}.py", label=label, icon=play, query_params=params)
with lecture:
    st.page_link("pages/talk.py", label="The usual lecture", icon=hall)

places = {}
shown = [page for page in pages.PAGES if page.stem not in ("home", WHOLE)]


def row(listed: list[pages.Page], across: int) -> None:
    for column, page in zip(st.columns(across), listed, strict=False):
        with column:
            places[page.stem] = ui.tile(page, typed)


large, beside = st.columns([2, ACROSS - 2])
with large:
    places[WHOLE] = ui.tile(pages.BY_STEM[WHOLE], typed, high=round(LARGE * ui.scale()))
with beside:
    for at in range(0, 2 * (ACROSS - 2), ACROSS - 2):
        row(shown[at : at + ACROSS - 2], ACROSS - 2)
for at in range(2 * (ACROSS - 2), len(shown), ACROSS):
    row(shown[at : at + ACROSS], ACROSS)

# Titles first, then the pictures one after the other: no visitor waits for a model to see the map.
for stem, place in places.items():
    with place:
        try:
            ui.show_small(ui.small_picture(stem), f"picture_{stem}")
        except CheckpointError:
            st.caption("Its model is not here: see the page.")
ui.foot("home")

"""What the atlas shows, in the order of a lecture: every tile is drawn by the running models."""

import streamlit as st

from viz_core import ui
from viz_core.charts import thumbnail

AREA = "The agreement on the European Economic Area was signed in August 1992."

ui.header(
    "Attention Atlas",
    "Small models, really trained, opened while they run: from recurrent networks to BERT. "
    "Every picture here is live; press a title to look inside.",
)
tiles = iter(st.columns(4) * 4)


def alignment() -> None:
    found = ui.translation("rnn-additive", AREA).words()
    chart = thumbnail.heat(found.cross.matrix(), "An English-French alignment matrix")
    ui.tile("Alignment", "Which words a translated word came from", "alignment", chart, text=AREA)


for draw in (alignment,):
    with next(tiles), ui.sentences():
        draw()

st.header("Models on board", anchor=False)
st.dataframe(ui.card_table(), hide_index=True, key="cards")

"""The card of every checkpoint: where it comes from, how it learned, how good it is."""

import streamlit as st

from viz_core import checkpoints, ui
from viz_core.charts import learning_curve

ui.header("models")
names = checkpoints.names()
picture, controls = ui.picture(), st.container()

with controls:
    name = ui.model(["transformer", *(each for each in names if each != "transformer")])

with picture, ui.sentences():
    card = ui.card(name)
    ui.question("How far did the loss fall on text that the model never read?", card.title)
    st.subheader(ui.escape(f"{card.title} ({card.paper})"), anchor=False)
    ui.show(learning_curve.learning_curve(card, room=ui.room(lines=2)), "curve")
    st.markdown(
        f"**Look for** the end: {ui.escape(learning_curve.finding(card))}. The lower, the "
        "surer of the right answer. Where the held-out line rises while the other falls, a model "
        "learns by heart."
    )

with controls:
    st.header("How good it is", anchor=False)
    ui.table(ui.figures_of(card).to_dict("records"))
    st.header("How it was trained", anchor=False)
    st.markdown(ui.escape(card.notes) or "Nothing more is to be said of its training.")
    st.caption(ui.card_line(card))
    st.code(card.command, language="bash")
    st.dataframe(card.data, hide_index=True, key="data")

st.header("All models on board", anchor=False)
st.dataframe(ui.card_table(), hide_index=True, key="cards")
ui.foot("models", learning_curve.learning_curve)

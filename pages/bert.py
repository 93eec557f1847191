"""Devlin et al. 2019 opened: every layer and head of a BERT on one sentence or two."""

import numpy as np
import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import habits
from viz_core.charts import head_grid

TIRED = "The animal didn't cross the street because it was too tired."
MILK = {"text": "The man went to the store.", "pair": "He bought a gallon of milk."}
EXAMPLES = {
    "too tired": {"text": TIRED, "pair": ""},
    "too wide": {"text": TIRED.replace("tired", "wide"), "pair": ""},
    "a pair": MILK,
    "another pair": {"text": "My dog is cute.", "pair": "He likes playing."},
    "rare words": {"text": "The zoologist photographed a flightless cormorant.", "pair": ""},
}
NAME = "bert-mini"

ui.header("bert")
first, second = st.columns(2)
with first:
    text = ui.english("Sentence", TIRED, model=NAME)
with second:
    pair = ui.english("Second sentence, if any", "", "pair", NAME)
picture, stepping = ui.picture(f"{text} {pair}"), st.container()
controls, details = st.container(), st.container()

with controls:
    ui.presets("Examples", EXAMPLES, "example")
    card = ui.card(NAME)
    layers, count = card.config["layers"], card.config["heads"]
    paired = bool(pair.strip())
    look = ui.look(layers, count, habits.start(card), under=stepping, paired=paired)
    layer, head = look.layer, (look.heads or (0,))[0]

with picture, ui.sentences():
    ui.question(f"Where does each word look in layer {layer + 1}, head {head + 1}?")
    other = pair.strip() or None
    trace = ui.run(probe.encode, NAME, text, other)
    query, key = ui.attention(trace, look, habits.labels(card))
    st.markdown(
        "**Look for** heads with a habit: the token before, the one after, [CLS]. Click a tile to "
        f"open that head; tap or hover a word for its lines, click it to keep them. "
        "Each colour is a head; the stronger a line, the larger its weight. "
        f"{habits.habit(card, layer, head)}"
    )
    with details:
        vectors = ui.run(probe.query_key, NAME, text, layer, head, other)
        ui.why(vectors, query, key, look)

st.header("What each head does", anchor=False)
with ui.sentences():
    st.markdown(f"{habits.said_of_it(card)} {habits.said_of_grammar(card)}")
    shares = np.array(card.measured["it resolved"])
    grid = head_grid.head_grid(shares, "“it” resolved", habits.labels(card), scale=ui.scale())
    ui.show(grid, "grid")
ui.paper(
    "Devlin et al. 2019, BERT; the habits and their thresholds after Clark et al. 2019, What Does "
    "BERT Look At?; rollout after Abnar and Zuidema 2020.",
    NAME,
)
ui.foot("bert", probe.encode, probe.query_key)

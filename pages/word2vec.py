"""Mikolov et al. 2013: word vectors that are learned from a text while one watches."""

import streamlit as st

from viz_core import probe, ui
from viz_core.charts import skip_gram
from viz_core.models.skip_gram import gradients
from viz_core.probe.skip_gram import STORY

UPDATES, SEEDS = [1, *range(25, 301, 25)], 50

ui.header("word2vec")
picture, stepping, sums = ui.picture(), st.container(), st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    word = ui.text("Look at", "king", "look")
    seed = ui.slider("Random start", 1, SEEDS, 1, "seed")
    anew = ({"seed": seed % SEEDS + 1, "at": len(UPDATES) - 1},)
    again = st.button("Train again", "again", on_click=st.session_state.update, args=anew)
text = ui.paragraph("Text to learn from", STORY, "story")
with stepping:
    at = ui.stepper("Seen after update", list(map(str, UPDATES)), "at", at_end=True)
with picture, ui.sentences():
    ui.question(f"Which words will stand near “{word}”?")
    frame = st.empty()
    for moment in ui.learning_words(text, seed, UPDATES, at, live=again):
        with frame.container():
            left, right = st.columns([7, 4], gap="medium")
            with left:
                chart = skip_gram.word_map(moment, word, room=ui.room(7 / 11, lines=1))
                ui.show(chart, "map", moving=again)
            with right:
                st.progress(moment.updates / UPDATES[-1], f"Update {moment.updates}")
                chart = skip_gram.losses(moment, UPDATES[-1], room=ui.room(4 / 11))
                ui.show(chart, "losses", moving=again)
                said = ui.escape(skip_gram.finding(moment, word))
                st.markdown(f"**Look for** its neighbours. {said}.")
    sums.caption(skip_gram.flat(moment))
    sums.latex(skip_gram.formula(moment))
st.caption("Mikolov et al. 2013, word2vec: skip-gram with negative sampling.")
ui.foot("word2vec", probe.learn, gradients)

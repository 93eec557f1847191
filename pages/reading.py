"""Cheng et al. 2016, figure 1: an LSTM that looks back at all it has read before it reads on."""

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import reading as told
from viz_core.charts import reading
from viz_core.models.lstmn import LSTMN

NAME, MOST = "lstmn", 60  # words
FBI = "The FBI is chasing a criminal on the run ."

ui.header("reading")
text = ui.english("Sentence to read", FBI, model=NAME, most=MOST)
picture, stepping = ui.picture(), st.container()
controls, details = st.container(), st.container()

if ui.trained(NAME, "a sentence read word by word, each looking back"):
    card = ui.card(NAME)
    with controls:
        ui.examples(card.examples)
    with picture, ui.sentences():
        trace = ui.run(probe.tape, NAME, text)
        words = trace.attention.words()
        with stepping:
            at = ui.stepper("Word", words.queries, "word", at_end=True)
        ui.question(f"Which earlier words does “{words.queries[at]}” look back at?", text)
        until = at if ui.presenting() else None
        chart = reading.staircase(words, at, until=until, room=ui.room())
        opens = ui.sets("word", "query")
        ui.show(chart, f"staircase {at} {text}", select="line", choose=opens)
        with details:
            st.markdown(
                f"**Look for** the blue words in a line: before the red word is read, the states "
                f"after these words are taken from the tape and mixed. {told.habit(words)}."
            )
            ui.formulas(reading.formulas(trace, told.first_token(trace, at)))
            ui.pieces(trace.attention.queries)
            st.markdown(
                f"Perplexity of this sentence: **{told.perplexity(trace):.0f}**, as if each word "
                "had been one of so many, all equally likely."
            )
    plain = card.measured.get(told.PLAIN, {})
    st.header("Does the tape help?", anchor=False)
    st.markdown(
        "Perplexity of a word in texts it never saw, beside a plain LSTM as wide, after the same "
        f"{card.steps:,} steps through the same text: {told.compared(card.metrics, plain)}. "
        f"{told.verdict(card.metrics, plain)}."
    )
    st.caption(card.notes)
    ui.paper(
        "Cheng, Dong and Lapata 2016, Long Short-Term Memory-Networks for Machine Reading.", NAME
    )
ui.foot("reading", probe.read, LSTMN.scores, LSTMN.step)

"""Devlin et al. 2019, figure 2: what a BERT reads is a token, its sentence and its place."""

import numpy as np
import streamlit as st

from viz_core import by_hand, probe, ui
from viz_core.charts import embeddings, numbers, positions

EXAMPLES = {
    "My dog is cute": {"text": "My dog is cute.", "pair": "He likes playing."},
    "one sentence": {"text": "The cat sat on the mat.", "pair": ""},
    "the same word twice": {"text": "The bank by the river.", "pair": "The bank of England."},
}
NAME, NEAR = "bert-mini", 128  # places compared: sentences are no longer

ui.header("embeddings")
first, second = st.columns(2)
with first:
    text = ui.english("Sentence A", "My dog is cute.", model=NAME)
with second:
    pair = ui.english("Sentence B, if any", "He likes playing.", "pair", NAME)
picture, stepping, controls = ui.picture(f"{text} {pair}"), st.container(), st.container()

with controls:
    ui.presets("Examples", EXAMPLES, "example")

with picture, ui.sentences():
    ui.question("Which rows of colours will repeat?", text, pair)
    trace = ui.run(probe.embeddings, NAME, text, pair.strip() or None)
    with controls:
        at = ui.word("Token", trace.tokens, "token", min(1, len(trace.tokens) - 1))
    drawn = embeddings.figure(trace, focus=at, scale=ui.scale())
    ui.show(drawn, "figure", numbers=lambda: numbers.embeddings(trace))
    st.markdown(
        "**Look for** rows that repeat (blue is above zero, orange below; the stronger, the "
        "farther from zero): the second row knows two vectors only, A and B; a word "
        "that comes twice has the same first row, and its place and sentence tell the two apart. "
        f"{embeddings.finding(trace)}."
    )
    with controls:
        ui.formulas(embeddings.formulas(trace, at))
    with stepping:
        ui.steps([{"token": place} for place in range(len(trace.tokens))])

st.header("Learned places against sines and cosines", anchor=False)
st.markdown(
    "BERT was not given waves: it learned a vector for each of its places. The dot product of two "
    "places, as vectors of length one, by the distance between them. The line is the mean; the "
    "band reaches from the smallest to the largest product at that distance."
)
with ui.sentences():
    learned = ui.run(probe.learned_positions, NAME)[:NEAR]
    tables = {"Learned by BERT": learned, "Sines and cosines": by_hand.positions(*learned.shape)}
    for column, (name, table) in zip(st.columns(2, gap="large"), tables.items(), strict=True):
        with column:
            table = table / np.linalg.norm(table, axis=1, keepdims=True)
            st.markdown(f"**{name}.** {positions.finding_of_offset(table)}.")
            chart = positions.offset(table, scale=ui.scale()).properties(width=420 * ui.scale())
            ui.show(chart, f"offset {name}")
ui.paper("Devlin et al. 2019, BERT, figure 2; Vaswani et al. 2017, section 3.5.", NAME)
ui.foot("embeddings", probe.embeddings)

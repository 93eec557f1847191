"""Attention as look-up: a hard match takes some rows of a table, a soft match a mix of all."""

import streamlit as st

from viz_core import by_hand, ui
from viz_core.by_hand import numbers as typed_numbers
from viz_core.charts import lookup

KEYS, VALUES = "1 0; 0.6 0.8; 0 1; -0.6 0.8", "3; 2; 1; 5"
QUESTIONS = {  # what is asked for, as a vector
    "a banana": {"query": "1 0"},
    "an apple": {"query": "0.6 0.8"},
    "a mango, which is not in the table": {"query": "0.8 0.6"},
}
APPLE = "She is eating a green apple"
SEEN, WEIGHTS = "1 5; 2 2; 6 4; 1 1; 4 6", "0.1 0.1 0.5 0.1 0.2"

ui.header("lookup")
picture, stepping, controls = ui.picture(), st.container(), st.container()
with controls:
    ui.presets("Look up", QUESTIONS, "question")
    with stepping:
        ui.steps([{"temperature": heat} for heat in (2.0, 1.0, 0.5, 0.25, 0.1, 0.0)])
    first, second, third, fourth = st.columns(4)
    with first:
        heat = ui.slider("Temperature T", 0.0, 2.0, 0.5, "temperature", step=0.05)
        names = ui.text("Rows", "banana apple lemon carrot")
    with second:
        query_text = ui.matrix("Query", "0.6 0.8", "query")
    with third:
        key_text = ui.matrix("Keys", KEYS, "keys")
    with fourth:
        value_text = ui.matrix("Values", VALUES, "values")

with picture, ui.sentences():
    ui.question(f"How much of each row does it take, at temperature {heat:g}?", names)
    keys, values, query = (
        typed_numbers.read_matrix(typed, name)
        for typed, name in ((key_text, "Keys"), (value_text, "Values"), (query_text, "Query"))
    )
    words = typed_numbers.name_rows(names, len(keys), "the table")
    found = by_hand.look_up(words, keys, values, query, heat)
    left, right = st.columns([5, 2])
    with left:
        ui.show(lookup.match(found, scale=ui.scale()), "match")
    with right:
        ui.show(lookup.limit(found, scale=ui.scale()), "limit")
    said = ui.escape(lookup.finding(found))
    st.markdown(f"**Look for** the left end of the curves, where soft turns hard. {said}.")
    st.code(lookup.sql(found), language=None)  # its colours would be too faint

st.header("A weighted sum of values", anchor=False)
below, numbers = st.container(), st.container()
with numbers:
    first, second, third = st.columns(3)
    with first:
        seen = ui.text("Words: the last one looks at those before it", APPLE, "seen")
    with second:
        weight_text = ui.matrix("Weights", WEIGHTS, "weights")
    with third:
        seen_text = ui.matrix("Values of the words", SEEN, "seen_values")
with below, ui.sentences():
    table = typed_numbers.read_matrix(seen_text, "Values")
    weights = typed_numbers.read_matrix(weight_text, "Weights")
    by_hand.weighted_sum(weights, table)
    *before, target = typed_numbers.name_rows(seen, len(table) + 1, "the sentence")
    sentence, last = ui.escape(" ".join(before)), ui.escape(target)
    st.markdown(f"*{sentence} {last}*: what **{last}** takes from the words before it.")
    left, right = st.columns([5, 3])
    with left:
        ui.show(lookup.weighted(before, weights, table, target, scale=ui.scale()), "sum")
    with right:
        ui.show(lookup.pull(before, weights, table, target, scale=ui.scale()), "pull")
    if abs(weights.sum() - 1) > 1e-6:
        st.warning(f"These weights sum to {weights.sum():g}; those of a softmax sum to 1.")

ui.link("search", "The same with texts: a table of persons, and search by meaning")
st.caption("Vaswani et al. 2017, section 3.2: an output is a weighted sum of the values.")
ui.foot("lookup", by_hand.look_up, by_hand.tempered, by_hand.weighted_sum)

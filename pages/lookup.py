"""Attention as look-up: a hard match takes some rows of a table, a soft match a mix of all."""

import numpy as np
import streamlit as st

from viz_core import by_hand, probe, ui
from viz_core.by_hand import numbers as typed_numbers, table as texts
from viz_core.charts import lookup, records

KEYS, VALUES = "1 0; 0.6 0.8; 0 1; -0.6 0.8", "3; 2; 1; 5"
QUESTIONS = {  # what is asked for, as a vector
    "a banana": {"query": "1 0"},
    "an apple": {"query": "0.6 0.8"},
    "a mango, which is not in the table": {"query": "0.8 0.6"},
}
SEEN, WEIGHTS = "1 5; 2 2; 6 4; 1 1; 4 6", "0.1 0.1 0.5 0.1 0.2"
HEATS = np.geomspace(0.01, 10, 61)
CONDITIONS = [
    "ID = '015843268901'",
    "ID LIKE '00512317%'",
    "ID = '00512317482'",  # a digit is missing: no row is equal
    "Family LIKE '%Mohammadi'",
]
TEXTS = """The doctor told her to rest for a week.
Our team lost the final in the last minute.
Prices rose faster than wages this year.
Boil the rice, then add salt and lemon.
The museum is closed on Mondays.
Heavy rain is expected in the north tomorrow."""
SEARCHES = ["weather forecast", "who won the football match", "How do I cook?", "hospital", "rain"]
MODEL = "bert-mini"

ui.header("lookup")
vectors, persons, searching = ui.tabs(["Vectors", "A table of persons", "Search"], "view")

if vectors.open:
    with vectors:
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
            keys, values = (
                typed_numbers.read_matrix(key_text, "Keys"),
                typed_numbers.read_matrix(value_text, "Values"),
            )
            words = typed_numbers.name_rows(names, len(keys), "the table")
            query = typed_numbers.read_matrix(query_text, "Query")
            found = by_hand.look_up(words, keys, values, query, heat)
            left, right = st.columns([5, 2])
            with left:
                ui.show(lookup.match(found, scale=ui.scale()), "match")
            with right:
                curves = np.stack([by_hand.tempered(found.scores, float(t)) for t in HEATS])
                ui.show(lookup.limit(words, HEATS, curves, heat, scale=ui.scale()), "limit")
            said = ui.escape(lookup.finding(found))
            st.markdown(f"**Look for** the left end of the curves, where soft turns hard. {said}.")
            st.code(lookup.sql(found), language=None)  # its colours would be too faint

        st.header("A weighted sum of values", anchor=False)
        st.markdown("*She is eating a green apple*: what **apple** takes from the words before it.")
        below, numbers = st.container(), st.container()
        with numbers:
            first, second, third = st.columns(3)
            with first:
                seen = ui.text(
                    "Words: the last one looks at those before it",
                    "She is eating a green apple",
                    key="seen",
                )
            with second:
                weight_text = ui.matrix("Weights", WEIGHTS, "weights")
            with third:
                seen_text = ui.matrix("Values of the words", SEEN, "seen_values")
        with below, ui.sentences():
            table, weights = (
                typed_numbers.read_matrix(seen_text, "Values"),
                typed_numbers.read_matrix(weight_text, "Weights"),
            )
            by_hand.weighted_sum(weights, table)
            *before, target = typed_numbers.name_rows(seen, len(table) + 1, "the sentence")
            left, right = st.columns([5, 3])
            with left:
                ui.show(lookup.weighted(before, weights, table, target, scale=ui.scale()), "sum")
            with right:
                ui.show(lookup.pull(before, weights, table, target, scale=ui.scale()), "pull")
            if abs(weights.sum() - 1) > 1e-6:
                st.warning(f"These weights sum to {weights.sum():g}; those of a softmax sum to 1.")

if persons.open:
    with persons:
        condition = ui.text("WHERE", CONDITIONS[1], "where")
        picture, stepping, controls = ui.picture(), st.container(), st.container()
        with controls:
            ui.examples(CONDITIONS, "where")
            with stepping:
                ui.steps([{"where": each} for each in CONDITIONS])
            left, right = st.columns([3, 2])
            with left:
                written = ui.paragraph("Table: a row a line, with commas", texts.PERSONS, "table")
            with right:
                heat = ui.slider("Temperature T", 0.0, 1.0, 0.1, "heat", step=0.05)
        with picture, ui.sentences():
            ui.question("Which rows does the database return? And attention?", condition)
            selected = texts.select(
                texts.read_table(written), texts.read_condition(condition), heat
            )
            ui.show(records.table(selected, room=ui.room(lines=1)), "persons")
            said = ui.escape(records.finding(selected))
            st.markdown(f"**Look for** rows that match and rows that nearly do. {said}.")
            with controls:
                st.code(records.sql(selected), language=None)
                st.latex(records.formula(selected))
                st.caption(records.SIMILAR)

if searching.open:
    with searching:
        wanted = ui.text("Search for", SEARCHES[0], "search", most=200)
        picture, stepping, controls = ui.picture(), st.container(), st.container()
        with controls:
            ui.examples(SEARCHES, "search")
            with stepping:
                ui.steps([{"search": each} for each in SEARCHES])
            left, right = st.columns([3, 2])
            with left:
                lines = ui.paragraph("Texts: a line each", TEXTS, "texts")
            with right:
                heat = ui.slider("Temperature T", 0.0, 1.0, 0.1, "warmth", step=0.05)
        if ui.trained(MODEL, "texts found by their meaning"):
            with picture, ui.sentences():
                ui.question("Which text is the answer, and does it share a word?", wanted)
                rows = texts.read_texts(lines)
                states = ui.run(probe.text_vectors, MODEL, (*rows, wanted))
                selected = texts.search(rows, wanted, states[:-1], states[-1], heat)
                ui.show(records.table(selected, room=ui.room(lines=1)), "search_table")
                said = ui.escape(records.finding(selected))
                st.markdown(f"**Look for** a text that shares no word with the query. {said}.")
                with controls:
                    st.latex(records.formula(selected))
                    st.caption(records.CAUTION)
st.caption("Vaswani et al. 2017, section 3.2: an output is a weighted sum of the values.")
ui.foot("lookup", by_hand.look_up, by_hand.tempered, texts.select, probe.text_vectors)

"""A table of texts asked two ways: rows that match, and all rows by how well they fit."""

import streamlit as st

from viz_core import probe, ui
from viz_core.by_hand import table as texts
from viz_core.charts import records

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

ui.header("search")
persons, searching = ui.tabs(["A table of persons", "Search"], "view")

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
                st.caption("Vaswani et al. 2017, section 3.2: a weighted sum of the values.")

if searching.open:
    with searching:
        wanted = ui.english("Search for", SEARCHES[0], "search", MODEL, most=30)
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
        st.caption("Vaswani et al. 2017, section 3.2; the keys are a BERT's (Devlin et al. 2019).")
ui.foot("search", texts.select, texts.search, probe.text_vectors)

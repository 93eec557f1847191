"""Beam search on the blackboard: a table of probabilities, greedy .048 against .054."""

from typing import Any

import streamlit as st

from viz_core import decoding, probe, ui
from viz_core.analysis import hypotheses
from viz_core.charts import tree
from viz_core.decoding import table as beam_table

ui.header("beam_table")
verdict = st.container()
picture, controls = st.columns([11, 9], gap="medium")
details = st.container()

with controls:
    typed = ui.chances("The same as text; * is any word", beam_table.LECTURE, "table")
    left, right = st.columns(2, gap="medium")
    with left:
        size = ui.slider("Beam size k", 1, 10, 2, "k")
    with right:
        alpha = ui.slider("Length penalty α", 0.0, 2.0, 0.75, "alpha", step=0.05)
    if size > len(beam_table.WORDS):
        st.info(f"A beam of {size} is wider than the vocabulary: it keeps all 4 words of step 1.")

with picture, ui.sentences():
    ui.question("Which beginnings live on after this step, and which are cut off?")
    table, notices = beam_table.read(typed)
    greedy, wide = (
        probe.record(beam_table.search(table, k, alpha), beam_table.label) for k in (1, size)
    )
    rivals = [hypotheses.output(each, each.best, beam_table.text) for each in (greedy, wide)]
    exact, likeliest = (beam_table.exhaust(table, by) for by in (alpha, 0.0))
    verdict.markdown(hypotheses.verdict(rivals[0], rivals[1], exact))
    look: dict[str, Any] = {"numbers": True, "limit": 4, "room": ui.room(11 / 20), "ink": ui.ink()}
    ui.growing(wide, "tree", lambda step: tree.tree(wide, until_step=step, **look))
    for notice in notices:
        controls.info(notice)

    with details:
        st.markdown(
            "**Look for** the orange path, which leads: it need not begin with the likeliest word. "
            "Blue ones are kept, grey ones were cut off; tap or hover a node for its numbers."
        )
        ui.compare({"Greedy": rivals[0], f"Beam of {size}": rivals[1], "Exhaustive": exact})
        st.markdown(
            f"By its probability alone **{ui.escape(likeliest.text)}** is the best of all, "
            f"{likeliest.probability:.3f}: each further word makes the product smaller. The n-th "
            "root, which is α = 1, makes short and long outputs comparable:"
        )
        for each in {each.ids: each for each in (*rivals, likeliest) if each.ids}.values():
            st.latex(hypotheses.root_formula(each.text, beam_table.chances(table, each.ids)))
        st.latex(hypotheses.score_formula(rivals[1], alpha))
        st.markdown("Beam search weighs k · n · V continuations; Vⁿ sequences exist:")
        st.latex(hypotheses.cost_formula(size, table.length, len(beam_table.WORDS)))
        st.latex(hypotheses.cost_formula(size, 10, 10_000))

st.caption(
    "Zhang et al., Dive into Deep Learning, figures 10.8.1 and 10.8.2. The same with "
    "[a translator](beam)."
)
ui.foot("beam_table", decoding.beam)

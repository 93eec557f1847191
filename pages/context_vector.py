"""Bahdanau et al. 2015, eq. 5: the context vector as a sum, and one of its weights in your hand."""

import streamlit as st

from viz_core import analysis, probe, ui
from viz_core.charts import comparison, mixture

EXAMPLES = [
    "I left my red umbrella in the kitchen.",
    "Two black dogs are running on the beach.",
    "My sister drinks her coffee without milk.",
    "The children are playing football in the street.",
]
MODELS = ["rnn-additive", "rnn-search", "rnn-general", "rnn-dot"]


def choose(point: dict[str, int]) -> None:
    if point["key"] >= 0:
        st.session_state["key"] = point["key"]


ui.header("context_vector")
source = ui.english("English sentence", EXAMPLES[0], model="rnn-additive")
picture, stepping, controls = ui.picture(source), st.container(), st.container()
with controls, ui.quietly():
    first, second, third = st.columns([2, 3, 4], vertical_alignment="bottom")
    with first:
        name = ui.model(MODELS)
    found = ui.run(probe.translate, name, source)
    with stepping:
        start = analysis.surest(found.cross)[0]
        step = ui.stepper("French word", found.target, "step", start=start)
    own = ui.run(probe.mixture, name, source, step)
    with second:
        key = ui.word("English word", own.source, "key", int(own.own.argmax()))
    with third:
        label = f"Weight of “{own.source[key]}”; the others share what is left"
        weight = ui.weight(label, float(own.own[key]), "weight", (name, source, step, key))
    ui.examples(EXAMPLES)

with picture, ui.sentences():
    ui.notices(ui.run(probe.translate, name, source))
    ui.question("If this weight grows, which French word comes next?", own.text)
    trace = own if weight is None else ui.run(probe.mixture, name, source, step, key, weight)
    ui.quote(trace.moved_text)
    if trace.moved_text != trace.text:
        st.caption(f"With its own weights: {ui.escape(trace.text)}")
    left, right = st.columns([5, 2], gap="medium")
    with left:
        chart = mixture.mixture(trace, key, room=ui.room(5 / 7, lines=1))
        ui.show(chart, "mixture", select="column", choose=choose)
    with right:
        sides = {"own weights": trace.before, "as shown": trace.after}
        room = ui.room(2 / 7, lines=1)
        ui.show(comparison.grouped(trace.tokens, sides, "Next word", room=room), "next")
    st.markdown(
        "**Look for** what is left of each state in the lower half. "
        f"{ui.escape(mixture.finding(trace))}. Blue is above zero, orange below."
    )
    with controls:
        ui.formulas(mixture.formulas(trace, key))
        ui.pieces([*found.target, *own.source, *trace.tokens])
        half = trace.forward.shape[1]
        st.caption(
            f"Drawn are the first {mixture.PARTS} of {half} numbers of each reader. The frame "
            "round both is the joined state h_j: what was read before the word and after it."
        )
ui.paper("Bahdanau, Cho and Bengio 2015, section 3.1, eq. 5, and section 3.2.", name)
ui.foot("context_vector", probe.mixture)

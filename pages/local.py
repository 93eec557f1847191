"""Luong et al. 2015, section 3.2: look only near one place in the source, and learn which."""

import streamlit as st

from viz_core import analysis, attention, probe, ui
from viz_core.charts import comparison, local, local_formulas, side_by_side

EXAMPLES = [
    "I left my red umbrella in the kitchen.",
    "Two black dogs are running on the beach.",
    "The black dog didn't cross the street because it was tired.",
    "Yesterday I bought a small house near the river.",
]
LOCAL = ["rnn-local-p", "rnn-local-m"]
GLOBAL = ["rnn-general", "rnn-additive"]  # the first has the same score function

ui.header("local")
source = ui.english("English sentence", EXAMPLES[0], model="rnn-additive")
picture, stepping, controls = ui.picture(source), st.container(), st.container()
framed: tuple[str, ...] = ()  # the translation up to the word whose window is shown

with controls:
    first, second, third, fourth, fifth = st.columns(5, vertical_alignment="bottom")
    with first:
        name = ui.model(LOCAL)
        trained = float(ui.card(name).config["reach"])
    with second:
        reach = ui.slider("Reach D of the window", 1.0, 15.0, trained, "reach", step=0.5)
    with third:
        free = ui.toggle("Own σ (else D/2)", "free")
    with fourth:
        sigma = ui.slider("Width σ", 0.5, 15.0, trained / 2, "sigma", step=0.5, disabled=not free)
    with fifth:
        shift = ui.slider("Move p by", -10.0, 10.0, 0.0, "shift", step=0.5)
    ui.examples(EXAMPLES)
look = probe.Look(reach=reach, sigma=sigma if free else reach / 2)

with picture, ui.sentences():
    along = ui.run(probe.move, name, source, 0, 0.0, look).local.attention
    with stepping:
        surest = analysis.surest(along)[0]
        row = ui.stepper("Target word", along.queries, "step", start=surest)
        framed = along.words().queries[: along.query_words[row] + 1]
    ui.question(f"Where does the window stand for “{along.queries[row]}”?")
    found = ui.run(probe.move, name, source, row, shift, look)
    trace = found.local
    ui.quote(found.text)
    if (look.reach, look.sigma) != (trained, trained / 2):
        st.caption(f"As trained: {ui.escape(ui.translated(name, source).text)}")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        ui.show(local.window(trace, row, room=ui.room(3 / 5, lines=1)), "window")
    with right:
        ui.show(local.ridge(trace, row=row, room=ui.room(2 / 5, lines=1)), "ridge")
    with controls:
        left, right = st.columns([3, 2], gap="medium")
        with left:
            key = local_formulas.strongest(trace, row)
            st.markdown(f"**Look for** the product: {ui.escape(local.finding(trace, row))}.")
            ui.pieces([*along.queries, *along.keys])
            st.latex(local_formulas.centre(found))
            st.latex(local_formulas.weight(trace, row, key))
            st.markdown(f"{ui.escape(local_formulas.change(found))}.")
            if found.moved_text != found.text:
                st.markdown(f"Then it writes: **{ui.escape(found.moved_text)}**")
        with right:
            sides = {"p as predicted": found.before, "p moved": found.after}
            room = ui.room(2 / 5)
            ui.show(comparison.grouped(found.tokens, sides, "Next word", room=room), "next")

st.header("Two windows, and none", anchor=False)
with ui.sentences():
    french = ui.translated(name, source).text
    shown = [*ui.on_board(LOCAL), ui.on_board(GLOBAL)[0]]
    traces = {each: ui.run(probe.align, each, source, french).words().cross for each in shown}
    # With another D it may have said something else.
    place = len(framed) - 1 if framed and traces[name].queries[: len(framed)] == framed else 0
    ui.show(side_by_side.side_by_side(traces, columns=3, row=place, room=ui.room()), "windows")
    ui.not_yet([*LOCAL, GLOBAL[0]])
st.caption(
    f"Our models learned with D = {trained:g}: their sentences are short. The paper has D = 10."
)
ui.paper("Luong, Pham and Manning 2015, Effective Approaches, section 3.2, eq. 9 and 10.", name)
ui.foot("local", probe.local, attention.gaussian, attention.window_mask)

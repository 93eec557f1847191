"""Sutskever 2014 against Bahdanau 2015: a whole sentence in one vector, or a look at each word.

Not bottleneck.py: pandas imports a library of that name, and would find this page instead.
"""

import streamlit as st

from viz_core import probe, ui
from viz_core.charts import fading, lengths, local_formulas

EXAMPLES = [
    "The president opened the meeting this morning and thanked all the members of the committee "
    "for their good work on this important report.",
    "I want to thank all the members of the committee for their good work, and I hope that the "
    "European Parliament will vote for this report.",
    "I left my red umbrella in the kitchen.",
]
HOW = (
    "BLEU, from 0 to 100, says how near a translation is to a human one; higher is better. On "
    "Europarl sentences that the models have not seen; bands are 95% bootstrap intervals. "
    "Published, on other data: 17.82 without and 26.75 with attention (Bahdanau et al. 2015)."
)
MODELS = ui.WITH_AND_WITHOUT

ui.header("the_bottleneck")
source = ui.english("A long English sentence", EXAMPLES[0], model="rnn-additive")
picture, stepping = ui.picture(source), st.container()
controls, kept = st.container(), st.container()
there = ui.on_board(list(MODELS))
with controls:
    ui.examples(EXAMPLES)
    with stepping:
        ui.steps([{"text": sentence} for sentence in EXAMPLES])

with picture, ui.sentences():
    ui.question("What gets lost without attention?")
    left, right = st.columns([1, 1], gap="medium")
    with left:
        table = ui.compare_lengths()
        st.markdown(f"**Look for** the right end. {lengths.finding(table, *MODELS.values())}.")
    with right:
        st.markdown(f"{len(source.split())} English words, translated now:")
        for name in there:
            found = ui.translated(name, source)
            st.markdown(MODELS[name])
            ui.quote(found.text)
            ui.notices(found)
        ui.not_yet(list(MODELS))

with kept, ui.sentences():
    st.caption(HOW)
    st.header("What the last state still knows", anchor=False)
    st.markdown(
        "We blank out one word, read the sentence again, and see how much each state changes: the "
        "more it changes, the more it knows of that word. A full blue square: the state still "
        "knows as much of the word as when it was read. An empty one: the word is nearly forgotten."
    )
    drawn, choices = st.columns([11, 9], gap="medium"), st.container(horizontal=True)
    with choices:
        name = ui.model(there)
        reader = ui.choice("Reader", list(fading.ENDS), "reader", format=fading.ENDS.__getitem__)
    traces = {MODELS[each]: ui.run(probe.memory, each, source) for each in there}
    trace = traces[MODELS[name]]
    with drawn[0]:
        ui.show(fading.fading(trace, reader, room=ui.room(11 / 20)), "fading")
    with drawn[1]:
        ui.show(fading.rest(traces, room=ui.room(9 / 20)), "rest")
        for said in (fading.finding(trace, reader), fading.finding_of_rest(traces)):
            st.markdown(ui.escape(f"{said[:1].upper()}{said[1:]}."))
        st.latex(local_formulas.kept(trace, reader))
ui.paper("Sutskever et al. 2014; Cho et al. 2014; Bahdanau et al. 2015, figure 2.", there[-1])
ui.foot("the_bottleneck", probe.translate, probe.memory)

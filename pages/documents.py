"""Yang et al. 2016: which sentences of a review weigh, which words in them, and what it decides."""

from typing import Any

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import documents as told
from viz_core.charts import documents, last_state
from viz_core.models import han
from viz_core.text.document import sentences

MODEL, PLAIN = "han", "gru-last"
REVIEWS = {
    "praise, then a but": "I loved the first hour of this film. The photography is beautiful and "
    "the two leads are charming. Then the story falls apart. The last act is boring, predictable "
    "and far too long. My brother fell asleep next to me. I cannot recommend it.",
    "a slow start": "For twenty minutes I thought I had wasted my money. The opening is slow and "
    "the dialogue is awful. But stay with it! What follows is a superb thriller with a "
    "wonderful, moving performance by the old detective. We talked about it all the way home.",
    "facts, one opinion": "The film was shot in Hanoi in 1998. It tells of a fisherman and his "
    "two sons. The elder one leaves for the city. It runs for 94 minutes. It is excellent. The "
    "music was written by the director himself.",
    "not bad": "This is not a bad film. It is not a great one either. The jokes are not funny, "
    "but the cast is not without charm. I did not hate it.",
}


def toggle(point: dict[str, Any]) -> None:
    """A click leaves a sentence out, a second one takes it in again."""
    number, out = int(point["number"]) + 1, list(st.session_state.get("out", []))
    st.session_state["out"] = sorted({*out} ^ {number})


ui.header("documents")
picture, stepping, controls = ui.picture(), st.container(), st.container()
with controls:
    ui.presets("Reviews", {name: {"review": REVIEWS[name], "out": []} for name in REVIEWS}, "which")
    review = ui.paragraph("Your review: edit any of it", REVIEWS["praise, then a but"], "review")
    with stepping:
        step = ui.stepper("Step", documents.STEPS, "step", at_end=True)

if ui.trained(MODEL, "the sentences and words of a review, shaded by their weight"):
    card = ui.card(MODEL)
    with picture, ui.sentences():
        ui.question("Positive or negative? Which sentence will weigh most?", review)
        with controls:
            numbers = list(range(1, min(len(sentences(review)), documents.MOST) + 1))
            out = ui.several("Left out", numbers, "out", default=[]) if numbers else []
        without = tuple(number - 1 for number in out)
        trace = ui.run(probe.document, MODEL, review, without)
        chart = documents.review(trace, step, room=ui.room())
        ui.show(chart, f"review {step} {without} {hash(review)}", select="row", choose=toggle)
        with controls:
            if strange := told.strange(trace, review):
                ui.warn(ui.escape(strange))
            if told.denies(trace):
                st.warning(f"{told.negation(card.measured['negation'])}.")
            said = ui.escape(f"{told.finding(trace)}. {told.tested(trace)}.")
            st.markdown(f"**Look for** the most orange sentence. {said}{told.click(trace)}")
            if unread := told.unread(trace):
                st.caption(ui.escape(unread))
            ui.formulas(documents.formulas(trace))
            st.header("The last state in place of the weighted sum", anchor=False)
            st.markdown(
                "Without attention one state must carry the whole review to its end. Watch how far "
                "the last sentence moves it."
            )
            if ui.trained(PLAIN, "the verdict of a plain GRU after each word"):
                running = ui.run(probe.last_state, PLAIN, review, without)
                ui.show(last_state.running(running, trace, room=ui.room()), "running")
                st.markdown(f"{ui.escape(told.beside(trace, running))}.")
                both = [ui.card(name).metrics["IMDB test"]["accuracy"] for name in (MODEL, PLAIN)]
                st.markdown(f"{told.compared(*both)}.")
    st.header("Does the heaviest sentence decide?", anchor=False)
    st.markdown(f"{told.deletion(card.measured['deletions'])}. {told.PUBLISHED}")
    st.markdown(f"{told.negation(card.measured['negation'])}.")
    st.caption(card.notes)
    ui.paper("Yang et al. 2016, Hierarchical Attention Networks, section 2.2.", MODEL)
ui.foot("documents", probe.document, han.Attention, probe.last_state)

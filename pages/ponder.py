"""Dehghani et al. 2019: one block used again and again, until each sentence is thought over."""

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import ponder as told
from viz_core.atlas.examples import FOOTBALL, STORIES
from viz_core.charts import ponder
from viz_core.models import universal
from viz_core.text.stories import read_story

MODEL = "universal"

ui.header("ponder")
left, right = st.columns([3, 2])
with left:
    story = ui.paragraph("A story of small facts", FOOTBALL, "story", most=10**6)
with right:
    text = ui.text("Question", "Where is the football?", most=10**6)
picture, stepping, controls = ui.picture(text), st.container(), st.container()
with controls:
    ui.presets("Stories", STORIES, "example")

if ui.trained(MODEL, "a story thought over step by step"):
    card = ui.card(MODEL)
    with picture, ui.sentences():
        notice = told.strange(text, card.measured[told.FORMS])
        if notice:
            st.warning(ui.escape(notice))
        trace = ui.run(probe.ponder, MODEL, read_story(story), text)
        names = [f"{step + 1}" for step in range(trace.thought)]
        with stepping:
            step = ui.stepper("Step of thought", names, "step", at_end=True)
        ui.question("Which fact will it look at, and what will it answer?", text)
        with controls:
            head = ui.one_head(card.config["heads"])
        chart = ponder.thinking(trace, head, until=step, room=ui.room())
        ui.show(chart, f"thinking {step}")
        if step == trace.thought - 1:
            with controls:
                st.markdown(
                    "**Look for** the blue squares from left to right. "
                    f"{ui.escape(told.finding(trace, head))}. {ui.escape(told.longest(trace))}."
                )
                st.latex(told.halting_formula(trace))
    with st.expander("The words it knows"):
        st.markdown(", ".join(sorted(ui.bundle(MODEL).tokenizer.vocabulary)))
    st.header("Held-out stories, by task", anchor=False)
    ui.show(ponder.by_task(card.measured[told.PONDERED], room=ui.room()), "tasks")
    st.markdown(told.by_facts(card))
    st.caption(card.notes)
    ui.paper(
        "Dehghani et al. 2019, Universal Transformers; Graves 2016, Adaptive Computation Time.",
        MODEL,
    )
ui.foot("ponder", probe.ponder, universal.halted, universal.Universal.block)

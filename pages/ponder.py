"""Dehghani et al. 2019: one block used again and again, until each sentence is thought over."""

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import ponder as told
from viz_core.charts import ponder
from viz_core.models import universal
from viz_core.text.stories import read_story

MODEL = "universal"
FOOTBALL = (
    "Mary moved to the bathroom. Sandra journeyed to the bedroom. Mary got the football there. "
    "John went to the kitchen. Mary went back to the kitchen. Mary went back to the garden."
)
STORIES = {
    "two facts": {"story": FOOTBALL, "text": "Where is the football?"},
    "one fact": {
        "story": "Mary moved to the bathroom. John went to the hallway. Daniel went back to the "
        "hallway. Sandra moved to the garden.",
        "text": "Where is Daniel?",
    },
    "three facts": {
        "story": "Daniel picked up the milk. Daniel went to the office. John moved to the bedroom. "
        "Daniel journeyed to the kitchen. Daniel discarded the milk.",
        "text": "Where was the milk before the kitchen?",
    },
    "deduction": {
        "story": "Mice are afraid of wolves. Gertrude is a mouse. Cats are afraid of sheep. "
        "Winona is a cat. Sheep are afraid of wolves.",
        "text": "What is Gertrude afraid of?",
    },
    "counting": {
        "story": "Mary took the football there. John went to the hallway. Mary picked up the "
        "apple there. Mary dropped the football.",
        "text": "How many objects is Mary carrying?",
    },
    "motivation": {
        "story": "Sumit is tired. Jason is thirsty. Yann is bored.",
        "text": "Where will Jason go?",
    },
}

ui.header("ponder")
left, right = st.columns([3, 2])
with left:
    story = ui.paragraph("A story of small facts", FOOTBALL, "story")
with right:
    text = ui.text("Question", "Where is the football?")
picture, stepping, controls = ui.picture(text), st.container(), st.container()
with controls:
    ui.presets("Stories", STORIES, "example")

if ui.trained(MODEL, "a story thought over step by step"):
    card = ui.card(MODEL)
    with picture, ui.sentences():
        trace = ui.run(probe.ponder, MODEL, read_story(story), text)
        names = [f"{step + 1}" for step in range(trace.thought)]
        with stepping:
            step = ui.stepper("Step of thought", names, "step", at_end=True)
        ui.question("Which fact will it look at, and what will it answer?", text)
        notice = told.strange(text, card.measured[told.FORMS])
        if notice:
            st.warning(ui.escape(notice))
        with controls:
            heads = ["mean", *(str(head + 1) for head in range(card.config["heads"]))]
            chosen = ui.choice("Head", heads, "head")
            head = None if chosen == heads[0] else int(chosen) - 1
        chart = ponder.thinking(trace, head, until=step, room=ui.room())
        ui.show(chart, f"thinking {step}")
        if step == trace.thought - 1:
            with controls:
                st.markdown(
                    "**Look for** the blue squares from left to right. "
                    f"{ui.escape(told.finding(trace, head))}. {ui.escape(told.longest(trace))}."
                )
                st.latex(told.halting_formula(trace))
    st.header("Held-out stories, by task", anchor=False)
    ui.show(ponder.by_task(card.measured[told.PONDERED], room=ui.room()), "tasks")
    st.markdown(told.by_facts(card))
    st.caption(card.notes)
    ui.paper(
        "Dehghani et al. 2019, Universal Transformers; Graves 2016, Adaptive Computation Time.",
        MODEL,
    )
ui.foot("ponder", probe.ponder, universal.halted, universal.Universal.block)

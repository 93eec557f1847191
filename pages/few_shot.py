"""Mishra et al. 2018: five characters that were never seen before, and a sixth to be named."""

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import few_shot as told
from viz_core.charts import few_shot
from viz_core.models import snail

MODEL = "snail"
DRAW = "my own drawing"
ASKED = [*(f"another {letter}" for letter in told.LETTERS), DRAW]
BLOCKS = sum(kind == snail.ATTENTION for kind in snail.SnailConfig().blocks)


def drawn(ink: str) -> None:
    """A new drawing is asked for at once."""
    st.session_state.update({"ink": ink, "asked": DRAW})


ui.header("few_shot")
if ui.trained(MODEL, "five new characters, and what a sixth looks at among them"):
    card, kept = ui.bundle(MODEL).card, ui.run(probe.kept_drawings, MODEL)
    picture, stepping, controls = ui.picture(), st.container(), st.container()
    with controls:
        left, right = st.columns([3, 1], gap="medium")
        with left:
            alphabet = ui.choice(
                "Alphabet", [*kept, told.MIXED], "alphabet", format=told.name_of
            )  # fmt: skip
            shots = ui.choice("Examples of each", [1, 3, 5], "shots")
            number = ui.slider("Episode: other characters, other labels", 1, 40, 1, "episode")
            asked = ui.choice("The question", ASKED, "asked")
        with right:
            st.markdown("**Draw one of the five,** large, with mouse, pen or finger:")
            canvas = st.container()
        with st.expander("Your drawing as text"):
            ink = ui.text("A letter for six pixels", "", "ink")
        with canvas:
            ui.canvas(ink, "canvas", drawn)
    with picture, ui.sentences():
        made = told.episode(kept, alphabet, number, shots)
        wanted = None if asked == DRAW else ASKED.index(asked)
        if asked == DRAW and not ink.strip():
            st.info("There is no stroke yet: draw one of the five. Until then another A is asked.")
            wanted = 0
        question = ink if wanted is None else made.questions[wanted]
        with stepping:
            names = [f"attention block {block + 1}" for block in range(BLOCKS)]
            block = ui.stepper("Look at", names, "block", start=1)
        ui.question("Which of the five is it? And which example decides?")
        trace = ui.run(probe.drawn_few_shot, MODEL, made.examples, made.labels, question)
        chart = few_shot.episode(trace, block, wanted, room=ui.room())
        ui.show(chart, f"episode {block}")
        with controls:
            st.markdown(
                "**Look for** the example with the longest blue bar, its weight; orange is what "
                f"the model says. {told.finding(trace, block)}. {told.found(card)} No weight "
                "of the model changes: it has learned to look, not these characters."
            )
            st.latex(few_shot.formula(trace, block))
    rows = told.compared(card)
    if rows:
        st.header("What attention and convolutions add", anchor=False)
        ui.show(few_shot.comparison(rows, room=ui.room()), "comparison")
        st.markdown(told.comparison(card))
    st.caption(f"{card.notes} On alphabets it never saw: {told.accuracies(card)}.")
    ui.paper("Mishra et al. 2018, A Simple Neural Attentive Meta-Learner, section 3.", MODEL)
ui.foot("few_shot", probe.few_shot, snail.AttentionBlock, snail.DenseBlock)

"""Vaswani et al. 2017, section 3.2.2: a matrix split into heads and merged, number by number."""

import streamlit as st

from viz_core import attention, by_hand, probe, ui
from viz_core.analysis import split as told
from viz_core.by_hand.numbers import name_rows, read_matrix
from viz_core.charts import split, split_by_hand

EXAMPLES = ["I am a student.", "The animal didn't cross the street because it was too tired."]
MODEL = "transformer"
VIEWS = {"real": "A trained model", "hand": "Two heads by hand"}
PLAIN, MIXED = split_by_hand.PICKING, split_by_hand.MIXING

ui.header("split")
box, which = st.columns([13, 8])
with which:
    view = ui.choice("View", list(VIEWS), "view", format=VIEWS.__getitem__)
with box:
    real = view == "real"
    source = (
        ui.english("English sentence", EXAMPLES[0])
        if real
        else ui.text("Words", "I love you", "words")
    )
picture, stepping, controls = ui.picture(source), st.container(), st.container()

if real:
    with controls:
        ui.examples(EXAMPLES)
        layers = ui.card(MODEL).config["encoder_layers"]
        layer = ui.choice("Layer of the encoder", range(1, layers + 1), "layer")
    with picture, ui.sentences():
        trace = ui.run(probe.split_heads, MODEL, source, layer - 1)
        with stepping:
            step = ui.stepper("Step", told.STEPS, "step", at_end=True)
        ui.question(f"Where are the numbers after this step: {told.STEPS[step]}?")
        ui.show(split.split(trace, step, room=ui.room()), "split")
        controls.markdown(
            "**Look for** a number that keeps its place: tap or hover it. Blue is above zero, "
            f"orange below. {told.finding(trace)}. In memory no number moves before the join; only "
            "the way of counting changes:"
        )
        controls.latex(told.formula(trace))
        with controls:
            ui.pieces(trace.tokens)
else:
    with controls:
        ui.presets("Matrices of the heads", {"a split only": PLAIN, "mixed": MIXED}, "preset")
        with stepping:
            ui.steps([PLAIN, PLAIN | MIXED])
        texts = ui.matrix_columns(split_by_hand.EXAMPLE)
        a, wo = texts.pop("a"), texts.pop("wo")
    with picture, ui.sentences():
        ui.question("What does each head get of q, and what comes out in the end?")
        weights = {key: read_matrix(text, key.capitalize()) for key, text in texts.items()}
        whole, *heads = ([weights[f"w{of}{head}"] for of in "qkv"] for head in ("", 1, 2))
        inputs = read_matrix(a, "a")
        tokens = name_rows(source, len(inputs))
        found = by_hand.split_heads(tokens, inputs, whole, heads, read_matrix(wo, "W_O"))
        queries = [head[0] for head in heads]
        ui.show(split_by_hand.by_hand(found, whole[0], queries, scale=ui.scale()), "hand")
        controls.markdown(
            f"**Look for** one row: {ui.escape(split_by_hand.finding(found))}. With ones and zeros "
            "in the matrices of the heads they only pick numbers: a split, nothing more. Here a "
            "word is a row, its matrix stands to its right; in the formulas it is a column:"
        )
        controls.latex(
            r"q^{i,1} = W^{q,1} q^i, \quad q^{i,2} = W^{q,2} q^i, \quad b^i = W_O \left[ b^{i,1}; "
            r"b^{i,2} \right], \qquad W^{q,1} (W^q a^i) = (W^{q,1} W^q)\, a^i"
        )
ui.paper("Vaswani et al. 2017, Attention Is All You Need, section 3.2.2.", MODEL)
ui.foot("split", attention.MultiHead, probe.split_heads, by_hand.split_heads)

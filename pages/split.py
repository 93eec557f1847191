"""Vaswani et al. 2017, section 3.2.2: a matrix split into heads and merged, number by number."""

import streamlit as st

from viz_core import attention, by_hand, probe, ui
from viz_core.analysis import split as told
from viz_core.by_hand.numbers import name_rows, read_matrix
from viz_core.charts import split, split_by_hand

EXAMPLES = ["I am a student.", "The animal didn't cross the street because it was too tired."]
MODEL = "transformer"
VIEWS = {"real": "A trained model", "hand": "Two heads by hand"}
A, WO = "1 0 1 0; 0 2 0 2; 1 1 1 1", "1 0 0 1; 0 1 1 0; 1 0 0 0; 0 1 0 1"
LETTERS = ("q", "k", "v")
WHOLE = (
    "1 0 0 1; 0 1 1 0; 1 0 1 0; 0 1 0 1",
    "0 1 0 0; 1 0 0 1; 0 1 1 0; 1 0 1 0",
    "1 0 2 0; 0 1 0 1; 1 1 0 0; 0 0 1 2",
)
FIRST, SECOND = "1 0; 0 1; 0 0; 0 0", "0 0; 0 0; 1 0; 0 1"
MIXED = {"wq1": "1 0; 0 1; 1 0; 0 0", "wq2": "0 1; 1 0; 0 1; 1 0", "wk2": "1 1; 0 0; 0 1; 1 0"}
PLAIN = {f"w{letter}{head}": (FIRST, SECOND)[head - 1] for letter in LETTERS for head in (1, 2)}

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
        width, (first, second, third) = trace.strides[0], trace.split_strides
        controls.markdown(
            "**Look for** a number that keeps its place: tap or hover it. Blue is above zero, "
            f"orange below. {told.finding(trace)}. In memory no number moves before the join; only "
            "the way of counting changes:"
        )
        controls.latex(
            rf"Q[i, c] \text{{ at }} {width} i + c \quad=\quad Q[h, i, j] \text{{ at }} "
            rf"{first} h + {second} i + {third} j, \qquad c = {first} h + j"
        )
else:
    with controls:
        ui.presets("Matrices of the heads", {"a split only": PLAIN, "mixed": MIXED}, "preset")
        with stepping:
            ui.steps([PLAIN, PLAIN | MIXED])
        texts = {}
        left, *others = st.columns(4)
        with left:
            a, wo = ui.matrix("a", A, "a"), ui.matrix("W_O", WO, "wo")
        for column, letter, whole in zip(others, LETTERS, WHOLE, strict=True):
            with column:
                texts[letter] = ui.matrix(f"W{letter}", whole, f"w{letter}")
                for head, start in ((1, FIRST), (2, SECOND)):
                    name = f"{letter}{head}"
                    texts[name] = ui.matrix(f"W{name}", start, f"w{name}")
    with picture, ui.sentences():
        ui.question("What does each head get of q, and what comes out in the end?")
        weights = {name: read_matrix(text, f"W{name}") for name, text in texts.items()}
        per_head = [[weights[f"{letter}{head}"] for letter in LETTERS] for head in (1, 2)]
        inputs = read_matrix(a, "a")
        tokens = name_rows(source, len(inputs))
        three = [weights[letter] for letter in LETTERS]
        found = by_hand.split_heads(tokens, inputs, three, per_head, read_matrix(wo, "W_O"))
        own = [weights["q1"], weights["q2"]]
        drawn = split_by_hand.by_hand(found, weights["q"], own, scale=ui.scale())
        ui.show(drawn, "hand")
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

"""Vaswani et al. 2017, eq. 1, by hand: three words, small numbers, every step to the outputs."""

import streamlit as st

from viz_core import by_hand, probe, ui
from viz_core.by_hand import numbers as typed_numbers
from viz_core.charts import numbers as kept, self_attention

X = "1 0 1 0; 0 2 0 2; 1 1 1 1"
HEADS = [  # Wq, Wk and Wv of each head
    ("1 0 1; 1 0 0; 0 0 1; 0 1 1", "0 0 1; 1 1 0; 0 1 0; 1 1 0", "0 2 0; 0 3 0; 1 0 3; 1 1 0"),
    ("1 0 0; 0 1 0; 0 0 1; 0 0 0", "1 0 0; 0 1 0; 0 0 1; 0 0 0", "1 0 0; 0 1 0; 0 0 1; 0 0 0"),
]
WO = "1 0 0 0; 0 1 0 0; 0 0 1 0; 1 0 0 0; 0 1 0 0; 0 0 0 1"
NAMES = ("Wq", "Wk", "Wv")
STEPS = ["inputs", "queries", "keys", "values", "scores", "scaled", "weights", "outputs"]
PARTS = ["Formulas", "Numbers", "Shuffle the words", "Trained model"]
MODEL = "transformer"

ui.header("self_attention")
picture, controls = ui.picture(), st.container()

with controls:
    step = ui.stepper("Step", STEPS, "step", at_end=True)
    first, second, third, fourth = st.columns(4, vertical_alignment="bottom")
    with first:
        options = {"scaled": ui.toggle("Divide scores by √n", "scaled", True)}
    with second:
        options["masked"] = ui.toggle("Mask the words to come", "masked")
    with third:
        count = ui.choice("Heads", [1, 2], "heads")
    with fourth:
        shown = ui.choice("Head shown", [1, 2], "head") - 1 if count == 2 else 0
    formulas, numbers, order, trained = ui.tabs(PARTS, "part")
    with numbers:
        words = ui.text("Words", "I love you")
        left, *others = st.columns(4)
        with left:
            x = ui.matrix("x", X, "x")
            wo = ui.matrix("Wo", WO, "wo") if count == 2 else ""
        texts: list[list[str]] = [[] for _ in HEADS[:count]]
        for number, defaults in enumerate(HEADS[:count]):
            for column, name, default in zip(others, NAMES, defaults, strict=True):
                with column:
                    key = f"{name.lower()}{number + 1}"
                    texts[number].append(ui.matrix(f"{name} of head {number + 1}", default, key))

with picture, ui.sentences():
    ui.question(f"Which numbers come next, as {STEPS[step]}?", words)
    inputs = typed_numbers.read_matrix(x, "x")
    tokens = typed_numbers.name_rows(words, len(inputs))
    weights = [list(map(typed_numbers.read_matrix, three, NAMES)) for three in texts]
    heads = [by_hand.self_attention(tokens, inputs, three, **options) for three in weights]
    drawn = self_attention.head(heads[shown], weights[shown], until=step + 1, scale=ui.scale())
    ui.show(drawn, "steps", numbers=lambda: kept.steps(heads[shown]))
    if count == 2 and step == len(STEPS) - 1:
        mixed = by_hand.mix(heads, typed_numbers.read_matrix(wo, "Wo"))
        ui.show(self_attention.mixed(mixed, scale=ui.scale()), "mixed")
    with formulas:
        st.markdown(
            f"**Look for** the heaviest weight: {ui.escape(self_attention.finding(heads[shown]))}. "
            "Blue is above zero, orange below."
        )
        row = ui.choice("Formulas for", range(len(tokens)), "row", format=ui.numbered(tokens))
        ui.formulas(self_attention.formulas(heads[shown], row))
    with order:
        way = by_hand.shuffled(tokens, ui.slider("Shuffle number", 1, 20, 1, "shuffle"))
        places = by_hand.positions(*inputs.shape) * ui.toggle("Add positions to x", "placed")
        before, after = by_hand.attended_in_two_orders(
            tokens, inputs, weights[shown], way, places, **options
        )
        st.markdown(f"**{self_attention.finding_of_shuffle(before, after, way)}.**")
        ui.show(self_attention.shuffled(before, after, way, scale=ui.scale()), "shuffled")

if trained.open:
    with trained, ui.sentences():
        sentence = ui.english("English sentence", "The cat is very tired.", "sentence")
        config = ui.card(MODEL).config
        layer = ui.choice("Layer", range(1, config["encoder_layers"] + 1), "layer")
        which = ui.choice("Head", range(1, config["heads"] + 1), "which")
        trace = ui.run(probe.vectors, MODEL, sentence, layer - 1, which - 1)
        drawn = self_attention.head(trace, dims=4, brief=True, scale=ui.scale())
        if self_attention.notice(trace):
            st.info(self_attention.notice(trace))
        ui.show(drawn, "vectors", numbers=lambda: kept.steps(trace))
ui.paper("Vaswani et al. 2017, Attention Is All You Need, section 3.2 and equation 1.", MODEL)
ui.foot("self_attention", by_hand.self_attention, by_hand.mix)

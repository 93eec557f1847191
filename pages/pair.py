"""Devlin et al. 2019: does the second sentence follow the first? Asked of [CLS] alone."""

import math

import streamlit as st

from viz_core import probe, ui
from viz_core.charts import bars, heads, numbers

STORE = "The man went to the store."
EXAMPLES = {
    "true: milk": {"text": STORE, "pair": "He bought a gallon of milk."},
    "random: penguins": {"text": STORE, "pair": "Penguins are flightless birds."},
    "true: silence": {
        "text": "She knocked at the door and waited.",
        "pair": "Nobody answered, so she went away.",
    },
    "random: treaty": {
        "text": "She knocked at the door and waited.",
        "pair": "The treaty was signed by seven nations.",
    },
}
NAME = "bert-mini"

ui.header("pair")
first, second = st.columns(2)
with first:
    text = ui.english("First sentence", STORE, model=NAME)
with second:
    pair = ui.english("Second sentence", EXAMPLES["true: milk"]["pair"], "pair", NAME)
picture, stepping, controls = ui.picture(f"{text} {pair}"), st.container(), st.container()

with controls:
    ui.presets("True partners, and random ones", EXAMPLES, "example")
    layer, lit = ui.lines_of(NAME, stepping)

with picture, ui.sentences():
    ui.question("Does the second sentence follow the first?")
    chance = ui.run(probe.next_sentence, NAME, text, pair)
    margin = math.log(max(chance, 1e-9) / max(1 - chance, 1e-9))
    trace = ui.run(probe.encode, NAME, text, pair.strip() or None).words()
    left, right = st.columns([4, 6], gap="large")
    with left:
        labels, values = ["it follows", "it does not"], [chance, 1 - chance]
        ui.show(bars.bars(labels, values, "Probability", room=ui.room(2 / 5)), "chances")
        st.latex(
            r"\begin{aligned} P &= \sigma(z_{\mathrm{next}} - z_{\mathrm{other}}) \\"
            rf"&= \sigma({margin:.2f}) = {chance:.3f} \end{{aligned}}"
        )
        others = {
            name: ui.run(probe.next_sentence, NAME, example["text"], example["pair"])
            for name, example in EXAMPLES.items()
        }
        chart = bars.bars(list(others), list(others.values()), "The examples", room=ui.room(2 / 5))
        ui.show(chart, "examples")
    with right:
        view = heads.head_view(
            trace,
            layer,
            range(trace.heads),
            lit=lit,
            threshold=0.08,
            focus=0,
            room=ui.room(3 / 5),
        )
        ui.show(view, "lines", numbers=lambda: numbers.attention(trace, [layer]))
    st.markdown(
        "**Look for** the lines of [CLS]: the answer is read from this one token, so all it knows "
        "of the second sentence came along such lines, in this layer and the ones before."
    )
ui.paper("Devlin et al. 2019, BERT, section 3.1, task 2.", NAME)
ui.foot("pair", probe.next_sentence)

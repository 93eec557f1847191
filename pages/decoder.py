"""The decoder, one time step after the other: the triangle grows by one row a step."""

import streamlit as st

from viz_core import probe, ui
from viz_core.charts import bars, matrix

EXAMPLES = [
    "I am a student.",
    "You are welcome.",
    "The animal didn't cross the street because it was too tired.",
]
RIGHT = {"I am a student.": "Je suis étudiant.", "You are welcome.": "De rien."}
NAME = "transformer"

ui.header("decoder")
source = ui.text("English sentence", EXAMPLES[0])
picture, controls, training = ui.picture(), st.container(), st.container()

with controls, ui.sentences():
    ui.examples(EXAMPLES)
    found = ui.translation(NAME, source)
    step = ui.stepper("Step", found.target, "step", at_end=True)
    first, second = st.columns(2)
    with first:
        layers = list(range(1, found.cross.layers + 1))
        layer = ui.choice("Layer", layers, "layer", default=layers[-1]) - 1
    with second:
        names = ["mean", *map(str, range(1, found.cross.heads + 1))]
        head = ui.choice("Head", names, "head")

with picture, ui.sentences():
    ui.question("Which French word comes next, and where does the decoder look for it?", source)
    found = ui.translation(NAME, source)
    number = None if head == "mean" else int(head) - 1
    cross = found.cross.until(step + 1)
    ui.quote(" ".join(cross.words().queries))
    ui.notices(found)
    left, middle, right = st.columns(3)
    with left:
        st.markdown("**Masked self-attention**: only what is written already")
        assert found.decoder is not None  # the Transformer always has one
        own = found.decoder.until(step + 1)
        ui.show(matrix.matrix(own, layer, number, highlight_row=step, bars=False), "own")
    with middle:
        st.markdown("**Cross-attention** of the word being written")
        ui.show(matrix.matrix(cross, layer, number, highlight_row=step, bars=False), "cross")
    with right:
        st.markdown("**Next word**")
        guess = found.predictions[step]
        ui.show(bars.bars(guess.tokens, guess.probabilities), "next")

with training, ui.sentences():
    st.header("Training against inference", anchor=False)
    st.markdown(
        "In **training** the decoder reads the right words, shifted by one, all at once; the mask "
        "hides the future. In **inference** it reads its own words, one step at a time."
    )
    box = "The right French, as training would give it; left empty, "
    target = ui.text(box + "what the model says itself", "", "target")
    wanted = target if target.strip() else RIGHT.get(source.strip(), found.text)
    forced = ui.aligned(NAME, source, wanted)
    st.dataframe(
        {
            "training reads": ["<s>", *forced.target[:-1]],
            "and must say": forced.target,
            "probability": [round(value, 3) for value in forced.probabilities],
            "would have said": [guess.tokens[0] for guess in forced.predictions],
        },
        hide_index=True,
        key="shifted",
    )
    st.markdown("The masks: which keys a query may see (blue), in the decoder and past the end.")
    ui.show(matrix.matrices(probe.masks(found.target)), "masks")
ui.paper("Vaswani et al. 2017, section 3.1; Alammar 2018, The Illustrated Transformer.", NAME)

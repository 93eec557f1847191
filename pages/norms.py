"""Ba et al. 2016 beside Ioffe and Szegedy 2015: which numbers share a mean?"""

import numpy as np
import streamlit as st

from viz_core import by_hand, ui
from viz_core.by_hand import numbers as typed_numbers
from viz_core.charts import norms

VALUES = "1 2 3 4; 2 4 6 8; 9 1 1 1"
EXAMPLES = {
    "three words": {"values": VALUES, "text": "I love you"},
    "a batch of one": {"values": "1 2 3 4", "text": "I"},
    "one loud word": {"values": "1 2 3 4; 2 4 6 8; 90 10 10 10", "text": "I love YOU"},
    "equal rows": {"values": "1 2 3 4; 1 2 3 4; 1 2 3 4", "text": "no no no"},
}

ui.header("norms")
picture, stepping, controls = ui.picture(), st.container(), st.container()

with controls:
    ui.presets("Examples", EXAMPLES, "example")
    with stepping:
        ui.steps(list(EXAMPLES.values()))
    first, second = st.columns(2)
    with first:
        values_text = ui.matrix("Numbers", VALUES, "values")
    with second:
        names = ui.text("Rows", "I love you")

with picture, ui.sentences():
    ui.question("What is left of each row: measured by itself, and by its columns?", names)
    values = typed_numbers.read_matrix(values_text, "Numbers")
    rows = typed_numbers.name_rows(names, len(values), "the matrix")
    layer, batch = by_hand.layer_norm(values), by_hand.batch_norm(values)
    ui.show(norms.norms(values, layer, batch, rows, scale=ui.scale()), "norms")
    st.latex(r"\hat x = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}}, \qquad \epsilon = 10^{-5}")
    if len(values) > 1:
        alone = [norm(values[:1])[0] for norm in (by_hand.layer_norm, by_hand.batch_norm)]
        changes = [
            np.abs(one - full[0]).max() for one, full in zip(alone, (layer, batch), strict=True)
        ]
        told = (
            "A translator meets one sentence at a time: layer norm treats it as it did in training."
            if changes[1] >= 0.005
            else "Batch norm asks how a row differs from the others; this one does not."
        )
        st.markdown(
            f"**Look for** what happens to {ui.escape(rows[0])} when it is alone in the batch: "
            f"layer norm changes it by {changes[0]:.2f}, batch norm by up to {changes[1]:.2f}. "
            f"{told} Blue is above zero, orange below."
        )
    else:
        st.markdown(
            "**Look for** the zeros: in a batch of one every number is its own mean, so batch norm "
            "leaves nothing of it."
        )
st.caption(
    "Ba, Kiros and Hinton 2016, Layer Normalization; Ioffe and Szegedy 2015, Batch Normalization, "
    "as it is in training. Both then scale and shift by learned numbers, here 1 and 0."
)
ui.foot("norms", by_hand.layer_norm, by_hand.batch_norm)

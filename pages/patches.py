"""Dosovitskiy et al. 2021, An Image is Worth 16x16 Words: patches that attend to each other."""

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import patches as told
from viz_core.charts import bars, patches
from viz_core.models.vit import Block
from viz_core.traces.photo import shuffled, squared

MODEL = "vit"
EXAMPLES = {
    "a shape of a horse": {"photo": "horse", "seed": 0},
    "a cat, from too near": {"photo": "cat", "seed": 0},
    "patches shuffled": {"photo": "horse", "seed": 3},
}

ui.header("patches")
if not ui.trained(MODEL, "a picture read in patches"):
    st.stop()
card = ui.card(MODEL)
grid, layers = card.config["grid"], ["all", *map(str, range(1, card.config["layers"] + 1))]
picture, stepping = ui.picture(), st.container()
controls, details = st.container(), st.container()
with controls:
    wanted = ui.photograph("horse")
    left, middle, right, last = st.columns(4)
    with left:
        layer = ui.choice("Layer", layers, "layer")
    with middle:
        row = ui.slider("Who looks: row (0: [class])", 0, grid, 0, "row")
    with right:
        column = ui.slider("Column of the patch", 1, grid, 4, "column")
    with last:
        seed = ui.slider("Shuffle the patches (0: no)", 0, 9, 0, "seed")
    ui.presets("Examples", EXAMPLES, "example")

with picture, ui.sentences():
    small = squared(ui.opened(wanted).photo, card.config["side"])
    seen = shuffled(small, grid, seed)
    query = 0 if row == 0 else 1 + (row - 1) * grid + column - 1
    ui.question("Where on the picture do the heads look, and what do they take it for?")
    trace = ui.run(probe.look, MODEL, seen)
    which = None if layer == "all" else int(layer) - 1
    ui.show(patches.heads(seen, trace, query, layer=which, room=ui.room()), "heads")
    with stepping:
        ui.steps([{"layer": each} for each in layers])
    with details:
        st.markdown(
            f"**Look for** heads that look near by and heads that look everywhere. "
            f"{told.finding(trace, query)}. Taken for: {told.answer(trace)}."
        )
        st.markdown(
            f"The model sees {small.width} x {small.height} pixels in {grid**2} patches, and "
            f"[class] collects what names the picture, as one of {len(trace.labels)} kinds of "
            "things: people are not among them. Every map is bright at its own largest weight, "
            "written below it."
        )
        half, other = st.columns(2, gap="large")
        with half:
            st.header("What it is taken for", anchor=False)
            chances = trace.probabilities.tolist()
            ui.show(bars.bars(trace.labels, chances, room=ui.room(0.5)), "labels")
            if seed:
                before = ui.run(probe.look, MODEL, small)
                st.markdown(f"{told.after_shuffling(before, trace)}.")
        with other:
            st.header("Where each patch thinks it is", anchor=False)
            cosines = ui.run(probe.patch_positions, MODEL)
            ui.show(patches.alike(cosines, grid, room=ui.room(0.5)), "places")
            st.markdown(f"Nobody told it what lies where. {told.nearness(cosines, grid)}.")
        st.latex(patches.formula(trace, query, card.config["width"] // card.config["heads"]))
st.caption(f"{card.notes} {told.quality(card.metrics)}")
ui.paper("Dosovitskiy et al. 2021, An Image is Worth 16x16 Words, figures 1, 6 and 7.", MODEL)
ui.foot("patches", probe.look, Block)

"""Every attention of the Transformer: three kinds, all layers, all heads."""

import streamlit as st

from viz_core import analysis, ui
from viz_core.charts import heads, matrix, overview

EXAMPLES = [
    "The animal didn't cross the street because it was too tired.",
    "She bought a red car last week and it was very expensive.",
    "It is in this spirit that a majority of American governments have passed new laws.",
    "The Law will never be perfect, but its application should be just.",
    "I am a student.",
]
NAME = "transformer"
KINDS = {"encoder": "encoder self", "decoder": "decoder masked self", "cross": "cross"}

ui.header("Every head", "All that the Transformer looks at while it reads and writes.")
source = ui.text("English sentence", EXAMPLES[0])
picture, controls = st.container(), st.container()

with controls:
    ui.examples(EXAMPLES)
    first, second, third = st.columns([3, 2, 2])
    with first:
        kind = ui.choice("Attention", list(KINDS), "kind", format=KINDS.__getitem__)
    with second:
        view = ui.choice("View", ["lines", "matrix"], "view")
    with third:
        level = ui.choice("Level", ["words", "sub-words"], "level")
    config = ui.card(NAME).config
    depth = config["encoder_layers" if kind == "encoder" else "decoder_layers"]
    first, second, third = st.columns([3, 3, 2])
    with first:
        layer = ui.choice("Layer", list(range(1, depth + 1)), "layer", default=depth) - 1
    with second:
        chosen = ui.several("Heads", list(range(1, config["heads"] + 1)), "heads")
    with third:
        threshold = ui.slider("Hide lines below", 0.0, 0.9, 0.2, "threshold")
    summary = ui.choice("Sum up", ["heads", "mean of heads", "rollout"], "summary")

with picture, ui.sentences():
    found = ui.translation(NAME, source)
    ui.quote(found.text)
    ui.notices(found)
    trace = getattr(found, kind).words() if level == "words" else getattr(found, kind)
    if summary == "rollout":
        trace, layer, chosen = analysis.rolled_out(trace), 0, [1]
    elif summary == "mean of heads":
        trace, chosen = analysis.averaged(trace), [1]
    left, right = st.columns([3, 2], gap="large")
    with left:
        if view == "lines":
            shown = [head - 1 for head in chosen]
            chart = heads.head_view(trace, layer, shown, threshold=threshold, scale=ui.scale())
        else:
            chart = matrix.matrix(trace, layer, (chosen or [1])[0] - 1, scale=ui.scale())
        ui.show(chart, "view")
    with right:
        st.markdown(
            "**Look for** heads with a habit: the word before, the word itself, the full stop. "
            "Hover a word for its lines; click it to pin them; click the legend to choose heads."
        )
        ui.show(overview.model_view(trace, scale=0.6), "tiles", overview.finding(trace))
ui.paper("Vaswani et al. 2017, Attention Is All You Need, figures 3 to 5.", NAME)

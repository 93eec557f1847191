"""Vaswani et al. 2017 opened: three kinds of attention, every layer and head, on any sentence."""

import numpy as np
import streamlit as st

from viz_core import attention, probe, ui
from viz_core.analysis import habits
from viz_core.charts import head_grid

EXAMPLES = [
    "The animal didn't cross the street because it was too tired.",
    "She bought a red car last week and it was very expensive.",
    "It was in this spirit that most American governments passed new laws.",
    "The book that you gave me is very interesting.",
    "I am a student.",
]
KINDS = {"encoder": "encoder self", "decoder": "decoder masked self", "cross": "cross"}
MEASURES = {"previous": "the word before", "own": "itself", "next": "the word after"}
NAMED = {**MEASURES, "entropy": "entropy, nats"}

ui.header("transformer")
models = ui.translator(["transformer"], EXAMPLES, ["transformer"])
source = ui.english(f"{models.source} sentence", models.examples[0], model=models.name)
picture, stepping, controls = ui.picture(source), st.container(), st.container()

with controls:
    ui.examples(models.examples)
    name = models.box()
    card = ui.card(name)
    kind = ui.choice("Attention", list(KINDS), "kind", format=KINDS.__getitem__)
    depth = card.config["encoder_layers" if kind == "encoder" else "decoder_layers"]
    best = card.metrics.get("generated test", {"layer": 1, "head": 1})
    start = (int(best["layer"]) - 1, int(best["head"]) - 1) if kind == "encoder" else (depth - 1, 0)
    look = ui.look(depth, card.config["heads"], start, under=stepping, special=["</s>"])

with picture, ui.sentences():
    ui.question(f"Where does each word look in layer {look.layer + 1}?")
    said = st.container()
    if kind == "encoder":  # drawn before anything is translated
        ui.attention(ui.run(probe.encoded, name, source), look, habits.labels(card), lines=1)
    found = ui.translated(name, source)
    with said:
        ui.quote(found.text)
        ui.notices(found)
    if kind != "encoder":
        ui.attention(getattr(found, kind), look, lines=1)
    st.markdown(
        "**Look for** heads with a habit: the word before, the word itself, the full stop. Click a "
        "tile to open that head; tap or hover a word for its lines, click it to keep them. "
        "Each colour is a head; the stronger a line, the larger its weight."
    )

st.header("Head finder", anchor=False)
with ui.sentences():
    tried = "up to 200 held-out sentences" if card.own else "200 generated test sentences"
    measure = ui.choice(f"Measured on {tried}", list(NAMED), "measure", format=NAMED.__getitem__)
    table = np.array([[getattr(each, measure) for each in row] for row in habits.profiles(card)])
    title = "Mean entropy" if measure == "entropy" else f"Mean weight on {MEASURES[measure]}"
    grid = head_grid.head_grid(
        table, title, habits.labels(card), extent=float(table.max()), scale=ui.scale()
    )
    ui.show(grid, "finder", select="tile", choose=ui.open_tile)
    st.markdown("Which head finds what “it” means, and which two words it tells apart: [it](it).")
ui.paper(
    "Vaswani et al. 2017, Attention Is All You Need, figures 3 to 5. The translation is the best "
    f"that a [beam search](beam) of {probe.BEAM} finds.",
    name,
)
ui.foot("transformer", probe.translate, attention.MultiHead)

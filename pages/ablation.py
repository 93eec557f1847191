"""Switch heads off and see what the translation loses: which heads matter?"""

import numpy as np
import streamlit as st

from viz_core import probe, ui
from viz_core.atlas import published
from viz_core.charts import comparison, head_grid

TIRED = "The animal didn't cross the street because it was too tired."
EXAMPLES = [TIRED, TIRED.replace("tired", "wide"), "I lost my red umbrella on the train."]

ui.header("ablation")
models = ui.translator(["transformer"], EXAMPLES, ["transformer"])
source = ui.english(f"{models.source} sentence", models.examples[0], model=models.name)
picture, stepping, controls = ui.picture(source), st.container(), st.container()

with controls, ui.sentences():
    ui.examples(models.examples)
    name = models.box()
    part = ui.choice("Attention", ["cross", "decoder", "encoder"], "part")
    rises = np.array(ui.card(name).measured["ablation"][part])
    layers, count = rises.shape
    heads = [f"{layer + 1}.{head + 1}" for layer in range(layers) for head in range(count)]
    ranked = [heads[i] for i in np.argsort(-rises.ravel())]
    silent = ui.several("Silent heads, as layer.head", heads, "off", default=ranked[:4])
    with stepping:
        ui.steps([{"off": ranked[:number]} for number in (0, 1, 2, 4, 8, 16, len(heads))])
    rest = ui.toggle("All but these", "rest", help="Silence every other head of this attention.")
    off = [head for head in heads if (head in silent) != rest]

with picture, ui.sentences():
    ui.question(f"Which words suffer when {len(off)} of {len(heads)} heads are silent?")
    silenced = tuple((part, *(int(number) - 1 for number in head.split("."))) for head in off)
    options = probe.Options(off=silenced)
    whole = ui.translated(name, source)
    without = ui.translated(name, source, options=options)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("All heads speak")
        ui.quote(whole.text)
    with right:
        st.markdown(f"Silent heads of the {part} attention: {len(off)} of {len(heads)}")
        ui.quote(without.text)
    ui.notices(whole)
    forced = ui.run(probe.align, name, source, whole.text, options)
    whole = ui.run(probe.align, name, source, whole.text)  # the same tokens for both
    series = {"all heads": whole.probabilities, "some silent": forced.probabilities}
    title, room = "Probability of each word", ui.room(lines=2)
    chart = comparison.grouped(whole.target, series, title, room=room, upright=True)
    ui.show(chart, "probabilities")
    st.markdown(
        "**Look for** the words that fall: blue is the probability of each word of the first "
        "translation with all heads, orange without these. A small fall: the head was not needed."
    )

    ui.pieces(whole.target)

st.header("Which heads matter", anchor=False)
st.markdown(
    "How much the loss per token grows when one head is silent, on sentences that the model has "
    "not seen. In a larger model Voita et al. 2019 removed 38 of 48 encoder heads and lost only "
    "0.15 BLEU (published)."
)
with ui.sentences():
    grid = head_grid.head_grid(rises, "Loss without the head", extent=float(rises.max()))
    ui.show(grid, "grid")
    small = (rises < 0.01).mean()
    st.markdown(
        f"In {'yours' if models.own else 'ours'}, {small:.0%} of the {part} heads can be silenced, "
        "one at a time, for less than 0.01 nats a token."
    )
if not models.own:
    st.caption(published.TAUGHT)
ui.paper("Voita et al. 2019, Analyzing Multi-Head Self-Attention.", name)
ui.foot("ablation", probe.translate, probe.silence)

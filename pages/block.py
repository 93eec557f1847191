"""Inside a block: what attention and feed-forward add to a token on its way up."""

import streamlit as st

from viz_core import probe, ui
from viz_core.atlas import published
from viz_core.charts import stream
from viz_core.models import transformer

EXAMPLES = [
    "The animal didn't cross the street because it was too tired.",
    "The bank of the river was green.",
    "She is reading a book.",
]
NAME = "transformer"

ui.header("block")
source = ui.english("English sentence", EXAMPLES[0])
picture, stepping, controls = ui.picture(source), st.container(), st.container()

with controls:
    ui.examples(EXAMPLES)

with picture, ui.sentences():
    found = ui.run(probe.stream, NAME, source)
    default = found.tokens.index("it") if "it" in found.tokens else 0
    with controls:
        token = ui.word("Token", found.tokens, "token", default)
    ui.question(f"Which words is “{found.tokens[token]}” near to, layer by layer?", source)
    with stepping:
        ui.steps([{"token": place} for place in range(len(found.tokens))])
    left, right = st.columns(2, gap="large")
    with left:
        ui.show(stream.norms(found, token, scale=ui.scale()), "norms")
    with right:
        ui.show(stream.nearest(found, token, scale=ui.scale()), "nearest")
    st.markdown(
        "**Look for** the stage at which the token stops being itself. Its vector goes up through "
        "the layers, and each adds to it (the residual stream). At every stage we ask which words "
        "the vector is nearest to, as if the model ended there."
    )
st.caption(published.TAUGHT)
ui.paper("Vaswani et al. 2017, figure 1; the lens after nostalgebraist 2020.", NAME)
ui.foot("block", probe.stream, transformer.Block)

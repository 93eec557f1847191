"""A model of your own, in the same views: a folder in Hugging Face format, opened as data."""

import streamlit as st

from viz_core import analysis, ui
from viz_core.analysis import habits
from viz_core.probe import own_model

TIRED = "The animal didn't cross the street because it was too tired."
EXAMPLES = {
    "one sentence": {"text": TIRED, "pair": ""},
    "a pair": {"text": "The man went to the store.", "pair": "He bought a gallon of milk."},
}
NAME = "bert-mini"  # in the same views until a folder is named
HELP = "It holds config.json, model.safetensors and tokenizer.json. Code in it is never run."

ui.header("own")
folder = ui.text(own_model.asked(), "", "folder", HELP).strip()
first, second = st.columns(2)
with first:
    text = ui.text("Sentence", TIRED, most=ui.LONG)
with second:
    pair = ui.text("Second sentence, if any", "", key="pair", most=ui.LONG)
picture, controls, details = ui.picture(f"{text} {pair}"), st.container(), st.container()

with controls:
    ui.presets("Examples", EXAMPLES, "example")

with picture, ui.sentences():
    if folder:
        own = ui.own_model(folder)
        said, special = own_model.described(own), own_model.special(own)
        trace, labels = ui.own_trace(folder, text, pair), ui.own_labels(folder)
        start = analysis.sharpest(trace)
    elif ui.trained(NAME, "it in these views until you name a folder"):
        said = f"No model is named yet, so this is our own {NAME}. {own_model.readiness()}"
        card, special = ui.card(NAME), ("[CLS]", "[SEP]")
        trace, labels, start = ui.bert(NAME, text, pair), habits.labels(card), habits.start(card)
    else:
        raise ValueError(own_model.readiness())
    with controls:
        ui.open_first(folder, start)
        paired = bool(pair.strip())
        look = ui.look(trace.layers, trace.heads, start, paired=paired, special=special)
    query, key = ui.attention(trace, look, labels, lines=2)
    st.markdown(
        f"{said} **Look for** the habits you know from another model: click a tile. "
        f"{habits.said_of_typed(trace)}"
    )
    with details:
        layer, head = look.layer, (look.heads or (0,))[0]
        asked = (text, pair, layer, head)
        taken = ui.own_query_key(folder, *asked) if folder else ui.query_key(NAME, *asked)
        ui.why(taken, query, key, look)
st.caption(
    "The signs below the tiles are measured on ten fixed passages with the thresholds of Clark et "
    "al. 2019. Weights must be safetensors, and no code that comes with a model is run. For a "
    "folder nothing is fetched."
)

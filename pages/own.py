"""A model of your own, in the same views: a folder in Hugging Face format, opened as data."""

import streamlit as st

from viz_core import analysis, probe, ui
from viz_core.analysis import habits
from viz_core.analysis.passages import PASSAGES
from viz_core.probe import own_model

TIRED = "The animal didn't cross the street because it was too tired."
EXAMPLES = {
    "one sentence": {"text": TIRED, "pair": ""},
    "a pair": {"text": "The man went to the store.", "pair": "He bought a gallon of milk."},
}
NAME = "bert-mini"  # in the same views until a folder is named
HELP = "It holds config.json, model.safetensors and tokenizer.json. Code in it is never run."


def typed(label: str, default: str, key: str) -> str:
    """Ours reads English; a visitor's own may read any language, and no notice doubts that."""
    if folder:
        return ui.text(label, default, key, most=6000)
    return ui.english(label, default, key, NAME)


ui.header("own")
is_open = ui.may_name_models()
folder = ui.text(own_model.asked(), "", "folder", HELP).strip() if is_open else ""
first, second = st.columns(2)
with first:
    text = typed("Sentence", TIRED, "text")
with second:
    pair = typed("Second sentence, if any", "", "pair")
other = pair if pair.strip() else None
picture, stepping = ui.picture(f"{text} {pair}"), st.container()
controls, details = st.container(), st.container()

with controls:
    ui.presets("Examples", EXAMPLES, "example")

with picture, ui.sentences():
    ui.question("Where does each word look?")
    if folder:
        own = ui.owned_model(folder)
        said, special = own_model.described(own), own_model.special(own)
        trace = ui.run_own(own_model.encode, folder, text, other)
        labels = ui.run_own(own_model.labels, folder, PASSAGES)
        start = analysis.sharpest(trace)
    elif ui.trained(NAME, "it in these views until you name a folder"):
        said = f"No model is named, so this is our own {NAME}. {own_model.readiness(is_open)}"
        card, special = ui.card(NAME), ("[CLS]", "[SEP]")
        trace = ui.run(probe.encode, NAME, text, other)
        labels, start = habits.labels(card), habits.start(card)
    else:
        raise ValueError(own_model.readiness(is_open))
    with controls:
        ui.open_first(folder, start)
        size, paired = (trace.layers, trace.heads), bool(other)
        look = ui.look(*size, start, under=stepping, paired=paired, special=special)
    query, key = ui.attention(trace, look, labels, lines=2)
    st.markdown(
        f"{said} **Look for** the habits you know from another model: click a tile. "
        f"{habits.said_of_typed(trace)}"
    )
    with details:
        layer, head = look.layer, (look.heads or (0,))[0]
        if folder:
            taken = ui.run_own(own_model.query_key, folder, text, layer, head, other)
        else:
            taken = ui.run(probe.query_key, NAME, text, layer, head, other)
        ui.why(taken, query, key, look)
st.caption(
    "The signs below the tiles are measured on ten fixed passages with the thresholds of Clark et "
    "al. 2019. Weights must be safetensors, and no code that comes with a model is run. For a "
    "folder nothing is fetched."
)
ui.foot("own", own_model.encode)

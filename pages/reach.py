"""Vaswani et al. 2017, section 4: how far a recurrent, a convolutional and an attentive net see."""

import streamlit as st

from viz_core import by_hand, ui
from viz_core.by_hand.layers import KINDS
from viz_core.charts import reach

EXAMPLES = [
    "The animal didn't cross the street because it was too tired .",
    "The keys that I lost on the train were found .",
    "I am a student .",
]
MOST = 25  # words that fit

ui.header("reach")
typed = ui.text("Any sentence", EXAMPLES[0], most=10**6)
picture, stepping, controls = ui.picture(typed), st.container(), st.container()
with controls:
    first, second, third = st.columns(3)
    with first:
        layers = ui.choice("Layers", [1, 2, 3], "layers", default=2)
    with second:
        kernel = ui.choice("Words in a convolution's window", [3, 5, 7], "kernel")
    with stepping:
        ui.steps([{"layers": number} for number in (1, 2, 3)])
    ui.examples(EXAMPLES)

with picture, ui.sentences():
    ui.question("Which words does the marked one know of after these layers?", typed)
    words = typed.split()
    if len(words) > MOST:
        st.warning(f"This text has {len(words):,} words: the first {MOST} are drawn.")
        words = words[:MOST]
    with third:
        inside = 2 * len(words) // 3  # the first word shows nothing of a recurrent net
        at = ui.word("Word", words, "word", words.index("it") if "it" in words else inside)
    found = [by_hand.reach(kind, len(words), layers, at, kernel) for kind in KINDS]
    for column, one in zip(st.columns(3, gap="medium"), found, strict=True):
        with column:
            ui.show(reach.reach(one, words, room=ui.room(1 / 3, lines=1)), one.kind)
    st.markdown(
        "**Look for** the blue dots at the bottom. "
        f"{ui.escape(reach.sentence(found, words, layers))}. The number under a dot is how many "
        "steps its word is away: what travels over many steps is easily lost."
    )
    n, last = len(words), found[1].seen
    st.latex(
        rf"\text{{recurrent: }} O(n) = {n - 1 + layers}\text{{ steps at most}},\quad"
        rf"\text{{convolution: }} 1 + {layers}\cdot({kernel} - 1) = {1 + layers * (kernel - 1)}"
        rf"\text{{ words at most, here }}{last},\quad\text{{self-attention: }} O(1)"
    )
ui.paper("Vaswani et al. 2017, section 4 and table 1: maximum path lengths.", "transformer")
ui.foot("reach", by_hand.reach)

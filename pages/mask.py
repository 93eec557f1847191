"""Devlin et al. 2019, section 3.1: a hidden word is guessed from both of its sides."""

import streamlit as st

from viz_core import probe, ui
from viz_core.charts import heads, masks, numbers
from viz_core.text import join_words

EXAMPLES = [
    "The cat sat on the mat.",
    "This movie was absolutely [MASK].",
    "She poured the hot [MASK] into her cup.",
    "The capital of France is [MASK].",
    "The doctor said that [MASK] would call the patient tomorrow.",
]
NAME, DRAWS = "bert-mini", 2000

ui.header("mask")
text = ui.english("Sentence", EXAMPLES[0], model=NAME)
clicked, picture = st.container(), ui.picture()
stepping, controls = st.container(), st.container()

with controls:
    ui.examples(EXAMPLES)
    layer, lit = ui.lines_of(NAME, stepping)
    other = st.container()

with picture, ui.sentences():
    with clicked:
        words = ui.run(probe.words, NAME, text)
        spoken = [i for i, word in enumerate(words) if word.isalpha()]
        last = [] if "[mask]" in text.lower() else spoken[-1:]
        hidden = tuple(ui.words("Click words to hide them", words, "hidden", last))
    read = ["[MASK]" if i in hidden else word for i, word in enumerate(words)]
    ui.on_top(join_words([word for word in read if word not in ("[CLS]", "[SEP]")])[0])
    ui.question("Which word does BERT put in place of the hidden one?")
    found = ui.run(probe.filled, NAME, text, hidden)
    left, right = st.columns([4, 6], gap="large")
    with left:
        names = [word or "[MASK]" for word in found.wanted]
        mask = ui.word("Mask", names, "mask") if len(names) > 1 else 0
        ui.show(masks.guesses(found, mask, room=ui.room(2 / 5, lines=2)), "guesses")
        st.markdown(f"**{ui.escape(masks.said(found, mask))}.**")
    with right:
        view = heads.head_view(
            found.trace,
            layer,
            range(found.trace.heads),
            lit=lit,
            threshold=0.08,
            focus=found.places[mask],
            room=ui.room(3 / 5, lines=2),
        )
        ui.show(view, "lines", numbers=lambda: numbers.attention(found.trace, [layer]))
    st.markdown(
        "**Look for** what the mask looks at: words on the left *and* on the right. Each colour is "
        "a head; tap or hover a word for its lines. A model that reads only from left to right "
        "would have to guess without the right side."
    )
    with other:
        if len(names) > 1:
            ui.show(masks.everywhere(found, room=ui.room()), "all")
        ui.formulas(masks.formulas(found, mask))
        st.header("With and without another word", anchor=False)
        rest = [i for i in spoken if i not in hidden]
        left_out = tuple(ui.words("Leave out", words, "without", rest[1:2] or rest))
        without = ui.run(probe.filled, NAME, text, hidden, left_out)
        away = [i for i in left_out if i not in hidden and words[i].lower() != "[mask]"]
        gone = " ".join(words[i] for i in away) or "nothing"
        told = masks.changed(found, without, mask, gone) if away else masks.NOTHING_LEFT_OUT
        st.markdown(f"**{ui.escape(told)}.**")
        pair = ("the whole sentence", f"without {gone}")
        ui.show(masks.compared(found, without, mask, pair, room=ui.room()), "compared")

st.header("How words were hidden in training: 15%, of these 80 / 10 / 10", anchor=False)
with ui.sentences():
    draw = ui.slider("Draw number", 1, 200, 1, "draw")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        sample = ui.run(probe.masking_sample, NAME, text, draw)
        ui.show(masks.sampled(sample, scale=ui.scale()), "sample")
    with right:
        counts = ui.run(probe.masking_counts, NAME, text, DRAWS)
        ui.show(masks.shares(counts, DRAWS, room=ui.room(2 / 5)), "shares")
ui.paper("Devlin et al. 2019, BERT, section 3.1.", NAME)
ui.foot("mask", probe.filled, probe.masking_sample)

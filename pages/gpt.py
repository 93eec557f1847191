"""Radford et al. 2018: decoder blocks alone write on, each word from those before it."""

import math
from typing import Any

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import writing
from viz_core.charts import bars, kept, matrix, tree
from viz_core.models import gpt

BEGINNINGS = [
    "Tom and Anna went to the park. They saw",
    "Once upon a time, there was a little dog",
    "The king was sad because",
    "One day, a big bear found a",
]
NAME = "gpt"
LINE = 75  # letters of what is written, in large type

ui.header("gpt")
text = ui.english("Beginning of a story", BEGINNINGS[0], model=NAME, most=80)
if not ui.trained(NAME, "a story written on word by word"):
    st.stop()
if not text.strip():
    st.info("Without a beginning the model begins a story of its own, after the mark <s> alone.")
card = ui.card(NAME)
write, forks, cache = ui.tabs(["Write on", "Tree", "Cache"], "view")

if write.open:
    with write:
        picture, stepping = ui.picture(), st.container()
        details, controls = st.container(), st.container()
        with controls:
            ui.examples(BEGINNINGS)
            drawn = ui.sampling(probe.LONGEST_WRITING)
            layers, heads = card.config["layers"], card.config["heads"]
            layer, head = ui.layer_and_head(layers, heads, last=True, gap="medium")
        with picture, ui.sentences():
            found = ui.run(probe.generate, NAME, text, *drawn)
            with stepping:
                step = ui.stepper("Token", found.tokens, "step", at_end=True)
            ui.question("Which word comes next?", f"{writing.so_far(found, step)} …")
            ui.quote(writing.so_far(found, step + 1))
            lines = min(2 + math.ceil(len(found.text) / LINE), 4)
            left, right = st.columns([7, 3])
            with left:
                now, room = found.given + step - 1, ui.room(7 / 10, lines=lines)
                ui.show(matrix.growing(found.attention, now, layer, head, room=room), "triangle")
            with right:
                room = ui.room(3 / 10, lines=lines)
                ui.show(bars.next_word(found.predictions[step], room=room), "next")
            with details:
                st.markdown(
                    "**Look for** the triangle: a word sees itself and what came before, never "
                    f"what follows. {ui.escape(writing.verdict(found, step))}. The framed row is "
                    "the look that wrote it; the bluer a square, the larger the weight."
                )
                ui.pieces(found.attention.queries)
                st.latex(writing.chain(found, step))

if forks.open:
    with forks:
        picture, details, columns = ui.picture(text), st.container(), st.columns(2)
        with columns[0]:
            size = ui.slider("Continuations kept", 1, 6, 4, "size")
        with columns[1]:
            ahead = ui.slider("Tokens ahead", 1, 12, 7, "ahead")
        with picture, ui.sentences():
            ui.question("Which ways does the story go on?")
            beam = ui.run(probe.continuations, NAME, text, size, ahead)
            take = ui.goes_on(ui.bundle(NAME).tokenizer, text, beam)
            look: dict[str, Any] = {"limit": 3, "room": ui.room(lines=1), "ink": ui.ink()}
            ui.growing(beam, "tree", lambda at: tree.tree(beam, until_step=at, **look), take)
            with details:
                st.markdown(f"**Click a word** to go on from there. {writing.ways(beam)}.")

if cache.open:
    with cache, ui.sentences():
        picture, details = ui.picture(text), st.container()
        with picture:
            ui.question("How much has to be computed for one more word?")
            read = ui.run(probe.lens, NAME, text).tokens
            cost = writing.cache_cost(card.config, len(read) - 1)
            ui.show(kept.kept(read, cost, room=ui.room(lines=1)), "cache")
        with details:
            st.markdown(
                f"**Look for** the one orange column. {writing.cache_finding(cost)}. A new word "
                "cannot change what came before it, so the keys and values of that may stay."
            )
            st.latex(writing.cache_formula(card.config, cost))

st.caption(f"{card.notes} {writing.quality(card.metrics)}")
ui.paper(
    "Radford et al. 2018 and 2019; built as in Touvron et al. 2023: root mean square norm, rotary "
    "positions, a gated inner layer.",
    NAME,
)
ui.foot("gpt", probe.generate, gpt.GPTBlock)

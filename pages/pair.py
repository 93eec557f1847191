"""Devlin et al. 2019: does the second sentence follow the first? Asked of [CLS] alone."""

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import pairs
from viz_core.atlas.examples import MILK, PAIRS, STORE, THREE_TEXTS
from viz_core.charts import bars, heads, numbers
from viz_core.text import neighbours

NAME, DRAWN, OFTEN = "bert-mini", 8, 2000

ui.header("pair")
one, many = ui.tabs(["One pair", "How pairs are drawn"], "view")

if one.open:
    with one:
        first, second = st.columns(2)
        with first:
            text = ui.english("First sentence", STORE, model=NAME)
        with second:
            pair = ui.english("Second sentence", MILK, "pair", NAME)
        picture, stepping, controls = ui.picture(f"{text} {pair}"), st.container(), st.container()

        with controls:
            ui.presets("True partners, and random ones", PAIRS, "example")
            layer, lit = ui.lines_of(NAME, stepping)

        with picture, ui.sentences():
            ui.question("Does the second sentence follow the first?")
            chance = ui.run(probe.next_sentence, NAME, text, pair)
            trace = ui.run(probe.encode, NAME, text, pair.strip() or None).words()
            left, right = st.columns([4, 6], gap="large")
            with left:
                labels, values = ["it follows", "it does not"], [chance, 1 - chance]
                ui.show(bars.bars(labels, values, "Probability", room=ui.room(2 / 5)), "chances")
                st.latex(pairs.formula(chance))
                others = {
                    name: ui.run(probe.next_sentence, NAME, example["text"], example["pair"])
                    for name, example in PAIRS.items()
                }
                names, values = list(others), list(others.values())
                ui.show(bars.bars(names, values, "The examples", room=ui.room(2 / 5)), "examples")
            with right:
                every, room = range(trace.heads), ui.room(3 / 5)
                view = heads.head_view(
                    trace, layer, every, lit=lit, threshold=0.08, focus=0, room=room
                )
                ui.show(view, "lines", numbers=lambda: numbers.attention(trace, [layer]))
            st.markdown(
                "**Look for** the lines of [CLS]: the answer is read from this one token, so all "
                "it knows of the second sentence came along such lines, in this layer and the "
                "ones before. Each colour is a head; tap or hover a word for its lines."
            )

if many.open:
    with many:
        picture, controls = ui.picture(), st.container()
        with controls:
            asked = "Sentences in their order, a line for each text"
            story = ui.english(asked, THREE_TEXTS, "story", NAME, tall=True)
            seed = ui.slider("Draw number", 1, 50, 1, "seed")
            ui.steps([{"seed": number} for number in range(1, 51)])
        with picture, ui.sentences():
            ui.question("Which of these pairs are neighbours, and which were thrown together?")
            drawn = neighbours.draw(story, DRAWN, seed)
            chances = [ui.run(probe.next_sentence, NAME, each.first, each.second) for each in drawn]
            left, right = st.columns([8, 3], gap="medium")
            with left:
                ui.table(pairs.table(drawn, chances))
            with right:
                shares = pairs.shares(neighbours.draw(story, OFTEN, seed))
                title, room = f"{OFTEN:,} draws", ui.room(3 / 11)
                ui.show(bars.bars(list(shares), list(shares.values()), title, room=room), "rule")
            st.markdown(
                "**Look for** the column BERT: above 0.5 means that it follows. It is right on "
                f"{pairs.right(drawn, chances)} of {DRAWN}. Half of the pairs are true neighbours, "
                "the other half get a sentence from another text, and nobody has to label anything."
            )
ui.paper("Devlin et al. 2019, BERT, section 3.1, task 2.", NAME)
ui.foot("pair", probe.next_sentence)

"""Mikolov et al. 2013, Pennington et al. 2014: words as rows of numbers, and what these know."""

import streamlit as st

from viz_core import probe, ui
from viz_core.atlas.published import ANALOGIES
from viz_core.charts import analogies, word_vectors
from viz_core.text.words import read_meanings, read_sum

NAME = "word-vectors"
MEANINGS = ["bank: money, river", "cell: phone, biology", "plant: factory, flower"]
FAMILIES = {
    "male → female": "man woman, king queen, uncle aunt, brother sister, father mother, "
    "son daughter, prince princess, actor actress, boy girl",
    "verb tense": "walk walked, talk talked, play played, work worked, want wanted, ask asked, "
    "help helped, look looked",
    "country → capital": "france paris, germany berlin, italy rome, spain madrid, russia moscow, "
    "japan tokyo, china beijing, greece athens, poland warsaw",
}

ui.header("vectors")
card = ui.card(NAME)
arithmetic, families, one_each = ui.tabs(["Arithmetic", "Families", "One vector a word"], "view")

if arithmetic.open:
    with arithmetic:
        total = ui.text("Words to add and subtract", "king − man + woman", "sum")
        picture, stepping, controls = ui.picture(total), st.container(), st.container()
        with stepping:
            step = ui.stepper("Step", word_vectors.STEPS, "step", at_end=True)
        with controls:
            ui.examples(card.examples, "sum")
        with picture, ui.sentences():
            ui.question("Which word is nearest to the end of the arrow?", total)
            trace = ui.run(probe.parallelogram, NAME, *read_sum(total), top=6)
            left, right = st.columns([7, 4], gap="medium")
            with left:
                room = ui.room(7 / 11, lines=1)
                ui.show(word_vectors.parallelogram(trace, step, room=room), "plane")
            if step == len(word_vectors.STEPS) - 1:
                with right:
                    ui.show(word_vectors.answers(trace, room=ui.room(4 / 11, lines=4)), "answers")
                    st.markdown(
                        f"**Look for** the orange word: {ui.escape(word_vectors.finding(trace))}."
                    )
            with controls:
                st.latex(word_vectors.formula(trace))
                ui.show(word_vectors.rows(trace, scale=ui.scale()), "rows")
                st.markdown(word_vectors.CAUTION)
                ui.link("word2vec", "Where the numbers come from: learned from a text, in sight")

if families.open:
    with families:
        pairs = ui.text("Pairs with the same relation", FAMILIES["male → female"], "pairs")
        picture, settings = ui.picture(), {name: {"pairs": FAMILIES[name]} for name in FAMILIES}
        ui.steps(list(settings.values()))
        ui.presets("Families", settings, "family_example")
        with picture, ui.sentences():
            ui.question("Do these arrows all point the same way?", pairs)
            arrows = ui.run(probe.arrows, NAME, pairs)
            ui.show(word_vectors.family(arrows, room=ui.room(lines=2)), "arrows")
            st.markdown(f"{ui.escape(word_vectors.finding_of_arrows(arrows))}. {word_vectors.UP}")
        st.header("The public analogy questions, by family", anchor=False)
        totals, asked = card.metrics["analogy questions"], card.measured["analogies"]
        table = analogies.rows(asked, totals, ANALOGIES)
        ui.show(analogies.accuracy(table, room=ui.room()), "accuracy")
        st.markdown(analogies.about(totals))

if one_each.open:
    with one_each:
        typed = ui.text("A word: two of its meanings", MEANINGS[0], "meanings")
        picture = ui.picture(typed)
        ui.steps([{"meanings": each} for each in MEANINGS])
        ui.examples(MEANINGS, "meanings")
        with picture, ui.sentences():
            ui.question("Which words are nearest, and which meaning have they?", typed)
            found = ui.run(probe.neighbours, NAME, *read_meanings(typed))
            left, right = st.columns([6, 5], gap="medium")
            with left:
                ui.show(word_vectors.neighbours(found, room=ui.room(6 / 11)), "neighbours")
            said = ui.escape(word_vectors.finding_of_neighbours(found))
            right.markdown(f"**Look for** both meanings: {said}.")
            right.markdown(word_vectors.CONTEXT)
            with right:
                ui.link("context", "Words in context: another vector in every sentence")
ui.paper("Mikolov et al. 2013, word2vec; Pennington et al. 2014, GloVe.", NAME)
ui.foot("vectors", probe.parallelogram, probe.arrows, probe.neighbours)

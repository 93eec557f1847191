"""Bahdanau et al. 2015, figure 3: which source words each target word was translated from."""

import streamlit as st

from viz_core import analysis, attention, probe, ui
from viz_core.analysis import crossing
from viz_core.charts import bars, matrix

EXAMPLES = [
    "The European Parliament has adopted new economic rules.",
    "I left my red umbrella in the kitchen.",
    "The political situation of the European Union is a difficult question.",
    "Yesterday I bought a small house near the river.",
    "My sister bought a black leather jacket.",
    "The animal didn't cross the street because it was too tired.",
]
GROWN, FROM_NOTHING = "rnn-search", "rnn-additive"  # only the second began with even weights
WATCHED = ["The agreement ...", "I lost my umbrella ...", "... too tired.", "... too wide."]

ui.header("alignment")
models = ui.translator(ui.ALIGNING, EXAMPLES)
source = ui.english(f"{models.source} sentence", models.examples[0], model=models.name)
picture, stepping = ui.picture(source), st.container()
controls, expected = st.container(), st.container()

with controls:
    ui.examples(models.examples)
    first, second, third, fourth = st.columns(4)
    with first:
        name = ui.model(models.names)
    with second:
        level = ui.choice("Level", ["words", "sub-words"], "level")
    with third:
        beam = ui.slider("Beam size", 1, 10, probe.BEAM, "beam")
    with fourth:
        heat = ui.slider("Temperature of the softmax", 0.2, 5.0, 1.0, "temperature")
    own = f"Your own {models.target}: the attention is forced along it"
    target = ui.french(own, model=name, along=source)

with picture, ui.sentences():
    options = probe.Options(look=probe.Look(temperature=heat))
    if target.strip():
        found = ui.run(probe.align, name, source, target, options)
    else:
        found = ui.translated(name, source, beam, options)
    found = analysis.aligned(found)
    shown = found.words() if level == "words" else found
    ui.quote(found.text)
    ui.notices(found)
    left, right = st.columns([2, 1], gap="medium")
    with left:
        surest = analysis.surest(shown.cross)[0]
        with stepping:
            row = ui.stepper("Target word", shown.target, "word", start=surest)
        ui.question(f"Which {models.source} words does “{shown.target[row]}” look back at?")
        chart = matrix.matrix(shown.cross, highlight_row=row, room=ui.room(2 / 3, lines=1))
        chosen = ui.show(chart, f"matrix {name} {level} {row} {found.text}", select="cell")
    with right:
        strongest = int(shown.cross.matrix()[row].argmax())
        query, key = ui.clicked(chosen, "cell", "query", "key") or (row, strongest)
        chosen_words = shown.target[query], shown.source[key]
        if level == "words":
            query, key = analysis.strongest(found.cross, query, key)
        st.markdown(
            f"**Look for** {ui.escape(crossing.hint(found.words().cross))}. The bluer a square, "
            "the larger its weight; tap or hover a row for its weights, a cell for its formula."
        )
        ui.score_formula(name, found, query, key, heat, chosen_words)
    with expected:
        st.header("What the decoder expected at each step", anchor=False)
        guesses = bars.predictions(found.predictions, found.target, step=query, room=ui.room())
        ui.show(guesses, "next")
        st.caption("The framed word of each column was written; the framed column is this step.")
        ui.pieces(found.target)
        ui.show(bars.entropy(shown.cross, room=ui.room()), "entropy")

learned = ui.section("How it was learned", "learned")
if learned.open:
    with learned, ui.sentences():
        films = [text[:30] for text in models.examples[:4]] if models.own else WATCHED
        told = films.__getitem__
        watched = ui.choice("Sentence", list(range(len(films))), "watched", format=told)
        if name == GROWN:
            st.info(f"{GROWN} began with what {FROM_NOTHING} knew: this is {FROM_NOTHING}.")
        ui.film(FROM_NOTHING if name == GROWN else name, watched, layer=-1, head=None)
ui.paper(
    "Bahdanau, Cho and Bengio 2015, Neural Machine Translation by Jointly Learning to Align and "
    "Translate, figure 3.",
    name,
)
ui.foot("alignment", probe.translate, attention.additive, attention.attend)

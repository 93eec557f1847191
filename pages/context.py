"""Peters et al. 2018: the vector of a word depends on its sentence."""

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import context as told
from viz_core.charts import context
from viz_core.models.elmo import ELMo

NAME, BERT, GLOVE, TOP, MOST = "elmo", "bert-mini", "word-vectors", 5, 40
PAIRS = {
    "bank": ("She opened an account at the bank.", "We walked along the bank of the lake."),
    "play": ("He wrote a play about the war.", "The boys play outside until dark."),
    "right": ("I think you are right about this.", "He raised his right hand."),
    "letter": ("I sent him a letter last week.", "The word starts with the letter b."),
    "match": ("We lost the match on Saturday.", "He lit the fire with a match."),
    "kind": ("He is a kind and honest man.", "I hate this kind of music."),
}
SETTINGS = {word: {"word": word, "text": one, "second": two} for word, (one, two) in PAIRS.items()}


def plain_neighbours(word: str) -> list[tuple[str, float]]:
    """Of the one vector that GloVe has for the word; none where it has no vector."""
    try:
        return ui.run(probe.nearest, GLOVE, word, TOP)
    except ValueError:
        return []


ui.header("context")
asking = st.columns([2, 5, 5], gap="medium")
with asking[0]:
    word = ui.text("Word", "bank", "word", most=10**6)
with asking[1]:
    first = ui.english("First sentence", PAIRS["bank"][0], model=NAME, most=MOST)
with asking[2]:
    second = ui.english("Second sentence", PAIRS["bank"][1], "second", NAME, MOST)
picture, controls, details = ui.picture(), st.container(), st.container()
with controls:
    ui.presets("Examples", SETTINGS, "example")
    ui.steps(list(SETTINGS.values()))
    knobs = st.columns(4, gap="medium")
    raw = []
    for layer, knob in enumerate(knobs[:3]):
        with knob:
            name = f"s{'₀₁₂'[layer]}, share of layer {layer}"
            raw.append(ui.slider(name, 0.0, 1.0, 0.5, f"s{layer}"))
    with knobs[3]:
        gamma = ui.slider("γ, size of the whole", 0.1, 3.0, 1.0, "gamma")

if ui.trained(NAME, "one word in two sentences, with a vector of its own in each"):
    card = ui.card(NAME)
    with picture, ui.sentences():
        ui.question(f"Which uses of “{word}” are nearest in each sentence?", first, second)
        shares = told.shares(raw)
        library, others = ui.run(probe.library, NAME), ui.run(probe.library, BERT)
        stored = told.columns(library.values, others.values, shares, gamma)
        asked = {"first": first, "second": second}
        layers = [
            [told.layers_of(ui.run(probe.states, name, text), word, which) for name in (NAME, BERT)]
            for which, text in asked.items()
        ]
        vectors = [told.columns(elmo, bert, shares, gamma) for elmo, bert in layers]
        plain = plain_neighbours(word)
        panels = [
            (text, plain, told.neighbours(own, library, stored, TOP))
            for text, own in zip(asked.values(), vectors, strict=True)
        ]
        senses = told.senses(library, word)
        ui.show(context.neighbours(word, senses, panels, room=ui.room()), "neighbours")
        with details:
            look = "the colours" if senses else "neighbours that change with the sentence"
            st.markdown(
                f"**Look for** {look}. {ui.escape(context.finding(word, panels))}. The longer a "
                "bar, the more alike; in CAPITALS stands the word whose vector is compared."
            )
            left, right = st.columns(2, gap="medium")
            with left:
                ui.show(context.alike(word, told.alike(*vectors), room=ui.room(1 / 2)), "alike")
            with right:
                ui.show(context.senses(card.measured["senses"], room=ui.room(1 / 2)), "senses")
            st.markdown(f"{told.measured(card.measured['senses'])}.")
            st.latex(context.mixture(layers[0][0], shares, gamma))
            st.header("What it learned from: two readers that guess the next word", anchor=False)
            found = ui.run(probe.surprise, NAME, first)
            ui.show(context.surprises(found, room=ui.room()), "surprises")
            st.markdown(f"{ui.escape(told.halves(found))}.")
            st.latex(context.loss(found))
    st.caption(card.notes)
    ui.paper("Peters et al. 2018, Deep contextualized word representations, section 3.", NAME)
ui.link("vectors", "Word vectors: one row of numbers for a word, whatever the sentence")
ui.foot("context", probe.states, ELMo.both_nats, told.mixed)

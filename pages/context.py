"""Peters et al. 2018: the vector of a word depends on its sentence."""

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import context as told
from viz_core.charts import bars, context
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
    word = ui.text("Word", "bank", "word", most=60)
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
            raw.append(ui.slider(f"Share of layer {layer}", 0.0, 1.0, 0.5, f"s{layer}"))
    with knobs[3]:
        gamma = ui.slider("γ", 0.1, 3.0, 1.0, "gamma")

if ui.trained(NAME, "one word in two sentences, with a vector of its own in each"):
    card = ui.card(NAME)
    with picture, ui.sentences():
        ui.question(f"Which uses of “{word}” are nearest in each sentence?", first, second)
        shares = told.shares(raw)
        library, others = ui.run(probe.library, NAME), ui.run(probe.library, BERT)
        stored = told.columns(library.values, others.values, shares, gamma)
        panels, vectors = [], []
        for which, sentence in (("first", first), ("second", second)):
            elmo, bert = (ui.run(probe.states, name, sentence).words() for name in (NAME, BERT))
            at, there = (told.place(found.tokens, word, which) for found in (elmo, bert))
            own = told.columns(elmo.values[:, at], bert.values[:, there], shares, gamma)
            nears = [told.nearest(name, own[name], library, stored[name], TOP) for name in own]
            panels.append((sentence, plain_neighbours(word), nears))
            vectors.append(own)
        chart = context.neighbours(word, told.senses(library, word), panels, room=ui.room())
        ui.show(chart, "neighbours")
        with details:
            st.markdown(f"**Look for** the colours. {ui.escape(context.finding(word, panels))}.")
            left, right = st.columns(2, gap="medium")
            alike = told.alike(*vectors)
            with left:
                title = f"How alike the two vectors of “{word.strip()}” are, cosine"
                ui.show(
                    bars.bars(list(alike), list(alike.values()), title, room=ui.room(1 / 2)),
                    "alike",
                )
            with right:
                senses = card.measured["senses"]
                title = "Same sense nearer, share of pairs, measured"
                shares_bars = bars.bars(
                    list(senses), list(senses.values()), title, room=ui.room(1 / 2)
                )
                ui.show(shares_bars, "senses")
            st.markdown(f"{told.measured(senses)}.")
            st.latex(context.mixture(elmo.values[:, at], shares, gamma))
            st.header(
                "What it was trained on: two readers, each guessing the next word", anchor=False
            )
            found = ui.run(probe.surprise, NAME, first)
            ui.show(context.surprises(found, room=ui.room()), "surprises")
            st.markdown(f"{ui.escape(told.halves(found))}.")
            st.latex(context.loss(found))
    st.caption(card.notes)
    ui.paper("Peters et al. 2018, Deep contextualized word representations, section 3.", NAME)
ui.link("vectors", "Word vectors: one row of numbers for a word, whatever the sentence")
ui.foot("context", probe.states, ELMo.both_nats, told.mixed)

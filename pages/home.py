"""What the atlas shows, in the order of a lecture: every tile is drawn by the running models."""

import altair as alt
import numpy as np
import streamlit as st

from viz_core import by_hand, checkpoints, probe, ui
from viz_core.by_hand import numbers as typed_numbers
from viz_core.charts import memory, score_steps, thumbnail
from viz_core.probe import scores as probe_scores

AREA = "The agreement on the European Economic Area was signed in August 1992."
TIRED = "The animal didn't cross the street because it was too tired."
STUDENT, UMBRELLA = "I am a student.", "I lost my red umbrella on the train."
HANDS = [np.array(rows, dtype=float) for rows in ([[1, 0], [0, 1], [1, 1]], [[1, 2], [0, 1]])]


def hello() -> alt.Chart:
    probabilities = ui.once(probe.lesson, "hello", 1, 100)[-1].probabilities
    return thumbnail.heat(probabilities, "Which letter is expected after each letter of hello")


def forgetting() -> alt.Chart:
    trace = ui.run(probe.memory, "rnn-additive", AREA)
    return thumbnail.heat(trace.faded("forward").clip(0, 1), memory.finding(trace))


def scored() -> alt.Chart:
    rows = (
        typed_numbers.read_matrix(text, name) for name, (_, text) in score_steps.EXAMPLE.items()
    )
    trace = probe_scores.by_hand(*rows)
    return thumbnail.heat(trace.weights, score_steps.finding(trace))


def lines() -> alt.Chart:
    return thumbnail.curves(by_hand.positions(60, 32)[:, 6:10].T, "Four sine and cosine curves")


def steps_by_hand() -> alt.Chart:
    trace = by_hand.self_attention(("a", "b", "c"), HANDS[0], [HANDS[1]] * 3)
    return thumbnail.heat(trace.weights, "Three words attend to each other")


def resolved() -> alt.Chart:
    shares = np.array(ui.card("transformer").measured["it resolved"])
    return thumbnail.heat(shares, "How often each head finds what it means")


def needed() -> alt.Chart:
    rises = np.array(ui.card("transformer").measured["ablation"]["encoder"])
    return thumbnail.heat(rises / rises.max(), "What the loss gains when a head is silent")


TILES = {
    "recurrent": ("Recurrent nets", "One vector carries all that was read", {}, hello),
    "the_bottleneck": ("The bottleneck", "What a reader still knows of each word", {}, forgetting),
    "alignment": (
        "Alignment",
        "Which words a translated word came from",
        {"text": AREA},
        lambda: thumbnail.alignment(ui.run(probe.translate, "rnn-additive", AREA).words().cross),
    ),
    "scores": ("Score functions", "Six ways to compare, two windows", {}, scored),
    "local": (
        "Local attention",
        "Through a window that moves",
        {"text": UMBRELLA},
        lambda: thumbnail.alignment(ui.run(probe.local, "rnn-local-p", UMBRELLA).attention),
    ),
    "beam": (
        "Beam search",
        "Every hypothesis lives and dies",
        {"text": STUDENT},
        lambda: thumbnail.tree(ui.run(probe.beam, "rnn-additive", STUDENT, 4), "A tree of words"),
    ),
    "self_attention": ("Self-attention by hand", "Every number, step by step", {}, steps_by_hand),
    "positions": ("Positions", "Sines and cosines tell where a word stands", {}, lines),
    "transformer": (
        "Every head",
        "Three attentions, all layers and heads",
        {"text": TIRED},
        lambda: thumbnail.alignment(ui.run(probe.translate, "transformer", TIRED).words().cross),
    ),
    "it": ("What does “it” mean?", "The animal or the street: heads decide", {}, resolved),
    "ablation": ("Switch heads off", "Which heads does it need?", {}, needed),
    "bert": (
        "BERT, every head",
        "To the left and to the right at once",
        {"text": TIRED},
        lambda: thumbnail.alignment(ui.run(probe.encode, "bert-mini", TIRED).words()),
    ),
}

ui.header("home")
if "bert-mini" not in checkpoints.names():
    del TILES["bert"]
places = [place for _ in range(0, len(TILES), 4) for place in st.columns(4)]
for place, (page, (title, line, params, draw)) in zip(places, TILES.items(), strict=False):
    with place, ui.sentences():
        ui.tile(title, line, page, draw(), **params)

st.header("Models on board", anchor=False)
st.dataframe(ui.card_table(), hide_index=True, key="cards")

"""One sentence through every era: each model's translation, what it looked at, and how sharply."""

import streamlit as st

from viz_core import analysis, probe, ui
from viz_core.charts import comparison, matrix

EXAMPLES = [
    "I left my red umbrella in the kitchen.",
    "The black dog didn't cross the street because it was tired.",
    "Where did you buy that white shirt?",
]
WRITERS = ["rnn-additive", "rnn-dot", "rnn-local-p", "transformer"]
READERS = ["transformer", "bert-mini"]
TITLES = {
    "rnn-additive": "2015 additive",
    "rnn-dot": "2015 dot",
    "rnn-local-p": "2015 local",
    "transformer": "2017 Transformer",
    "bert-mini": "2019 BERT",
}

ui.header("eras")
source = ui.english("English sentence", EXAMPLES[0], model="rnn-additive")
picture, stepping, controls = ui.picture(source), st.container(), st.container()
writers, readers = ui.on_board(WRITERS), ui.on_board(READERS)
yours = {card.name: f"yours: {card.name}" for card in ui.own_translators() if card.source == "en"}

with controls:
    ui.examples(EXAMPLES)
    first, second, third = st.columns([4, 3, 5])
    with first:
        shown = ui.choice("Show", ["written translation", "read English"], "show")
    with second:
        layer = ui.choice("Layer of the Transformers", ["last", 1, 2, 3, 4], "layer")
    with third:
        head = ui.choice("Head", ["mean", *range(1, 9)], "head")
    chosen = ui.several("Yours", list(yours), "yours", list(yours)[:1]) if yours else []
    others = [card.name for card in ui.own_translators() if card.source != "en"]
    if others:
        st.caption(f"Not here, where all read one English sentence: {ui.escape(', '.join(others))}")
    with stepping:
        ui.steps([{"show": "written translation"}, {"show": "read English"}])

with picture, ui.sentences():
    ui.question("Which model looks most sharply?")
    writing = shown == "written translation"
    names = [*writers, *chosen] if writing else readers
    through = probe.written if writing else probe.read_by
    found = {name: ui.run(through, name, source) for name in names}
    traces = {
        (TITLES | yours)[name]: analysis.one(
            era.trace.words(),
            -1 if layer == "last" else layer - 1,
            None if head == "mean" else head - 1,
        )
        for name, era in found.items()
    }
    ui.show(matrix.matrices(traces, columns=len(traces), room=ui.room()), f"eras {shown}")
    st.markdown(
        "**Look for** one word in every panel: tap or hover it, and each model's row is framed. "
        "The bluer a square, the larger its weight; few blue squares in a row: a sharp look."
    )
    st.table(  # it wraps: a dataframe would cut the translations
        {
            "model": list(found),
            "says": [ui.escape(era.text) for era in found.values()],
            "entropy a row, bits": [
                f"{analysis.mean_entropy(trace):.2f}" for trace in traces.values()
            ],
            "milliseconds": [f"{1000 * era.seconds:.1f}" for era in found.values()],
        }
    )
    st.caption("Time of the first computation on this machine, with the whole trace recorded.")

st.header("Who agrees with whom", anchor=False)
with ui.sentences():
    french = ui.translated(writers[0], source).text
    forced = [ui.run(probe.align, name, source, french).words().cross for name in writers]
    rho = analysis.agreement([trace.matrix(trace.layers - 1, None) for trace in forced])
    st.markdown(f"Rank correlation of the weights, all along *{ui.escape(french)}*")
    ui.show(comparison.agreement(writers, rho, scale=ui.scale()), "agreement")
    ui.not_yet([*WRITERS, *READERS])
ui.paper(
    "Bahdanau et al. 2015; Luong et al. 2015; Vaswani et al. 2017; Devlin et al. 2019.", writers[0]
)
ui.foot("eras", probe.written, probe.read_by)

"""The lecture's table of score functions, each one a trained model: the same sentence in all."""

import streamlit as st

from viz_core import analysis, attention, probe, ui
from viz_core.charts import comparison, score_steps, sharpness, side_by_side
from viz_core.probe import scores as probe_scores

EXAMPLES = [
    "I left my red umbrella in the kitchen.",
    "She is reading an interesting book in the garden.",
    "Where did you buy that white shirt?",
    "She didn't want to see him again.",
]
MODELS = {
    "rnn-content": "β cos(s, h)",
    "rnn-additive": "tanh(s W + h U) · v",
    "rnn-location": "s W, whatever h says",
    "rnn-general": "s W h",
    "rnn-dot": "s · h",
    "rnn-scaled-dot": "s · h / √n",
    "rnn-local-m": "s W h within D of step t",
    "rnn-local-p": "s W h times a bell around p",
}
PARTS = ["Sharpness", "Agreement", "Measured", "By hand"]

ui.header("scores")
source = ui.english("English sentence", EXAMPLES[0], model="rnn-additive")
picture, stepping, controls = ui.picture(source), st.container(), st.container()
there = ui.on_board(list(MODELS))
notes = {name.removeprefix("rnn-"): formula for name, formula in MODELS.items()}

with controls:
    left, right = st.columns(2)
    with left:
        leaders = list(dict.fromkeys(["rnn-additive", *there]))
        leader = ui.model(leaders, "leader", "All follow the French of")
    with right:
        target = ui.french("or your own French", model=leader)
    ui.examples(EXAMPLES)
    sharp, agreeing, measured, by_hand = ui.tabs(PARTS, "part")

with picture, ui.sentences():
    french = target if target.strip() else ui.translated(leader, source).text
    found = {name: ui.run(probe.align, name, source, french) for name in there}
    traces = {name.removeprefix("rnn-"): each.words().cross for name, each in found.items()}
    led = traces[leader.removeprefix("rnn-")]
    with stepping:
        row = ui.stepper("Target word", led.queries, "word", start=analysis.surest(led)[0])
    ui.question(f"Who looks sharply when “{led.queries[row]}” is written?")
    chart = side_by_side.side_by_side(traces, notes, row=row, room=ui.room())
    ui.show(chart, f"matrices {french}")
    ui.notices(found[leader])
    st.markdown(
        f"All follow **{ui.escape(french)}** The bluer a square, the larger its "
        "weight; tap or hover a row to find it in every panel. "
        f"**Look for** sharp rows: {ui.escape(sharpness.finding(traces))}."
    )
    ui.not_yet(list(MODELS))
    if sharp.open:
        with sharp:
            ui.show(sharpness.sharpness(traces, scale=ui.scale()), "sharpness")
            st.latex(r"H_i = -\sum_j a_{ij} \log_2 a_{ij}")
    if agreeing.open:
        with agreeing:
            rho = analysis.agreement([trace.matrix() for trace in traces.values()])
            ui.show(comparison.agreement(list(traces), rho, scale=ui.scale()), "agreement")

if measured.open:
    with measured:
        table = ui.figures(["rnn-none", *MODELS])
        st.dataframe(table, hide_index=True, key="figures", placeholder="–")
        st.caption(
            "Published: Luong et al. 2015, English to German on other data; compare the order. "
            "All nine of ours began with nothing and read the same sentences in the same order "
            "for 7,000 steps: what tells them apart is the score. Each is one run, so a small "
            "difference may be chance."
        )
        ui.compare_lengths()
        st.markdown("What no attention at all costs: [the bottleneck](the_bottleneck).")

if by_hand.open:
    with by_hand, ui.sentences():
        drawn = st.container()
        trace = probe_scores.by_hand(*ui.matrices(score_steps.EXAMPLE))
        with drawn:
            ui.show(score_steps.picture(trace, scale=ui.scale()), "by_hand")
        keys = score_steps.names(trace)
        key = ui.choice("Formulas for", range(len(keys)), "key", format=keys.__getitem__)
        for name, formula in score_steps.formulas(trace, key).items():
            st.latex(rf"\text{{{name}:}}\quad {formula}")
ui.paper("Luong et al. 2015, tables 4 and 6; Bahdanau 2015; Graves 2014; Vaswani 2017.", leader)
ui.foot("scores", probe.align, attention.additive, attention.general)

"""How many parameters, how good, how slow: the numbers beside the architectures."""

import streamlit as st

from viz_core import probe, ui
from viz_core.atlas import published
from viz_core.by_hand import sizes
from viz_core.charts import sizes as charts

START = sizes.BERT_BASE
SETTINGS = {name: sizes.settings(shape) for name, shape in sizes.PRESETS.items()}
WORDS = 12  # that are lit one after the other

ui.header("sizes")
counting, rising, costing = ui.tabs(["Parameters", "GLUE", "Cost of a layer"], "view")

if counting.open:
    with counting:
        picture, stepping = ui.picture(), st.container()
        details, controls = st.container(), st.container()
        with controls:
            ui.presets("Published, and ours", SETTINGS, "preset")
            with stepping:
                ui.steps(list(SETTINGS.values()))
            shape = ui.shape(START)
        with picture, ui.sentences():
            ui.question("In which part are most of the parameters?")
            told, found = sizes.heads_told(shape), sizes.parts(shape)
            ui.show(charts.parts(found, room=ui.room(lines=1)), "parts")
            with details:
                st.markdown(f"**Look for** the longest bar. {sizes.verdict(shape)}. {told}.")
                st.latex(sizes.largest_formula(found))
    st.caption(
        "Vaswani et al. 2017; Devlin et al. 2019; Radford et al. 2018, 2019. A published count is "
        "rounded, and may count a little more or less than the layers shown."
    )

if rising.open:
    with rising, ui.picture(), ui.sentences():
        ui.question("When did models pass people on GLUE?")
        rows, human = published.GLUE, published.GLUE_HUMAN
        ui.show(charts.glue(rows, human, room=ui.room(lines=1)), "glue")
        st.markdown(f"**Look for** the dashed line. {charts.glue_finding(rows, human)}.")
    st.caption(
        "Wang et al. 2019. All published, on the hidden test data of the benchmark; several models "
        "means an ensemble. People: Nangia and Bowman 2019. Tap or hover a mark for its source."
    )

if costing.open:
    with costing:
        picture, stepping = ui.picture(), st.container()
        details, columns = st.container(), st.columns(3)
        with columns[0]:
            n = ui.slider("Words n", 2, 1024, 64, "n")
        with columns[1]:
            d = ui.slider("Width d", 8, 1024, 256, "d", step=8)
        with columns[2]:
            k = ui.slider("Convolution over k words", 2, 15, 3, "k")
        with stepping:
            step = ui.stepper("Step", [str(at + 1) for at in range(WORDS)], "step", start=3)
        with picture, ui.sentences():
            ui.question("Which layer has to wait for the word before it?")
            ui.show(charts.lit(WORDS, step, room=ui.room()), "lit")
            costs = sizes.costs(n, d, k)
            times = ui.once(probe.layer_times, n, d, k)
            ui.show(charts.costs(costs, times, room=ui.room()), "costs")
            with details:
                st.markdown(
                    f"**Look for** the row that fills step by step. {sizes.cheapest(costs, n, d)}. "
                    f"Measured on this machine just now, {charts.clock_finding(times)}."
                )
                st.dataframe(sizes.table(costs), hide_index=True, key="table")
    st.caption("Vaswani et al. 2017, table 1: operations, sequential steps, longest path.")
ui.foot("sizes", sizes.parts, probe.layer_times)

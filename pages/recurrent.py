"""Before attention: a network that reads letter by letter, and the shapes that such nets have."""

import streamlit as st

from viz_core import probe, ui
from viz_core.charts import recurrent, recurrent_formulas, shapes

UPDATES, SEEDS = 100, 50

ui.header("recurrent")
hello, five = ui.tabs(["Learning hello", "Five shapes"], "view")

if hello.open:
    with hello:
        picture, stepping = ui.picture(), st.container()
        sums, controls = st.columns([5, 3], gap="medium"), st.container()
        with controls, st.container(horizontal=True, vertical_alignment="bottom"):
            word = ui.text("Word to learn", "hello", "word", most=10**6).strip()
            update = ui.slider("Seen after update", 0, UPDATES, UPDATES, "update", step=5)
            seed = ui.slider("Random start", 1, SEEDS, 1, "seed")
            anew = ({"seed": seed % SEEDS + 1, "update": UPDATES},)
            again = st.button("Train again", "again", on_click=st.session_state.update, args=anew)
        with stepping:
            step = ui.stepper("Step in time", word[:-1], "time")
        with picture, ui.sentences():
            ui.question(f"Which letter comes after “{word[: step + 1]}”?")
            frame = st.empty()
            for moment in ui.learning(word, seed, UPDATES, update, live=again):
                with frame.container():
                    left, right = st.columns([5, 3], gap="medium")
                    with left:
                        chart = recurrent.unrolled(moment, step, scale=ui.scale())
                        ui.show(chart, "unrolled", moving=again)
                    with right:
                        st.progress(moment.updates / UPDATES, f"Update {moment.updates}")
                        chart = recurrent.losses(moment, UPDATES, scale=ui.scale())
                        ui.show(chart, "losses", moving=again)
                        st.markdown(ui.escape(recurrent.finding(moment)))
                        st.markdown(f"**Look for** {ui.escape(recurrent.hint(moment))}")
                        st.markdown("Blue is above zero, orange below; framed is what comes next.")
            sums[0].latex(recurrent_formulas.state(moment, step))
            sums[1].latex(recurrent_formulas.output(moment, step))
            st.latex(recurrent_formulas.loss(moment))
        st.caption("Elman 1990, Finding Structure in Time; the example is from Karpathy 2015.")

if five.open:
    with five:
        picture, controls = ui.picture(), st.container()
        with controls:
            kind = ui.choice("Shape", list(probe.SHAPES), "shape", default="many to many, in step")
            task = probe.SHAPES[kind]
            first, second = st.columns(2)
            with first:
                number = list(probe.SHAPES).index(kind) + 1
                typed = ui.text(f"Input: {task.task}", task.example, f"input{number}").strip()
            with second:
                depth = ui.choice("Layers", [1, 2, 3], "depth")
            ui.steps([{"shape": name} for name in probe.SHAPES])
        with picture, ui.sentences():
            ui.question(f"What comes out? Task: {task.task}", typed)
            run = ui.once(probe.shape, kind, typed, depth)
            ui.show(shapes.unrolled(run, room=ui.room(lines=1)), "shape")
            st.markdown(f"**Look for** {ui.escape(shapes.said(run, kind, task.task))}")
            ui.formulas(shapes.formulas(run))
        st.caption("Elman 1990; the five shapes after Karpathy 2015.")
ui.foot("recurrent", probe.learn_hello, probe.shape)

"""What a plain net forgets, and the gates with which an LSTM and a GRU keep their memory."""

import streamlit as st

from viz_core import by_hand, probe, ui
from viz_core.analysis import units
from viz_core.by_hand import numbers as typed_numbers
from viz_core.charts import bars, gates, gradients, recurrent_formulas

TEXT = '"Come in," said the old man. "I have been waiting for you." Then he shut the door.'
GATING = "0 1 0 0 0 1; 10 11 12 13 14 15; 8 9 3 7 5 8"

ui.header("gates")
gated, gate_tab, reach = ui.tabs(["Gates", "A gate by hand", "Gradients"], "view")

if gated.open:
    with gated:
        text = ui.english("Any text", TEXT, model="char-lstm", most=250)
        picture, stepping = ui.picture(text), st.container()
        controls, details = st.container(), st.container()
        with controls, st.container(horizontal=True, vertical_alignment="bottom"):
            name = ui.model(["char-lstm", "char-gru"])
            known = units.read(ui.card(name).measured)
            shown = ui.choice("Unit that follows", [*known, *units.OTHERS], "unit")
            last, idle = ui.card(name).config["width"], shown != units.BY_NUMBER
            number = ui.slider("Unit by number", 1, last, 1, "number", disabled=idle)
        with picture, ui.sentences():
            ui.question("Where does this unit switch on, and where off?", text)
            trace = ui.run(probe.gates, name, text)
            with stepping:
                at = ui.stepper("Character", trace.tokens, "at")
            with details:
                left, right = st.columns([3, 2], gap="medium")
            unit = units.choose(known, shown, number)
            names, values = units.table(trace, unit, shown)
            ui.show(gates.gate_strip(trace, names, values, at, scale=ui.scale()), "gates")
            look = "**Look for** the change of colour: blue is above zero, orange below."
            st.markdown(f"{look} {units.verdict(trace, known.get(shown))}")
            left.latex(recurrent_formulas.memory(trace, unit, at))
            with right:
                guess = bars.bars(*gates.guesses(trace, at), "Expected next", room=ui.room(2 / 5))
                ui.show(guess, "next")
        ui.examples(ui.card(name).examples)
        ui.paper("Hochreiter and Schmidhuber 1997; Cho et al. 2014; Karpathy 2015.", name)

if gate_tab.open:
    with gate_tab:
        picture, typed = ui.picture(), ui.matrix("Rows g, x, s", GATING, "gate")
        with picture, ui.sentences():
            ui.question("What comes out of the gate?")
            left, right = st.columns(2, gap="medium")
            rows = typed_numbers.read_gating(typed)
            with left:
                ui.show(gates.by_hand(rows, by_hand.gate(*rows), scale=ui.scale()), "by_hand")
            right.latex(recurrent_formulas.gating(rows, by_hand.gate(*rows)))
            right.markdown(gates.MEANING)

if reach.open:
    with reach:
        picture, controls = ui.picture(), st.container()
        with controls, st.container(horizontal=True, vertical_alignment="bottom"):
            size = ui.slider("Scale of the weights", 0.2, 3.0, 0.9, "scale", step=0.1)
            length = ui.slider("Steps T", 5, 80, 40, "steps")
            linear = ui.toggle("Plain net without its tanh", "linear")
        with controls:
            ui.steps([{"scale": number} for number in (0.5, 0.9, 1.0, 1.5, 2.5)])
        with picture, ui.sentences():
            ui.question(f"How much of the first input does a loss {length} steps later still hear?")
            heard = ui.once(probe.gradient_reach, size, length, linear)
            room = ui.room(lines=6 if ui.presenting() else 1)  # a stage shows the formula, too
            ui.show(gradients.curves(heard, room=room), "gradients")
            st.markdown(
                f"**Look for** the slope. {ui.escape(gradients.finding(heard))}. Untrained "
                "networks with random weights, the mean of twelve: attention has no chain of "
                "states, so behind the last input its curve is level."
            )
            st.latex(gradients.formula(heard))
        st.caption("Bengio et al. 1994; Pascanu et al. 2013, On the difficulty of training RNNs.")
ui.foot("gates", probe.gates, by_hand.gate, probe.gradient_reach)

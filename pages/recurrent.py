"""Before attention: a network that reads letter by letter, and the gates that keep its memory."""

import streamlit as st

from viz_core import by_hand, probe, ui
from viz_core.analysis import sound, units
from viz_core.by_hand import numbers as typed_numbers
from viz_core.charts import (
    bars,
    gates,
    gradients,
    recurrent,
    recurrent_formulas,
    shapes,
    tune as tune_chart,
)
from viz_core.text import tunes

UPDATES, SEEDS = 100, 50
TEXT = '"Come in," said the old man. "I have been waiting for you." Then he shut the door.'
GATING = "0 1 0 0 0 1; 10 11 12 13 14 15; 8 9 3 7 5 8"
ui.header("recurrent")
VIEWS = ["Learning hello", "Five shapes", "Gates", "A gate by hand", "Gradients", "Music"]
hello, five, gated, gate_tab, reach, music = ui.tabs(VIEWS, "view")

if hello.open:
    with hello:
        picture, stepping = ui.picture(), st.container()
        sums, controls = st.columns([5, 3], gap="medium"), st.container()
        with controls, st.container(horizontal=True, vertical_alignment="bottom"):
            word = ui.text("Word to learn", "hello", "word").strip()
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
            for line in shapes.formulas(run):
                st.latex(line)
        st.caption("Elman 1990; the five shapes after Karpathy 2015.")

if gated.open:
    with gated:
        text = ui.text("Any text", TEXT)
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
            ui.rare_characters(trace)
            with stepping:
                at = ui.stepper("Character", trace.tokens, "at")
            with details:
                left, right = st.columns([3, 2], gap="medium")
            unit = units.choose(known, shown, number)
            names, values = units.table(trace, unit, shown)
            ui.show(gates.gate_strip(trace, names, values, at, scale=ui.scale()), "gates")
            st.markdown(units.verdict(trace, known.get(shown)))
            left.latex(recurrent_formulas.memory(trace, unit, at))
            with right:
                guess = bars.bars(*gates.guesses(trace, at), "Expected next", room=ui.room(2 / 5))
                ui.show(guess, "next")
        ui.examples(ui.card(name).examples)
        ui.paper("Hochreiter and Schmidhuber 1997; Cho et al. 2014; Karpathy 2015.", name)

if gate_tab.open:
    with gate_tab, ui.sentences():
        ui.question("What comes out of the gate?")
        left, right = st.columns(2, gap="medium")
        rows = typed_numbers.read_gating(ui.matrix("Rows g, x, s", GATING, "gate"))
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
            ui.question("How much of the first input does a loss forty steps later still hear?")
            heard = ui.once(probe.gradient_reach, size, length, linear)
            ui.show(gradients.curves(heard, room=ui.room(lines=1)), "gradients")
            st.markdown(
                f"**Look for** the slope. {ui.escape(gradients.finding(heard))}. Untrained "
                "networks with random weights, the mean of twelve: attention has no chain of "
                "states, so distance costs it nothing."
            )
            st.latex(gradients.formula(heard))
        st.caption("Bengio et al. 1994; Pascanu et al. 2013, On the difficulty of training RNNs.")

if music.open:
    with music:
        picture, controls = ui.picture(), st.container()
        with controls:
            widths = [3, 6, 4, 4]
            first, second, third, fourth = st.columns(widths, vertical_alignment="bottom")
            with first:
                metre = ui.choice("Metre", ["6/8", "4/4", "3/4"], "metre")
            with second:
                key = ui.choice("Key", ["G Major", "D Major", "A Dorian", "E Minor"], "key")
            with third:
                heat = ui.slider("Temperature", 0.2, 1.5, 0.7, "temperature", step=0.1)
            with fourth:
                number = ui.slider("Tune", 1, 50, 1, "tune")
            own = "Your own first notes, such as GAB d2B|; left empty, it begins itself"
            given = ui.text(own, "", "notes")
            ui.steps([{"tune": one} for one in range(1, 51)])
        with picture, ui.sentences():
            ui.question("What will a network play that read folk tunes letter by letter?")
            start = f"M:{metre} K:{key} {given}"
            line = ui.run(probe.compose, "char-abc", start, heat, number)
            tune = tunes.read(line)
            st.audio(ui.once(sound.wav, tune), format="audio/wav")
            ui.show(tune_chart.staff(tune, room=ui.room(lines=2)), "staff")
            real = ui.card("char-abc").metrics["tunes test"]["full bars, real tunes"]
            st.markdown(
                f"**Look for** the bar lines: {ui.escape(sound.finding(tune))}; of real tunes "
                f"{real:.0%} are, as half bars stand at repeats. Nobody told it to count: it "
                "learned that from letters alone."
            )
            st.code(line, wrap_lines=True)
        ui.paper("Karpathy 2015; Cho et al. 2014. Repeats are played once.", "char-abc")
ui.foot("recurrent", probe.learn_hello, probe.gates, probe.gradient_reach, probe.compose)

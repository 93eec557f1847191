"""The whole model as lectures draw it: a sentence flows through, every box can be opened."""

import streamlit as st

from viz_core import checkpoints, probe, ui
from viz_core.analysis import machine as told
from viz_core.atlas import boxes
from viz_core.atlas.examples import RIGHT_FRENCH
from viz_core.charts import machine, machine_inside, numbers
from viz_core.models import rnn, transformer

WHOLE = "whole"
READS = {"own": "its own words: inference", "right": "the right words: training"}

ui.header("machine")
families = told.machines(checkpoints.cards())
if not families:
    st.info("No model is on board that could be drawn.")
    st.stop()
models = ui.translator(list(families.values()), list(RIGHT_FRENCH))
typing, choosing = st.columns(2)
with choosing:
    labels = {name: family for family, name in families.items()}
    start = families.get("Transformer", next(iter(labels)))
    name = ui.choice("Machine", list(labels), "model", start, format=labels.__getitem__)
with typing:
    source = ui.english(f"{models.source} sentence", models.examples[0], model=name, most=40)
picture, stepping = ui.picture(source), st.container()
details, controls = st.container(), st.container()

with controls, ui.quietly():
    target, box = "", WHOLE
    plain = ui.run(probe.machine, name, source)
    if plain.writer:
        reads = ui.choice("Its writer reads", list(READS), "reads", format=READS.__getitem__)
        if reads == "right" and not plain.reader:
            target = source  # each word of the text is to be guessed from those before it
        elif reads == "right":
            asked = f"The right {models.target}; left empty, an example's or the model's own"
            known = "" if models.own else RIGHT_FRENCH.get(source.strip(), "")
            target = ui.french(asked, model=name).strip() or known
            if not target:
                target = ui.translated(name, source).text
                details.info(told.UNKNOWN)
    trace = ui.run(probe.machine, name, source, target)
    names = [WHOLE, *(box.name for box in trace.boxes)]
    box = ui.choice("Open a box", names, "box", help="Or click it in the picture.")
    ui.examples(models.examples)

with picture, ui.sentences():
    trace = ui.run(probe.machine, name, source, target)
    moments = told.moments(trace)
    with stepping:
        if box == WHOLE:
            step = ui.stepper("Step", [moment.name for moment in moments], "step", at_end=True)
        else:
            ui.steps([{"box": each} for each in names])
    ui.question(f"What comes out of {box} here?" if box != WHOLE else "What happens next?")
    if box == WHOLE:
        drawn = machine.machine(trace, step, room=ui.room())
        opens = ui.sets("box", "part")
        ui.show(
            drawn, "machine", select="part", choose=opens, numbers=lambda: numbers.machine(trace)
        )
        seen = f"the way of one word up its column. {ui.escape(told.finding(trace, step))}"
        keys = "Step with the arrow keys, click a box to open it"
    else:
        opened = ui.run(probe.inside, name, source, target, box)
        drawn = machine_inside.inside(opened, room=ui.room(lines=1))
        ui.show(drawn, "inside", numbers=lambda: numbers.inside(opened))
        back = {"machine": {"text": source, "model": labels[name]}}
        more = boxes.pages(ui.card(name).architecture, opened.kind, opened.layer, source)
        ui.onward(back | more, "Back to the whole, or on with this sentence:")
        seen = f"what is made of what. {ui.escape(told.told(opened))}"
        keys = "The arrow keys go to the next box"
    with details:
        st.markdown(f"**Look for** {seen}. {keys}.")
        stacks = filter(None, (trace.reader, trace.writer))
        ui.pieces(token for stack in stacks for token in stack.tokens)
ui.paper(
    "Sutskever et al. 2014; Bahdanau et al. 2015; Vaswani et al. 2017, figure 1, but with the norm "
    "before each half; Radford et al. 2018; Devlin et al. 2019.",
    name,
)
ui.foot("machine", probe.machine, transformer.Block.forward, rnn.RNN.decode)

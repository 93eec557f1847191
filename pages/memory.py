"""Graves et al. 2014, figures 3 to 6: a network with a memory that it writes to and reads from."""

from typing import Any

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import memory as told
from viz_core.charts import addressing, memory, memory_formulas
from viz_core.models import ntm
from viz_core.text import bits as typed_bits

LENGTHS = (10, 20, 30, 40, 50, 60, 120)  # the paper's figure 4 has all but 40 and 60
WANDERING = [[int(bit == place % 8) for bit in range(8)] for place in range(16)]
PATTERNS = {
    **{f"{length} random inputs": {"text": typed_bits.draw(length)} for length in LENGTHS},
    "a bit that wanders": {"text": typed_bits.write(WANDERING)},
    "twelve alike": {"text": " ".join(["11110000"] * 12)},
}
HEADS = {"read": "reads", "write": "writes"}
MODEL = "ntm"


def choose(point: dict[str, Any]) -> None:
    """A click on an input turns its bit; anywhere else it chooses the step."""
    if point["bit"] < 0:
        st.session_state["step"] = int(point["time"])
    else:
        now = typed_bits.read(st.session_state["text"], probe.LONGEST_COPY)
        turned = typed_bits.flipped(now, int(point["time"]), int(point["bit"]))
        st.session_state["text"] = typed_bits.write(turned)


ui.header("memory")
text = ui.text("Bits, eight for each input", typed_bits.draw(10), most=20_000)
picture, stepping = ui.picture(), st.container()
controls, details = st.container(), st.container()
with controls:
    ui.presets("Patterns", PATTERNS, "pattern")

if ui.trained(MODEL, "bits written to a memory and read back"):
    with picture, ui.sentences():
        bits = typed_bits.read(text, probe.LONGEST_COPY)
        steps = typed_bits.steps(len(bits))
        with stepping:
            step = ui.stepper("Step", steps, "step", start=len(bits) + 1)
        ui.question(f"Where in the memory do the heads stand at {steps[step]}?")
        trace = ui.run(probe.copy, MODEL, bits)
        until = step if ui.presenting() else None
        tape = memory.tape(trace, step, until=until, room=ui.room())
        ui.show(tape, f"tape {step} {text}", select="cell", choose=choose)
        with details:
            st.markdown(
                f"**Look for** the two slopes. {told.finding(trace)}. {told.turn(trace)}. The "
                "bluer a square, the larger its number; a bit that came back wrong is orange. "
                "Click an input to turn its bit, and any other cell to choose its step."
            )
            st.header(f"Addressing at {steps[step]}", anchor=False)
            which = ui.choice("The head that", list(HEADS), "head", format=HEADS.__getitem__)
            head = trace.read if which == "read" else trace.write
            chart = addressing.stages(head, step, told.places(trace).tolist(), room=ui.room())
            ui.show(chart, "address")
            ui.formulas(memory_formulas.addressing(head, step, told.strongest(head, step)))
            st.header("What is read", anchor=False)
            ui.show(addressing.reading(trace, step, room=ui.room()), "reading")
            st.latex(memory_formulas.reading(trace, step))
    card = ui.card(MODEL)
    st.caption(f"{card.notes} Bits wrong on patterns it never saw: {told.errors(card.metrics)}.")
    ui.paper("Graves, Wayne and Danihelka 2014, Neural Turing Machines, sections 3 and 4.1.", MODEL)
ui.foot("memory", probe.copy, ntm.address)

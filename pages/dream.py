"""Zhang et al. 2019, Self-Attention GANs: pictures from noise, whose places look at each other."""

from typing import Any

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import dream as told
from viz_core.charts import dream
from viz_core.models.sagan import SelfAttention

MODEL, TWIN, GRID, STEPS = "sagan", "sagan-plain", 16, 8
NAMES = {MODEL: "With attention", TWIN: "A twin, trained without attention"}
POINTS = ((7, 7), (3, 7), (8, 3), (8, 12), (1, 1))  # middle, petals, corner; then yours
EXAMPLES: dict[str, dict[str, Any]] = {
    "a daisy": {"kind": "oxeye daisy", "seed": 1},
    "a sunflower": {"kind": "sunflower", "seed": 2},
    "a pink one": {"kind": "Barberton daisy", "seed": 11},
    "ask the corner": {"row": 1, "column": 16},
    "another gamma": {"strength": 2.0},
}


def ask(point: dict[str, Any]) -> None:
    """A click on the picture moves the visitor's own point."""
    st.session_state.update(row=int(point["row"]) + 1, column=int(point["column"]) + 1)


ui.header("dream")
picture, stepping = ui.picture(), st.container()
controls, details = st.container(), st.container()
with controls:
    first, second, third, fourth, fifth = st.columns(5)
    with first:
        seed = ui.slider("Seed", 0, 99, 1, "seed")
    with second:
        towards = ui.slider("Walk to seed", 0, 99, 6, "towards")
    with third:
        row = ui.slider("Your place: row", 1, GRID, 12, "row")
    with fourth:
        column = ui.slider("Its column", 1, GRID, 12, "column")
    with fifth:
        strength = ui.slider("γ, times what it learned", 0.0, 2.0, 1.0, "strength", step=0.25)

if all(ui.trained(name, "pictures drawn from noise") for name in NAMES):
    with controls:
        kind = ui.choice("Kind", ui.card(MODEL).config["kinds"], "kind", "oxeye daisy")
        ui.presets("Examples", EXAMPLES, "example")
    with picture, ui.sentences():
        with stepping:
            names = [f"{share / STEPS:.0%} of the way" for share in range(STEPS + 1)]
            step = ui.stepper("Walk", names, "step")
        share = step / STEPS
        drawn = ui.run(probe.draw, MODEL, seed, kind, strength, towards, share)
        without = ui.run(probe.draw, MODEL, seed, kind, 0.0, towards, share)
        mine = (row - 1, column - 1)
        asked = (*POINTS, mine)
        ui.question("Where does a petal look: at the other petals, or at what is beside it?")
        left, right = st.columns(2)
        with left:
            both = dream.pictures(drawn, without, asked, room=ui.room(0.5))
            ui.show(both, "pictures", select="place", choose=ask)
        with right:
            ui.show(dream.maps(drawn, asked, room=ui.room(0.5)), "maps")
        with details:
            st.markdown(f"**Look for** maps that leave their point. {told.finding(drawn, mine)}.")
            st.markdown(f"{told.MAPS} {told.reach(drawn)}. {told.change(drawn, without)}.")
            st.header("From one seed to the other", anchor=False)
            for half, (name, title) in zip(st.columns(2), NAMES.items(), strict=True):
                way = ui.run(probe.walk, name, seed, towards, STEPS + 1, kind, strength)
                strip = dream.walk(way, (seed, towards), step, name=title, room=ui.room(0.5))
                with half:
                    ui.show(strip, f"walk {name}", select="look", choose=ui.sets("step", "number"))
            st.markdown(told.worth(*(ui.card(name).metrics for name in NAMES)))
            st.latex(dream.formula(drawn, mine))
    st.caption(" ".join(ui.card(name).notes for name in NAMES))
    ui.paper("Zhang et al. 2019, Self-Attention GANs, figures 1 and 6.", MODEL)
ui.foot("dream", probe.draw, SelfAttention)

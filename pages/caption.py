"""Xu et al. 2015, Show, Attend and Tell: a caption, and where it looked for each of its words."""

from typing import Any

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import image as told
from viz_core.charts import gaze, gaze_formulas
from viz_core.charts.gaze import Look
from viz_core.models.caption import Captioner

SOFT, HARD = "caption-soft", "caption-hard"
MODELS = {"soft": [SOFT], "hard": [HARD], "both": [SOFT, HARD]}
NAMES = {SOFT: "Soft attention", HARD: "Hard attention"}
BEGINNINGS = {
    "as it likes": {"beginning": ""},
    "a dog": {"beginning": "a dog"},
    "two people": {"beginning": "two people"},
    "a man wearing a hat": {"beginning": "a man wearing a hat"},
}
LOOKING_AWAY = (
    "To count the people in a picture you look at them, and away from all else. **Cut out** a part "
    "by hand and nothing else is read: hard attention. **Weigh** the places by hand and the rest "
    "fades: soft attention. Both read the same features of the same network; the weights are "
    "yours, the same for every word."
)


def choose(point: dict[str, Any]) -> None:
    """A click on a picture chooses its word; the first one is the photograph itself."""
    st.session_state["step"] = max(int(point["number"]) - 1, 0)


ui.header("caption")
picture, stepping = ui.picture(), st.container()
controls, details = st.container(), st.container()
with controls:
    wanted = ui.photograph()
    left, middle, right = st.columns(3)
    with left:
        which = ui.choice("Attention", list(MODELS), "attention")
    with middle:
        beam = ui.slider("Beam: captions kept open", 1, 5, 1, "beam")
    with right:
        beginning = ui.text("The caption must begin with", "", "beginning", most=200)
    ui.presets("Beginnings", BEGINNINGS, "begun")

if all(ui.trained(name, "captions, and where they look") for name in MODELS[which]):
    with picture, ui.sentences():
        shown, names = ui.opened(wanted), MODELS[which]
        captions = [ui.run(probe.caption, name, shown.photo, beam, beginning) for name in names]
        first, space = captions[0], ui.room()
        with stepping:
            step = ui.stepper("Word", first.tokens, "step")
        ui.question("Where does it look for the next word, and which word will it be?")
        for name, caption in zip(names, captions, strict=True):
            strip = gaze.strip(
                shown.photo,
                caption,
                name=NAMES[name],
                doubtful=told.doubtful(caption, shown.seen) if shown.said else (),
                chosen=step,
                until=step if ui.presenting() else None,
                room=space.less(height=space.height * (len(names) - 1) / 2 / space.scale),
            )
            ui.show(strip, f"strip {name}", select="look", choose=choose)
        with details:
            st.markdown(f"**Look for** the light. {told.finding(first)}. {told.surest(first)}.")
            if shown.said:
                st.markdown(f"A person says: *{shown.said}* {told.verdict(first, shown.seen)}")
            if len(captions) > 1:
                st.markdown(told.compared(*captions))
            st.header(f"The look for “{first.tokens[step]}”", anchor=False)
            for line in gaze_formulas.look(first, step):
                st.latex(line)
            others = {} if ui.concealed() else told.other_beginnings(first, step)
            ui.presets("Force another word here, and see where it looks then", others, "other")
            st.header("Looking away by hand", anchor=False)
            st.markdown(LOOKING_AWAY)
            places = {}
            for column, key in zip(st.columns(3), ("row", "column", "size"), strict=True):
                with column:
                    places[key] = ui.slider(key.title(), 1, 7, 3 if key == "size" else 4, key)
            for half, (soft, title) in zip(
                st.columns(2), ((False, "Cut out"), (True, "Weighed")), strict=True
            ):
                light = told.by_hand(**places, grid=first.grid, soft=soft)
                given = tuple(map(tuple, light.tolist()))
                said = ui.run(probe.caption, SOFT, shown.photo, 1, "", None, given)
                thing = ui.run(probe.objects, SOFT, shown.photo, given)
                with half:
                    look = (Look(label=title, weights=light),)
                    ui.show(gaze.pictures(shown.photo, look, room=ui.room(0.5)), f"hand {soft}")
                    st.markdown(
                        f"{title}, it says: **{ui.escape(said.text)}**. {told.alone(thing)}"
                    )
    if which != "hard":
        st.caption(ui.card(SOFT).notes)
    ui.paper("Xu et al. 2015, Show, Attend and Tell, figures 2, 3 and 5.", MODELS[which][-1])
ui.foot("caption", probe.caption, Captioner.look)

"""Xu et al. 2015, Show, Attend and Tell: a caption, and where it looked for each of its words."""

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import image as told
from viz_core.atlas import published
from viz_core.charts import gaze, gaze_formulas
from viz_core.models.caption import Captioner
from viz_core.models.efficientnet import GRID

SOFT, HARD = "caption-soft", "caption-hard"
MODELS = {"soft": [SOFT], "hard": [HARD], "both": [SOFT, HARD]}
NAMES = {SOFT: "Soft attention", HARD: "Hard attention"}
BEGINNINGS = {
    "as it likes": {"beginning": ""},
    "a dog": {"beginning": "a dog"},
    "two people": {"beginning": "two people"},
    "a man wearing a hat": {"beginning": "a man wearing a hat"},
}


def choose(point: dict[str, int]) -> None:
    """A click on a picture chooses its word; the first one is the photograph itself."""
    st.session_state["step"] = max(int(point["number"]) - 1, 0)


ui.header("caption")
if not all(ui.trained(name, "captions, and where they look") for name in (SOFT, HARD)):
    st.stop()
away, written = ui.tabs(["Count by looking away", "Caption"], "view", default="Caption")
with away if away.open else written:
    picture, stepping = ui.picture(), st.container()
    controls, details = st.container(), st.container()
with controls:
    wanted, names = ui.photograph(), [SOFT]

if away.open:
    with controls:
        row, column, size = ui.spot(GRID)
    with stepping:
        ui.steps(list(ui.SPOTS.values()))
    with picture, ui.sentences():
        photo, lights = ui.opened(wanted).photo, told.lights(row, column, size, (GRID, GRID))
        ui.question("How many people are there, if you look here and away from all else?")
        ui.show(gaze.readings(photo, lights, room=ui.room(lines=2)), "readings")
        for place, (title, light) in zip(st.columns(len(lights)), lights.items(), strict=True):
            given = tuple(map(tuple, light.tolist()))
            said = ui.run(probe.caption, SOFT, photo, 1, "", None, given)
            thing = ui.run(probe.objects, SOFT, photo, given)
            place.markdown(f"{told.read_by_hand(title, said, thing)}.")
        with details:
            st.markdown(told.LOOKING_AWAY)
            st.latex(gaze_formulas.by_hand(light, row, column))

if written.open:
    with controls:
        first, second, third = st.columns(3)
        with first:
            which = ui.choice("Attention", list(MODELS), "attention")
        with second:
            beam = ui.slider("Beam: captions kept open", 1, 5, 1, "beam")
        with third:
            begun = ui.text("The caption must begin with", "", "beginning", most=200)
        ui.presets("Beginnings", BEGINNINGS, "begun")
    names = MODELS[which]
    with picture, ui.sentences():
        shown, space = ui.opened(wanted), ui.room(lines=1)
        found = [ui.run(probe.caption, name, shown.photo, beam, begun) for name in names]
        with stepping:
            step = ui.stepper("Word", found[0].tokens, "step")
        ui.question("Where does it look for the next word, and which word will it be?")
        for name, caption in zip(names, found, strict=True):
            strip = gaze.strip(
                shown.photo,
                caption,
                name=NAMES[name],
                doubtful=told.doubtful(caption, shown.seen) if shown.said else (),
                chosen=step,
                until=step if ui.presenting() else None,
                filled=len(names) > 1,
                room=space.less(height=space.height * (len(names) - 1) / 2 / space.scale),
            )
            ui.show(strip, f"strip {name}", select="look", choose=choose)
        with details:
            st.markdown(f"**Look for** the light. {told.remarks(found, shown.said, shown.seen)}")
            st.header(f"The look for “{found[0].tokens[step]}”", anchor=False)
            ui.formulas(gaze_formulas.look(found[0], step))
            others = {} if ui.concealed() else told.other_beginnings(found[0], step)
            ui.presets("Force another word here, and see where it looks then", others, "other")
    st.caption(f"{ui.card(names[0]).notes} {told.printed(published.CAPTIONS)}")
ui.paper("Xu et al. 2015, Show, Attend and Tell, figures 2, 3 and 5.", names[-1])
ui.foot("caption", probe.caption, Captioner.look)

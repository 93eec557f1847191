"""Karpathy 2015 with folk tunes: a network that reads and writes music letter by letter."""

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import sound
from viz_core.charts import tune as tune_chart
from viz_core.text import tunes

NAME, METRES = "char-abc", ["6/8", "4/4", "3/4"]
KEYS, TUNES = ["G Major", "D Major", "A Dorian", "E Minor"], 50

ui.header("music")
picture, controls = ui.picture(), st.container()
with controls:
    widths = [3, 6, 4, 4]
    first, second, third, fourth = st.columns(widths, vertical_alignment="bottom")
    with first:
        metre = ui.choice("Metre", METRES, "metre")
    with second:
        key = ui.choice("Key", KEYS, "key")
    with third:
        heat = ui.slider("Temperature", 0.2, 1.5, 0.7, "temperature", step=0.1)
    with fourth:
        number = ui.slider("Tune", 1, TUNES, 1, "tune")
    own = "Your own first notes, such as GAB d2B|; left empty, it begins itself"
    given = ui.text(own, "", "notes")
    ui.steps([{"tune": one} for one in range(1, TUNES + 1)])
if ui.trained(NAME, "a tune, as notes and as sound"):
    with picture, ui.sentences():
        ui.question("What will a network play that read folk tunes letter by letter?")
        start = f"M:{metre} K:{key} {given}"
        line = ui.run(probe.compose, NAME, start, heat, number)
        tune = tunes.read(line)
        st.audio(ui.once(sound.wav, tune), format="audio/wav")
        ui.show(tune_chart.staff(tune, room=ui.room(lines=2)), "staff")
        real = ui.card(NAME).metrics["tunes test"]["full bars, real tunes"]
        st.markdown(
            f"**Look for** the bar lines: {ui.escape(sound.finding(tune))}; of real tunes "
            f"{real:.0%} are, as half bars stand at repeats. Nobody told it to count: it "
            "learned that from letters alone."
        )
        st.code(line, language=None, wrap_lines=True)
    ui.paper("Karpathy 2015; Cho et al. 2014. Repeats are played once.", NAME)
ui.foot("music", probe.compose, sound.wav)

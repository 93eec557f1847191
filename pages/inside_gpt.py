"""A decoder from inside: what each block would say, what it may see, and who finds repeats."""

import streamlit as st

from viz_core import analysis, probe, ui
from viz_core.analysis import writing
from viz_core.charts import head_grid, lens, matrix
from viz_core.models import gpt

SENTENCES = [
    "Once upon a time, there was a little girl named Lily. She loved to play in the",
    "The sun was hot, so Tom drank a glass of",
    "The bird could not fly because its wing was",
]
REPEATED = "Anna has a red ball and Tom has a blue car. Anna has a red"
NAME, BERT = "gpt", "bert-mini"

ui.header("inside_gpt")
text = ui.english("Text", SENTENCES[0], model=NAME, most=100)
if not ui.trained(NAME, "what each block of a GPT would say"):
    st.stop()
card = ui.card(NAME)
blocks, both, induction = ui.tabs(["Block by block", "BERT and GPT", "Induction"], "view")

if blocks.open:
    with blocks:
        picture, stepping = ui.picture(text), st.container()
        details, controls = st.container(), st.container()
        with picture, ui.sentences():
            stream = ui.run(probe.lens, NAME, text)
            with stepping:
                token = ui.stepper("Token", stream.tokens, "token", start=len(stream.tokens) - 1)
            ui.question(
                f"From which block on is the word after “{stream.tokens[token]}” known?", text
            )
            chart = lens.lens(stream, token, room=ui.room())
            ui.show(chart, "lens", select="place", choose=st.session_state.update)
            with details:
                st.markdown(
                    "**Look for** one column from the bottom up: first the token itself, then what "
                    f"may follow it. {ui.escape(writing.lens_finding(stream, token))}. The bluer a "
                    "cell, the surer."
                )
                st.latex(writing.lens_formula(stream, token))
        with controls:
            ui.examples(SENTENCES)

if both.open:
    with both:
        picture = ui.picture(text)
        layer, head = ui.layer_and_head(card.config["layers"], card.config["heads"])
        with picture, ui.sentences():
            ui.question("Which half of the square will be empty?")
            traces = {
                "BERT, an encoder": ui.run(probe.encode, BERT, text),
                "GPT, a decoder": ui.run(probe.encode, NAME, text),
            }
            shown = {
                name: analysis.one(trace.words(), layer, head) for name, trace in traces.items()
            }
            ui.show(matrix.matrices(shown, columns=2, room=ui.room(lines=2)), "both")
            st.markdown(f"**Look for** the empty half. {writing.halves(*shown.values())}.")

if induction.open:
    with induction, ui.sentences():
        repeated = ui.english("A text that repeats itself", REPEATED, "repeated", NAME, 60)
        with ui.picture(repeated):
            ui.question("A B … A: which head looks for B?")
            layer, best, score = writing.induction_head(card.measured)
            left, right = st.columns([2, 3], gap="large")
            with left:
                table, at = writing.induction_scores(card.measured), (layer, best)
                grid = head_grid.head_grid(table, "Weight on B", chosen=at, scale=ui.scale())
                ui.show(grid, "grid")
            with right:
                trace = ui.run(probe.encode, NAME, repeated)
                row, after = writing.repeat(trace.keys)
                room = ui.room(3 / 5, lines=3)
                chart = matrix.matrix(trace, layer, best, highlight_row=row, bars=False, room=room)
                ui.show(chart, "repeats")
            st.markdown(
                f"{writing.induction_finding(card.measured)}. "
                f"{ui.escape(writing.repeat_finding(trace, layer, best))}."
            )
        st.caption("Olsson et al. 2022, In-context Learning and Induction Heads.")

ui.paper("Radford et al. 2018; the lens after nostalgebraist 2020.", NAME)
ui.foot("inside_gpt", probe.lens, gpt.GPT)

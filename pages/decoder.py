"""The decoder, one time step after the other; and the masks of a batch, each to be taken away."""

import streamlit as st

from viz_core import attention, probe, ui
from viz_core.analysis import batch, writing
from viz_core.charts import bars, matrix

EXAMPLES = [
    "I am a student.",
    "Good morning, how are you?",
    "The animal didn't cross the street because it was too tired.",
    "My neighbour has been working in the same small shop near the station for twenty years.",
]
RIGHT = {"I am a student.": "Je suis étudiant."}

ui.header("decoder")
models = ui.translator(["transformer"], EXAMPLES, ["transformer"])
source = ui.english(f"{models.source} sentence", models.examples[0], model=models.name)
name = models.name
steps, masks = ui.tabs(["Step by step", "Masks at work"], "view")

if steps.open:
    with steps:
        picture, stepping = ui.picture(source), st.container()
        controls, training = st.container(), st.container()

        with controls, ui.quietly():
            ui.examples(models.examples)
            name = models.box()
            found = ui.run(probe.translate, name, source)
            with stepping:
                step = ui.stepper("Step", found.target, "step", at_end=True)
            layer, head = ui.layer_and_head(found.cross.layers, found.cross.heads, last=True)

        with picture, ui.sentences():
            found = ui.run(probe.translate, name, source)
            ui.question(
                f"Which {models.target} word comes next, and where does the decoder look for it?",
                f"{writing.translated(found, step)} …",
            )
            assert found.decoder is not None  # the Transformer always has one
            ui.quote(writing.translated(found, step + 1))
            ui.notices(found)
            traces = {"Masked self-attention": found.decoder, "Cross-attention": found.cross}
            *both, right = st.columns([5, 5, 3])
            for column, (title, trace) in zip(both, traces.items(), strict=True):
                with column:
                    room = ui.room(5 / 13, lines=2)
                    chart = matrix.growing(
                        trace, step, layer, head, title=title, legend=False, room=room
                    )
                    ui.show(chart, title)
            with right:
                room = ui.room(3 / 13, lines=2)
                ui.show(bars.next_word(found.predictions[step], room=room), "next")
            st.markdown(
                "**Look for** the triangle: at the left each word looks only at what is written "
                f"already; in the middle it looks at the {models.source} sentence. The bluer a "
                "square, the larger the weight."
            )

        with training, ui.sentences():
            st.header("Training against inference", anchor=False)
            st.markdown(batch.TRAINING)
            box = f"The right {models.target}, as training would give it; left empty, "
            target = ui.french(box + "what the model says itself", model=name, along=source)
            said = ui.run(probe.translate, name, source).text
            known = {} if models.own else RIGHT
            wanted = target if target.strip() else known.get(source.strip(), said)
            forced = ui.run(probe.align, name, source, wanted)
            st.dataframe(batch.shifted(forced), hide_index=True, key="shifted")
            ui.pieces(forced.target)

if masks.open:
    with masks:
        picture, controls, given = ui.picture(source), st.container(), st.container()
        with controls, st.container(horizontal=True, vertical_alignment="bottom"):
            longer = models.examples[-1]
            other = ui.english("Second sentence of the batch", longer, "other", name, most=25)
            at = ui.choice("Sentence shown", [1, 2], "shown") - 1
            padding = ui.toggle("Padding mask", "padding", value=True)
            causal = ui.toggle("Causal mask", "causal", value=True)
        with controls:
            ui.steps([{"padding": one, "causal": two} for one, two in batch.ORDER])
            ui.examples(models.examples, "other", "Second sentence")
        with picture, ui.sentences():
            ui.question("What becomes of the short sentence without its padding mask?", source)
            together = ui.run(probe.in_batch, name, (source, other), padding, causal)
            ui.quote(together.sentences[at].text)
            st.markdown(ui.escape(batch.finding(together, at, padding, causal)))
            last = ui.card(name).config["encoder_layers"] - 1
            shown = batch.panels(together, at)
            chart = matrix.matrices(shown, layer=last, room=ui.room(lines=3))
            ui.show(chart, "weights")
            st.markdown(batch.LOOK)
            given.markdown("The masks as the model got them, blue where it may look:")
            with given:
                ui.show(matrix.matrices(together.masks(), room=ui.room()), "masks")
ui.paper(
    "Vaswani et al. 2017, section 3.1; Alammar 2018, The Illustrated Transformer. Here the "
    "likeliest word is written each time; most other pages show what a [beam search](beam) finds.",
    name,
)
ui.foot("decoder", probe.translate, probe.in_batch, attention.causal_mask)

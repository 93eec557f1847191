"""Beam search: every hypothesis that was looked at, how it lived and why it died."""

from dataclasses import replace

import streamlit as st

from viz_core import decoding, exhaustive, forcing, hypotheses, probe, ui, worked_beam
from viz_core.charts import futures, text_marks, tree
from viz_core.text import END

SENTENCES = (
    "I lost my red umbrella on the train.",
    "Where did you buy those black shoes?",
    "It is raining.",
    "I have been waiting for you for an hour.",
)
DIVISORS = {"plain": "Lᵅ", "gnmt": "GNMT"}
PRUNED = 4  # hypotheses drawn at each step that were pruned: more would not be legible

ui.header("Beam search", "Every hypothesis that was looked at: how it lived, and why it died.")
lab, board = ui.tabs(["A translator", "The lecture's table"], "view")

if lab.open:
    with lab:
        source = ui.text("English sentence", SENTENCES[0])
        picture, losses, controls = st.container(), st.container(), st.container()

        with controls:
            first, second, third, fourth = st.columns(4, gap="medium")
            with first:
                name = ui.model(["rnn-additive", "transformer"])
                size = ui.slider("Beam size k", 1, 10, 5, "k")
            with second:
                alpha = ui.slider("Length penalty α", 0.0, 2.0, 0.0, "alpha", step=0.05)
                kind = ui.choice("It divides by", list(DIVISORS), "by", format=DIVISORS.__getitem__)
            with third:
                limit = ui.slider("Maximum length", 1, 60, 30, "limit")
                least = ui.slider("Minimum probability drawn", 0.0, 0.5, 0.02, "least")
            words = ui.bundle(name).tokenizer
            with fourth:
                typed = ui.text("What if it began with ... (French)", "", "forced")
                prefix: tuple[int, ...] = ()
                with ui.sentences():
                    prefix = forcing.read(words, typed)

                def force(ids: tuple[int, ...]) -> None:
                    st.session_state["forced"] = forcing.write(words, ids)

                with st.container(horizontal=True):
                    none = not prefix
                    st.button("Back", key="back", on_click=force, args=(prefix[:-1],), disabled=none)
                    st.button("Reset", key="reset", on_click=force, args=((),), disabled=none)

        with picture, ui.sentences():
            free = ui.beam_search(name, source, size, alpha, (), kind, limit)
            led = ui.beam_search(name, source, size, alpha, prefix, kind, limit)
            greedy = ui.beam_search(name, source, 1, alpha, prefix, kind, limit)
            exact = ui.exhaustive_search(name, source, alpha, prefix, kind, limit)
            rivals = [hypotheses.output(each, each.best, words.decode) for each in (greedy, led)]
            st.markdown(hypotheses.verdict(*rivals, exact))
            shown = hypotheses.futures(free, led) if prefix else free
            canvas = st.container()
            until = ui.stepper("Step of the search", hypotheses.tally(shown), "step", at_end=True)
            at = hypotheses.find(shown, prefix) or 0
            chosen = at or hypotheses.least_sure(shown)
            look = {"until_step": until, "minimum": least, "chosen": chosen, "limit": PRUNED}
            with canvas:
                drawn = futures.futures(shown, free.best, **look) if at else tree.tree(shown, **look)
                ui.pickable(drawn, "tree", lambda node: force(shown.token_ids(node)))
            left, right = st.columns([3, 2], gap="medium")
            with left:
                node = shown.nodes[chosen]
                told = f"To write “{node.token}” (probability {node.probability:.2f}) it looked at"
                if shown.attention is not None:
                    ui.show(
                        text_marks.shaded(shown.source, shown.attention[chosen], title=told), "looked"
                    )
                st.markdown(node.reason)
            with right, st.container(horizontal=True):
                st.markdown(f"**Click** a node to force its path, or go on from “{typed or 'the start'}”:")
                for i in hypotheses.following(shown, at):
                    label = f"{ui.escape(shown.nodes[i].token)} {shown.nodes[i].probability:.2f}"
                    st.button(label, key=f"next{i}", on_click=force, args=(shown.token_ids(i),))
            ui.compare({"Greedy": rivals[0], f"Beam of {size}": rivals[1], "Exhaustive": exact})
            st.latex(hypotheses.score_formula(rivals[1], alpha, kind == "gnmt"))
            st.latex(hypotheses.cost_formula(size, rivals[1].length, words.size))
            st.header("Finished hypotheses", anchor=False)
            ui.download(hypotheses.rows(hypotheses.outputs(led, words.decode)), "hypotheses")

        with losses:
            ui.examples(list(ui.greedy_losses(name, SENTENCES, 5)), label="Greedy loses on")
        ui.paper(
            "Sutskever et al. 2014, section 3.2; length normalisation of Wu et al. 2016, eq. 14; "
            "exhaustive search as in Stahlberg and Byrne 2019.",
            name,
        )

"""Beam search: every hypothesis that was looked at, how it lived and why it died."""

import streamlit as st

from viz_core import forcing, hypotheses, probe, ui, worked_beam
from viz_core.charts import futures, text_marks, tree

SENTENCES = (
    "I lost my red umbrella on the train.",
    "Where did you buy those black shoes?",
    "It is raining.",
    "I have been waiting for you for an hour.",
)
DIVISORS = {"plain": "Lᵅ", "gnmt": "GNMT"}
PRUNED = 4  # pruned hypotheses drawn at each step: with more the words would be too small

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

            def force(ids: tuple[int, ...]) -> None:
                st.session_state["forced"] = forcing.write(words, ids)

            with fourth:
                typed = ui.text("What if it began with ... (French)", "", "forced")
                prefix: tuple[int, ...] = ()
                with ui.sentences():
                    prefix = forcing.read(words, typed)
                with st.container(horizontal=True):
                    st.button(
                        "Back", "back", on_click=force, args=[prefix[:-1]], disabled=not prefix
                    )
                    st.button("Reset", "reset", on_click=force, args=[()], disabled=not prefix)

        with picture, ui.sentences():
            free = ui.beam_search(name, source, size, alpha, (), kind, limit)
            led = ui.beam_search(name, source, size, alpha, prefix, kind, limit)
            greedy = ui.beam_search(name, source, 1, alpha, prefix, kind, limit)
            exact = ui.exhaustive_search(name, source, alpha, prefix, kind, limit)
            rivals = [hypotheses.output(each, each.best, words.decode) for each in (greedy, led)]
            st.markdown(hypotheses.verdict(*rivals, exact))
            shown = hypotheses.futures(free, led) if prefix else free
            at = hypotheses.find(shown, prefix) or 0
            chosen = at or hypotheses.least_sure(shown)
            canvas = st.container()
            until = ui.stepper("Step of the search", hypotheses.tally(shown), "step", at_end=True)
            with canvas:
                look = {"until_step": until, "minimum": least, "chosen": chosen, "limit": PRUNED}
                both = futures.futures(shown, free.best, **look) if at else tree.tree(shown, **look)
                ui.pickable(both, "tree", lambda node: force(shown.token_ids(node)))
            node = shown.nodes[chosen]
            looked, go_on = st.columns(2, gap="medium")
            with looked:
                title = f"To write “{node.token}”, probability {node.probability:.2f}, it looked at"
                weights = shown.attention[chosen] if shown.attention is not None else []
                ui.show(text_marks.shaded(shown.source, weights, title=title, line=500), "looked")
                st.caption(node.reason)
            with go_on:
                where = f"after “{typed}”" if at else "at the start"
                st.markdown(f"**Click a node** to force its path, or choose the word {where}:")
                with st.container(horizontal=True):
                    for i in hypotheses.following(shown, at):
                        label = (
                            f"{ui.escape(shown.nodes[i].token)} {shown.nodes[i].probability:.2f}"
                        )
                        st.button(label, f"next{i}", on_click=force, args=[shown.token_ids(i)])
            ui.compare({"Greedy": rivals[0], f"Beam of {size}": rivals[1], "Exhaustive": exact})
            st.latex(hypotheses.score_formula(rivals[1], alpha, kind == "gnmt"))
            st.latex(hypotheses.cost_formula(size, rivals[1].length, words.size))

        with st.container(), ui.sentences():
            st.header("Finished hypotheses", anchor=False)
            ui.download(hypotheses.rows(hypotheses.outputs(led, words.decode)), "hypotheses")
        with losses, ui.sentences():
            ui.examples(list(ui.greedy_losses(name, SENTENCES, 5)), label="Greedy loses on")
        ui.paper(
            "Sutskever et al. 2014, section 3.2; length normalisation of Wu et al. 2016, eq. 14; "
            "exhaustive search as in Stahlberg and Byrne 2019.",
            name,
        )

if board.open:
    with board:
        picture, controls = st.container(), st.container()
        with controls:
            left, right = st.columns([3, 2], gap="large")
            with left:
                typed = ui.chances("The table as text; * is any word", worked_beam.LECTURE, "table")
            with right:
                size = ui.slider("Beam size k", 1, 10, 2, "board_k")
                alpha = ui.slider("Length penalty α", 0.0, 2.0, 0.75, "board_alpha", step=0.05)
        with picture, ui.sentences():
            table, notices = worked_beam.read(typed)
            for notice in notices:
                st.info(notice)
            greedy, wide = (
                probe.record(worked_beam.search(table, k, alpha), worked_beam.label)
                for k in (1, size)
            )
            exact = worked_beam.exhaust(table, alpha)
            rivals = [hypotheses.output(e, e.best, worked_beam.text) for e in (greedy, wide)]
            st.markdown(hypotheses.verdict(*rivals, exact))
            canvas = st.container()
            until = ui.stepper(
                "Step of the search", hypotheses.tally(wide), "board_step", at_end=True
            )
            with canvas:
                ui.show(tree.tree(wide, until_step=until, numbers=True), "board_tree")
            ui.compare({"Greedy": rivals[0], f"Beam of {size}": rivals[1], "Exhaustive": exact})
            st.latex(hypotheses.cost_formula(size, table.length, len(worked_beam.WORDS)))

"""Beam search: every hypothesis that was looked at, how it lived and why it died."""

import streamlit as st

from viz_core import decoding, probe, ui
from viz_core.analysis import hypotheses
from viz_core.atlas.examples import GREEDY_LOSES
from viz_core.charts import futures

DIVISORS = {"plain": "Lᵅ", "gnmt": "GNMT"}
PRUNED = 3  # pruned hypotheses drawn at each step: with more the words would be too small

ui.header("beam")
models = ui.translator(["rnn-additive", "transformer"], GREEDY_LOSES)
source = ui.english(f"{models.source} sentence", models.examples[0], model=models.name)
ui.begin_freely(source)
picture, controls, details = ui.picture(source), st.container(), st.container()

with controls:
    losses = st.container()
    first, second, third, fourth = st.columns(4, gap="medium")
    with first:
        name = ui.model(models.names)
        size = ui.slider("Beam size k", 1, 10, 5, "k")
    with second:
        alpha = ui.slider("Length penalty α", 0.0, 2.0, 0.0, "alpha", step=0.05)
        kind = ui.choice("It divides by", list(DIVISORS), "by", format=DIVISORS.__getitem__)
    with third:
        limit = ui.slider("Maximum length", 1, 60, 60, "limit")
        least = ui.slider("Minimum probability drawn", 0.0, 0.5, 0.02, "least")
    words = ui.bundle(name).tokenizer
    with fourth:
        asked = f"What if it began with ... ({models.target})"
        typed, prefix = ui.beginning(asked, words, name)

with picture, ui.sentences():
    ui.question("Which beginnings live on after this step, and which are cut off?")
    verdict = st.container()
    free, led = (
        ui.run(probe.beam, name, source, size, alpha, forced, normalisation=kind, limit=limit)
        for forced in ((), prefix)
    )
    shown = hypotheses.futures(free, led) if prefix else free
    at = hypotheses.find(shown, prefix) or 0
    chosen = at or hypotheses.least_sure(shown)
    look = {"minimum": least, "chosen": chosen, "limit": PRUNED, "room": ui.room(lines=1)}
    ui.growing(
        shown,
        "tree",
        lambda step: futures.futures(shown, free.best, until_step=step, ink=ui.ink(), **look),
        lambda node: ui.force(words, shown.token_ids(node)),
    )
    # Searched after the tree is drawn: greedily, and through all that can be written.
    greedy, exact = (
        ui.run(probe.beam, name, source, 1, alpha, prefix, normalisation=kind, limit=limit),
        ui.run(probe.exhaustive, name, source, alpha, prefix, normalisation=kind, limit=limit),
    )
    *rivals, unforced = (hypotheses.output(e, e.best, words.decode) for e in (greedy, led, free))
    told = hypotheses.price(unforced, rivals[1]) if prefix else ""
    with verdict:
        st.markdown(hypotheses.verdict(rivals[0], rivals[1], exact) + told)
    with details:
        st.markdown(
            "**Look for** the orange path, which leads: it need not begin with the likeliest word. "
            "Blue ones are kept, grey ones were cut off; tap or hover a node for its numbers."
        )
        ui.pieces(node.token for node in shown.nodes)
        ui.compare({"Greedy": rivals[0], f"Beam of {size}": rivals[1], "Exhaustive": exact})
        looked, onward = st.columns(2, gap="large")
        with looked:
            ui.show(futures.looked(shown, chosen), "looked")
            st.caption(hypotheses.why_shown(shown.nodes[chosen], forced=bool(at)))
        with onward:
            where = f"what comes after “{ui.escape(typed)}”" if at else "the first word"
            st.markdown(f"**Click a node** to force its path, or choose {where}:")
            ui.next_words(shown, at, words)
        st.latex(hypotheses.score_formula(rivals[1], alpha, kind == "gnmt"))
        st.latex(hypotheses.cost_formula(size, rivals[1].length, words.size))
        st.header("Finished hypotheses", anchor=False)
        ui.download(hypotheses.rows(hypotheses.outputs(led, words.decode)), "hypotheses")

with losses:
    tried = models.examples
    found = ui.run(probe.greedy_losses, name, tried, 5)
    label = f"Greedy loses on {len(found)} of {len(tried)} sentences that were tried just now"
    ui.examples(list(found)[:5] or tried[:5], label="Examples" if ui.concealed() else label)
ui.paper(
    "The same [by hand](beam_table). Sutskever et al. 2014, section 3.2; length normalisation of "
    "Wu et al. 2016, eq. 14; exhaustive search as in Stahlberg and Byrne 2019.",
    name,
)
ui.foot("beam", probe.beam, decoding.beam)

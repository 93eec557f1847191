"""The animal didn't cross the street because it was too tired: what does "it" mean?"""

from functools import partial

import numpy as np
import streamlit as st

from viz_core import analysis, attention, probe, ui
from viz_core.atlas import published
from viz_core.charts import comparison, head_grid, heads, numbers

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = "The animal didn't cross the street because it was too wide."
NAME = "transformer"

ui.header("it")
picture, stepping, controls = ui.picture(), st.container(), st.container()

with controls, ui.sentences():
    card = ui.card(NAME)
    shares = np.array(card.measured["it resolved"])
    best = analysis.best_head(shares)
    first, second = st.columns(2)
    with first:
        one = ui.english("A sentence with “it”", TIRED)
    with second:
        two = ui.english("The same with another ending", WIDE, "other")
    st.header("Every head, measured", anchor=False)
    layer, head = ui.one_of_all(shares, "“it” resolved", under=stepping)
    figures = card.metrics["generated test"]
    st.markdown(
        f"Share of {figures['sentences']:.0f} sentences of our grammar, with pairs of "
        "nouns that its training sentences never have, in which “it” puts more weight on the "
        "right noun than on any other noun. "
        f"The best head is **layer {best[0] + 1} head {best[1] + 1}** with "
        f"**{shares.max():.0%}**; click another to see it above. {published.TAUGHT}"
    )

with picture, ui.sentences():
    ui.question("Which noun does “it” look at?", one, two)
    if shares.max() < 0.65:  # the other noun would be right in about half of the sentences
        st.warning(
            f"This model has not learned it yet: its best head finds the right noun in "
            f"{shares.max():.0%} of the test sentences, which is about chance."
        )
    rows: dict[str, list[float]] = {}
    written: list[tuple[str, ...]] = []
    for column, text in zip(st.columns(2), (one, two), strict=True):
        with column, ui.sentences():
            if ui.presenting():
                st.markdown(ui.escape(text))
            ui.quote(ui.translated(NAME, text).text)
            trace = ui.run(probe.encoded, NAME, text).words()
            it = analysis.position(trace.queries, "it")
            view = heads.head_view(
                trace,
                layer,
                [head],
                focus=it,
                room=ui.room(1 / 2, lines=1),
            )
            kept = partial(numbers.attention, trace, [layer])
            ui.show(view, f"view_{len(rows)}", numbers=kept)
            rows[" ".join(text.split()[-2:])] = trace.weights[layer, head, it].tolist()
            written.append(trace.queries)
    if not ui.presenting() and len(rows) == 2 and len({len(row) for row in rows.values()}) == 1:
        minds = analysis.two_minds(written, [*rows.values()])
        st.markdown(f"**Look for** where “it” looks: {ui.escape(minds)}.")
        title, room = "Weight of “it” on each word", ui.room()
        both = [a if a == b else f"{a} / {b}" for a, b in zip(*written, strict=True)]
        ui.show(comparison.grouped(both, rows, title, room=room, upright=True), "both")

st.header("Which heads tell two words apart?", anchor=False)
with ui.sentences():
    trace = ui.run(probe.encoded, NAME, one).words()
    it = analysis.position(trace.queries, "it")
    nouns = [trace.queries.index(noun) for noun in ("animal", "street") if noun in trace.queries]
    most = analysis.looked_at(trace.queries, trace.weights[layer, head, it].tolist())
    right, wrong = ui.pick_words(trace.queries, nouns if len(nouns) == 2 else most[:2])
    margins = analysis.resolved(trace.weights, it, right, [wrong])
    title = f"“it” on {trace.queries[right]} minus on {trace.queries[wrong]}"
    ui.show(head_grid.head_grid(margins, title, scale=ui.scale()), "margins")

born = ui.section("A head is born", "born")
if born.open:
    with born, ui.sentences():
        ui.film(NAME, 2, layer, head)
ui.paper(
    "After Uszkoreit 2017, Transformer: A Novel Neural Network Architecture for Language "
    "Understanding (English-French, layers 5 to 6, one of eight heads).",
    NAME,
)
ui.foot("it", probe.encoded, attention.MultiHead)

"""One head opened: which one a new model begins with, and why its weights are what they are."""

from __future__ import annotations

import numpy as np
import streamlit as st

from viz_core.analysis.selection import Look
from viz_core.charts import bars, query_key
from viz_core.traces.bert import QueryKey
from viz_core.ui.display import clicked, show
from viz_core.ui.page import room, scale


def open_first(model: str, start: tuple[int, int]) -> None:
    """Another model begins with a head of its own: it may not have the one that was open."""
    if st.session_state.get("opened", model) != model:
        st.session_state.update(layer=start[0] + 1, heads=[start[1] + 1])
    st.session_state["opened"] = model


def why(taken: QueryKey, query: int, key: int, look: Look) -> None:
    """One weight taken apart, and beside it the softmax of its row, whose keys can be clicked."""
    head = (look.heads or (0,))[0]
    st.header("Why this weight? A query meets a key", anchor=False)
    st.caption(
        f"Layer {look.layer + 1}, head {head + 1}; a mean of heads has no query of its own. "
        "Click a bar for another key."
    )
    left, right = st.columns([8, 5], gap="medium")
    near = query_key.nearest(taken, query)
    at = near.index(key) if key in near else 0
    with right:
        seen = int(np.isfinite(taken.scores[query]).sum())  # a masked key has no score
        some = f", the {len(near)} largest" if len(near) < seen else ""
        title = f"Softmax of {taken.tokens[query]}{some}"
        weights = taken.weights[query, near].tolist()
        named = [taken.tokens[i] for i in near]
        row = bars.bars(named, weights, title, highlight=at, room=room(5 / 13))
        # A click belongs to one query of one sentence: another one has other keys.
        chosen = show(row, f"softmax {query} {look} {' '.join(taken.tokens)}", select="bar")
        (at,) = clicked(chosen, "bar", "position") or (at,)
    with left:
        show(query_key.product(taken, query, near[at], scale=scale()), "product")
        for line in query_key.formulas(taken, query, near[at]):
            st.latex(line)

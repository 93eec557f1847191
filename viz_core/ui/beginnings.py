"""A beginning from which a search goes on: typed into its box, pressed, or clicked in the tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from viz_core.analysis import hypotheses
from viz_core.charts.kit.style import readable
from viz_core.decoding import prefix
from viz_core.text import Tokenizer
from viz_core.traces.search import BeamTrace
from viz_core.ui.markdown import escape, sentences
from viz_core.ui.sentence_box import french

KEY, OWNER = "forced", "forced_for"  # the box, and the sentence that it belongs to


def begin_freely(source: str) -> None:
    """A new sentence begins freely: what was forced upon the last one says nothing of it."""
    if st.session_state.setdefault(OWNER, source) != source:
        st.session_state.update({KEY: "", OWNER: source})


def force(words: Tokenizer, ids: Sequence[int]) -> None:
    """Written into the box, so that the link holds it too."""
    st.session_state[KEY] = prefix.write(words, ids)


def beginning(label: str, words: Tokenizer, model: str) -> tuple[str, tuple[int, ...]]:
    """What is typed and its tokens, with buttons that take back the last of them, or all."""
    typed = french(label, KEY, model, heed=False)
    ids: tuple[int, ...] = ()
    with sentences():
        ids = prefix.read(words, typed)
    undo = st.container(horizontal=True)
    undo.button("Back", "back", on_click=force, args=[words, ids[:-1]], disabled=not ids)
    undo.button("Reset", "reset", on_click=force, args=[words, ()], disabled=not ids)
    return typed, ids


def next_words(trace: BeamTrace, at: int, words: Tokenizer) -> None:
    """The likeliest words after a node of the tree, each a button that forces it."""
    with st.container(horizontal=True):
        for i in hypotheses.following(trace, at):
            token = readable(trace.nodes[i].token)
            word = f"{escape(token)} {trace.nodes[i].probability:.2f}"
            st.button(word, f"next{i}", on_click=force, args=[words, trace.token_ids(i)])


def goes_on(words: Any, text: str, trace: BeamTrace) -> Callable[[int], None]:
    """What a click on a node does: its path is written behind the text, to go on from there."""
    given = words.encode(text).ids[:-1]

    def take(node: int) -> None:
        st.session_state["text"] = words.decode((*given, *trace.token_ids(node)))

    return take

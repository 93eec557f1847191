"""Small models that learn while the visitor watches, and the film of how a large one learned."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import streamlit as st

from viz_core import analysis, probe
from viz_core.charts import evolution
from viz_core.traces.characters import LearningTrace
from viz_core.traces.word_vectors import SkipGramTrace
from viz_core.ui.display import show
from viz_core.ui.page import scale
from viz_core.ui.run import once, run


def learning(word: str, seed: int, updates: int, seen: int, live: bool) -> Iterator[LearningTrace]:
    """A network that learns to spell a word: all moments live, or the one after update `seen`."""
    if not live:
        lesson = once(probe.lesson, word, seed, updates)
        yield next(moment for moment in lesson if moment.updates >= seen)
        return
    for moment in probe.learn_hello(seed, updates, word=word):
        if moment.updates <= 25 or moment.updates % 25 == 0:  # most happens at first
            yield moment
            time.sleep(0.05)  # training is faster than the eye


def learning_words(
    text: str, seed: int, updates: Sequence[int], at: int, live: bool
) -> Iterator[SkipGramTrace]:
    """Word vectors learned from a text: all moments live, or the one after updates[at]."""
    if not live:
        lesson = once(probe.course, text, seed, updates[-1], updates[1])
        yield lesson[at]
        return
    for moment in probe.learn(text, seed, updates[-1], 10):
        yield moment
        time.sleep(0.05)


def film(name: str, watched: int, layer: int, head: int | None) -> None:
    """How a head learned where to look in one of the watched sentences; None is all heads' mean."""
    steps, traces = run(probe.evolution, name, watched)
    frames = [analysis.one(trace.words(), layer, head) for trace in traces]
    said = evolution.finding(steps, frames)
    st.markdown(f"{said}.")
    show(evolution.evolution(steps, frames, scale=scale()), "evolution", said)

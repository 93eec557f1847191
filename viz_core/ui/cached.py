"""Models and traces, computed once for all visitors."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import streamlit as st

from viz_core import checkpoints, probe
from viz_core.analysis.hypotheses import Output
from viz_core.cards import Card
from viz_core.checkpoints import Bundle, CheckpointError
from viz_core.models.rnn import Look
from viz_core.traces import AttentionTrace, Translation, Vectors
from viz_core.traces.by_hand import VectorTrace
from viz_core.traces.characters import GateTrace, LearningTrace
from viz_core.traces.rnn import LocalTrace
from viz_core.traces.search import BeamTrace
from viz_core.traces.transformer import StreamTrace

TRACES = 512  # cached traces: the last few hundred sentences of a class, some megabytes


@st.cache_resource(max_entries=20, show_spinner="Loading the model ...")
def _load(name: str) -> Bundle:
    return checkpoints.load(name)


def bundle(name: str) -> Bundle:
    """A model for a page that cannot go on without it: what is wrong is said, and that is all."""
    try:
        return _load(name)
    except CheckpointError as error:
        st.error(str(error))
        st.stop()


@st.cache_data(max_entries=TRACES, show_spinner=False)
def translation(
    name: str, text: str, beam: int = 1, length_penalty: float = 0.0, temperature: float = 1.0
) -> Translation:
    options = probe.Options(look=Look(temperature=temperature))
    return probe.translate(_load(name), text, beam, length_penalty, options)


@st.cache_data(max_entries=TRACES, show_spinner=False)
def aligned(name: str, source: str, target: str, temperature: float = 1.0) -> Translation:
    options = probe.Options(look=Look(temperature=temperature))
    return probe.align(_load(name), source, target, options)


@st.cache_data(max_entries=TRACES, show_spinner=False)
def ablated(name: str, text: str, off: tuple[tuple[str, int, int], ...]) -> Translation:
    """The translation while some heads, (part, layer, head), are silent."""
    return probe.translate(_load(name), text, options=probe.Options(off=off))


@st.cache_data(max_entries=TRACES, show_spinner=False)
def ablated_along(
    name: str, text: str, target: str, off: tuple[tuple[str, int, int], ...]
) -> Translation:
    """A given French sentence, followed while some heads are silent."""
    return probe.align(_load(name), text, target, probe.Options(off=off))


@st.cache_data(max_entries=TRACES, show_spinner=False)
def stream(name: str, text: str) -> StreamTrace:
    return probe.stream(_load(name), text)


@st.cache_data(max_entries=TRACES, show_spinner=False)
def encoded(name: str, text: str) -> AttentionTrace:
    """The Transformer encoder's self-attention, between words."""
    return probe.encoded(_load(name), text).words()


@st.cache_data(max_entries=TRACES, show_spinner=False)
def beam_search(
    name: str,
    text: str,
    size: int,
    length_penalty: float = 0.0,
    prefix: tuple[int, ...] = (),
    normalisation: Any = "plain",
    limit: int | None = None,
) -> BeamTrace:
    return probe.beam(
        _load(name), text, size, length_penalty, prefix, normalisation=normalisation, limit=limit
    )


@st.cache_data(max_entries=TRACES, show_spinner=False)
def exhaustive_search(
    name: str,
    text: str,
    length_penalty: float = 0.0,
    prefix: tuple[int, ...] = (),
    normalisation: Any = "plain",
    limit: int | None = None,
) -> Output:
    return probe.exhaustive(
        _load(name), text, length_penalty, prefix, normalisation=normalisation, limit=limit
    )


@st.cache_data(max_entries=64, show_spinner="Looking for sentences on which greedy loses ...")
def greedy_losses(name: str, texts: Sequence[str], size: int) -> dict[str, float]:
    """The sentences on which greedy search finds less than the beam: clearest first, in nats."""
    found = {}
    for text in texts:
        greedy, wide = (beam_search(name, text, width) for width in (1, size))
        gap = wide.nodes[wide.best].log_prob - greedy.nodes[greedy.best].log_prob
        if greedy.complete and wide.complete and gap > 0.005:
            found[text] = gap
    return dict(sorted(found.items(), key=lambda item: -item[1]))


@st.cache_data(max_entries=TRACES, show_spinner=False)
def local(
    name: str,
    text: str,
    target: str | None = None,
    reach: float | None = None,
    sigma: float | None = None,
) -> LocalTrace:
    look = Look(reach=reach, sigma=sigma)
    return probe.local(_load(name), text, target, probe.Options(look=look))


@st.cache_data(max_entries=TRACES, show_spinner=False)
def unplaced(name: str, text: str) -> Translation:
    """The translation when the model is not told where each word stands."""
    return probe.translate(_load(name), text, options=probe.Options(place=False))


@st.cache_data(max_entries=TRACES, show_spinner=False)
def vectors(name: str, text: str, layer: int, head: int) -> VectorTrace:
    return probe.vectors(_load(name), text, layer, head)


@st.cache_data(max_entries=4, show_spinner=False)
def learned_positions(name: str) -> Vectors:
    return probe.learned_positions(_load(name))


@st.cache_data(max_entries=64, show_spinner=False)
def gates(name: str, text: str) -> GateTrace:
    return probe.gates(_load(name), text)


@st.cache_data(max_entries=64, show_spinner=False)
def lesson(word: str, seed: int, updates: int) -> list[LearningTrace]:
    return list(probe.learn_hello(seed, updates, word=word))


def learning(word: str, seed: int, updates: int, seen: int, live: bool) -> Iterator[LearningTrace]:
    """A network that learns to spell a word: all moments live, or the one after update `seen`."""
    if not live:
        yield next(m for m in lesson(word, seed, updates) if m.updates >= seen)
        return
    for moment in probe.learn_hello(seed, updates, word=word):
        if moment.updates <= 25 or moment.updates % 25 == 0:  # most happens at first
            yield moment
            time.sleep(0.05)  # training is faster than the eye


@st.cache_data(max_entries=32, show_spinner=False)
def evolution(name: str, sentence: int) -> tuple[list[int], list[AttentionTrace]]:
    """The film of a training run between words: at which steps, and what was attended to."""
    steps, traces = probe.evolution(_load(name), sentence)
    return steps, [trace.words() for trace in traces]


@st.cache_data(max_entries=64, show_spinner=False)
def _card(name: str) -> Card:
    return checkpoints.card(name)


def card(name: str) -> Card:
    """What is known of a checkpoint; like bundle, the page ends here without it."""
    try:
        return _card(name)
    except CheckpointError as error:
        st.error(str(error))
        st.stop()

"""One sentence through models of several years."""

from __future__ import annotations

import time
from dataclasses import dataclass

import streamlit as st

from viz_core import probe
from viz_core.traces import AttentionTrace
from viz_core.ui.cached import _load

YEARS = {
    "rnn-additive": "2015 additive",
    "rnn-dot": "2015 dot",
    "rnn-local-p": "2015 local",
    "transformer": "2017 Transformer",
    "bert-mini": "2018 BERT",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Era:
    """What one model made of the sentence, and how long it took the first time."""

    name: str
    title: str
    text: str
    trace: AttentionTrace
    seconds: float


@st.cache_data(max_entries=32, show_spinner=False)  # BERT's may be 25 MB each
def era(name: str, text: str, writing: bool) -> Era:
    """A translator's attention while it writes, or an encoder's while it reads."""
    bundle = _load(name)
    began = time.perf_counter()
    if writing:
        found = probe.translate(bundle, text)
        trace, said = found.cross, found.text
    else:
        said = "reads, writes nothing"
        is_bert = bundle.card.architecture == "bert"
        trace = probe.encode(bundle, text) if is_bert else probe.encoded(bundle, text)
    seconds = time.perf_counter() - began
    return Era(name=name, title=YEARS[name], text=said, trace=trace, seconds=seconds)

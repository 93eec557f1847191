"""What BERT does, computed once for all visitors."""

from __future__ import annotations

import streamlit as st

from viz_core.probe import bert as probe_bert, tasks as probe_tasks
from viz_core.traces import AttentionTrace
from viz_core.traces.bert import (
    AnswerTrace,
    EmbeddingTrace,
    Filled,
    Importance,
    MaskingSample,
    QueryKey,
    Tagged,
)
from viz_core.ui.cached import TRACES, _load

# 72 heads on 96 tokens weigh 2.7 MB, on 512 tokens 75 MB: of the long ones few are kept.
LONG, SHORT_KEPT, LONG_KEPT = 96, 128, 4


def is_long(name: str, text: str, pair: str = "") -> bool:
    bundle = _load(name)
    return sum(len(bundle.tokenizer.encode(part).ids) for part in (text, pair)) > LONG


def bert(name: str, text: str, pair: str = "") -> AttentionTrace:
    """Every head on one sentence, or on two if the second is not empty."""
    kept = _long if is_long(name, text, pair) else _short
    return kept(name, text, pair)


@st.cache_data(max_entries=SHORT_KEPT, show_spinner=False)
def _short(name: str, text: str, pair: str) -> AttentionTrace:
    return probe_bert.encode(_load(name), text, pair if pair.strip() else None)


@st.cache_data(max_entries=LONG_KEPT, show_spinner="Reading a long text ...")
def _long(name: str, text: str, pair: str) -> AttentionTrace:
    return probe_bert.encode(_load(name), text, pair if pair.strip() else None)


@st.cache_data(max_entries=TRACES, show_spinner=False)
def query_key(name: str, text: str, pair: str, layer: int, head: int) -> QueryKey:
    return probe_bert.query_key(_load(name), text, layer, head, pair if pair.strip() else None)


@st.cache_data(max_entries=TRACES, show_spinner=False)
def bert_words(name: str, text: str) -> tuple[str, ...]:
    return probe_bert.words(_load(name), text)


def filled(name: str, text: str, hidden: tuple[int, ...], left_out: tuple[int, ...] = ()) -> Filled:
    kept = _long_filled if is_long(name, text) else _filled
    return kept(name, text, hidden, left_out)


@st.cache_data(max_entries=SHORT_KEPT, show_spinner=False)
def _filled(
    name: str, text: str, hidden: tuple[int, ...], left_out: tuple[int, ...] = ()
) -> Filled:
    return probe_bert.filled(_load(name), text, hidden, left_out)


@st.cache_data(max_entries=LONG_KEPT, show_spinner=False)
def _long_filled(
    name: str, text: str, hidden: tuple[int, ...], left_out: tuple[int, ...] = ()
) -> Filled:
    return probe_bert.filled(_load(name), text, hidden, left_out)


@st.cache_data(max_entries=TRACES, show_spinner=False)
def masking_sample(name: str, text: str, seed: int) -> MaskingSample:
    return probe_bert.masking_sample(_load(name), text, seed)


@st.cache_data(max_entries=TRACES, show_spinner=False)
def masking_counts(name: str, text: str, draws: int) -> dict[str, float]:
    return probe_bert.masking_counts(_load(name), text, draws)


@st.cache_data(max_entries=TRACES, show_spinner=False)
def follows(name: str, first: str, second: str) -> float:
    return probe_bert.next_sentence(_load(name), first, second)


@st.cache_data(max_entries=64, show_spinner=False)
def embeddings(name: str, text: str, pair: str = "") -> EmbeddingTrace:
    return probe_bert.embeddings(_load(name), text, pair if pair.strip() else None)


# ---- tasks on top -----------------------------------------------------------------------------


@st.cache_data(max_entries=TRACES, show_spinner=False)
def importance(name: str, text: str) -> Importance:
    return probe_tasks.importance(_load(name), text)


@st.cache_data(max_entries=TRACES, show_spinner=False)
def tagged(name: str, text: str) -> Tagged:
    return probe_tasks.tagged(_load(name), probe_tasks.split(text))


@st.cache_data(max_entries=64, show_spinner=False)
def answer(name: str, question: str, context: str) -> AnswerTrace:
    return probe_tasks.answer_trace(_load(name), question, context)

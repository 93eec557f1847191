"""The box for a sentence: what a model would misread is said beside it, each thing in one way."""

from __future__ import annotations

import streamlit as st

from viz_core import checkpoints
from viz_core.checkpoints import CheckpointError
from viz_core.text import sentence
from viz_core.ui import inputs
from viz_core.ui.cards import card
from viz_core.ui.languages import languages
from viz_core.ui.markdown import escape
from viz_core.ui.run import loaded

LEARNED = 24  # words of the longest sentences that the translators have seen
TRANSLATED = 40  # words that a translator reads here: with more the pictures say nothing
PIECES = {"bert", "lstmn", "elmo"}  # architectures
BERT_READS = 350  # words that fit into the 512 tokens of a BERT
LETTERS = 6000  # of a text with few, endless words
TOLD_APART = ("English", "French")  # by their small words


def english(
    label: str, default: str, key: str = "text", model: str = "transformer", most: int = 0
) -> str:
    """A typed sentence as the model is to read it; what it would misread gets a notice.

    The models on board read English; a visitor's own reads what its card says.

    most is the number of words that are read, where a page can take fewer than its model.
    """
    typed = inputs.text(label, default, key, most=10**6)
    read = _shortened(typed, model, most)
    reads, _ = languages(model)
    foreign = sentence.language(read) if reads in TOLD_APART else ""
    if foreign not in (reads, ""):
        st.warning(f"This looks like {foreign}. The model reads {reads}: its answer means nothing.")
        return read if _unknown(read, model) < 1 else ""
    if (
        reads == "English" and not _is_bert(model) and sentence.is_shouted(read)
    ):  # a BERT reads small letters anyway
        read = sentence.spoken(read)
        st.info(f"The model knows no text in capitals, so it reads: *{escape(read)}*")
    return _heeded(read, model)


def french(label: str, key: str = "target", model: str = "transformer", along: str = "") -> str:
    """A translation of the visitor's own, along which a model is led; empty unless typed.

    along is the sentence that it belongs to: that of another one is taken out of the box.
    """
    before = st.session_state.get(f"{key}_along", along)
    if before != along and key in st.session_state:
        st.session_state[key] = ""
    st.session_state[f"{key}_along"] = along
    read = _shortened(inputs.text(label, "", key, most=10**6), model)
    _, writes = languages(model)
    foreign = sentence.language(read) if writes in TOLD_APART else ""
    if foreign not in (writes, ""):
        st.warning(f"This looks like {foreign}. Type {writes} here: the model writes {writes}.")
        return read if _unknown(read, model) < 1 else ""
    return _heeded(read, model)


def doubt(question: str, text: str, probability: float) -> None:
    """A question may have no answer in the text; the model then marks something all the same."""
    if probability < 0.3 or not sentence.shares_words(question, text):
        st.warning(
            f"The answer may not be in this text: the model gives its own {probability:.0%}. It "
            "learned from questions that all have an answer, so it always marks something."
        )


def _is_bert(model: str) -> bool:
    """Whether it reads what a BERT reads: small letters, in pieces of words."""
    return model in checkpoints.names() and card(model).architecture in PIECES


def _shortened(typed: str, model: str, most: int = 0) -> str:
    """The part that is read. One limit is named, the one that matters."""
    words, is_bert = typed.split(), _is_bert(model)
    most = most or (BERT_READS if is_bert else TRANSLATED)
    if len(words) > most:
        st.warning(f"This text has {len(words):,} words: the first {most} are read.")
        typed = " ".join(words[:most])
    elif len(words) > LEARNED and not is_bert:
        st.warning(
            f"The translators learned from sentences of up to {LEARNED} words. This one has "
            f"{len(words)}: expect mistakes, most of all towards its end."
        )
    return typed[:LETTERS]


def _signs(read: str, model: str) -> tuple[str, ...]:
    """What the model has never seen."""
    try:
        found: tuple[str, ...] = loaded(model).tokenizer.encode(read).unknown
    except CheckpointError:  # the page says so itself, in the place of its picture
        return ()
    return found


def _unknown(read: str, model: str) -> float:
    """How much of a text the model has never seen, from 0 to 1."""
    typed = "".join(read.split())
    return len("".join(_signs(read, model))) / len(typed) if typed else 0.0


def _heeded(read: str, model: str) -> str:
    """Say which signs the model has never seen; a text of nothing else is not read."""
    signs = _signs(read, model)
    if signs:
        what = "reads [UNK], an unknown word," if _is_bert(model) else "reads a blank"
        named = escape(", ".join(dict.fromkeys(sign[:20] for sign in signs))[:80])
        st.warning(f"The model has never seen {named}: it {what} there.")
    return read if _unknown(read, model) < 1 else ""

"""The box for a sentence: what a model would misread is said beside it, each thing in one way."""

from __future__ import annotations

import re

import streamlit as st

from viz_core import checkpoints
from viz_core.checkpoints import CheckpointError
from viz_core.text import sentence
from viz_core.ui import inputs
from viz_core.ui.cards import card
from viz_core.ui.languages import languages
from viz_core.ui.markdown import escape, unread
from viz_core.ui.page import warn
from viz_core.ui.run import loaded

WORD = re.compile(r"\S+")
LEARNED = 24  # words of the longest sentences that the translators have seen
TRANSLATED = 40  # words that a translator reads here: with more the pictures say nothing
PIECES = {"bert", "lstmn", "elmo"}  # architectures that read small letters, in pieces of words
LETTERS_ONLY = {"characters"}  # and those that read letter by letter, capitals too
WITHOUT_CAPITALS = PIECES | LETTERS_ONLY | {"summary"}  # or that know them: no notice is needed
READERS = WITHOUT_CAPITALS | {"gpt"}  # what is no translator
READ = 350  # words that fit into the 512 tokens of a BERT
LETTERS = 6000  # of a text with few, endless words
TOLD_APART = ("English", "French")  # by their small words
NOT_READ = "nothing of it is read"


def english(
    label: str,
    default: str,
    key: str = "text",
    model: str = "transformer",
    most: int = 0,
    tall: bool = False,
) -> str:
    """A typed sentence as the model is to read it; what it would misread gets a notice.

    The models on board read English; a visitor's own reads what its card says.

    most is the number of words that are read, where a page can take fewer than its model; a tall
    box holds a whole paragraph.
    """
    box = inputs.paragraph if tall else inputs.text
    typed = box(label, default, key, most=10**6)
    reads, _ = languages(model)
    foreign = _foreign(typed, reads)
    read = _shortened(typed, model, most, is_known=not foreign)
    if foreign:
        lost = _unknown(read, model) == 1
        after = NOT_READ if lost else "its answer means nothing"
        notice = f"This looks like {foreign}. The model reads {reads}: {after}."
        short = f"This looks like {foreign}, the model reads {reads}."
        _misread(notice, short, is_all=lost and bool(default))
        return "" if lost else read
    if (
        reads == "English"
        and _architecture(model) not in WITHOUT_CAPITALS
        and sentence.is_shouted(read)
    ):
        read = sentence.spoken(read)
        st.info(f"The model knows no text in capitals, so it reads: *{escape(read)}*")
    return _heeded(read, model, is_needed=bool(default))


def french(
    label: str, key: str = "target", model: str = "transformer", along: str = "", heed: bool = True
) -> str:
    """A translation of the visitor's own, along which a model is led; empty unless typed.

    along is the sentence that it belongs to: that of another one is taken out of the box. heed
    tells which signs the model has never seen, where the page does not do so itself.
    """
    before = st.session_state.get(f"{key}_along", along)
    if before != along and key in st.session_state:
        st.session_state[key] = ""
    st.session_state[f"{key}_along"] = along
    typed = inputs.text(label, "", key, most=10**6)
    _, writes = languages(model)
    foreign = _foreign(typed, writes)
    read = _shortened(typed, model, is_known=not foreign)
    if foreign:
        warn(f"This looks like {foreign}. Type {writes} here: the model writes {writes}.")
        return read if _unknown(read, model) < 1 else ""
    return _heeded(read, model) if heed else read


def doubt(question: str, text: str, probability: float) -> None:
    """A question may have no answer in the text; the model then marks something all the same."""
    if probability < 0.3 or not sentence.shares_words(question, text):
        st.warning(
            f"The answer may not be in this text: the model gives its own {probability:.0%}. It "
            "learned from questions that all have an answer, so it always marks something."
        )


def _architecture(model: str) -> str:
    return card(model).architecture if model in checkpoints.names() else ""


def _is_own(model: str) -> bool:
    """Whether a visitor taught it: how long the sentences of that file were is not known here."""
    return model in checkpoints.names() and card(model).own


def _foreign(typed: str, wanted: str) -> str:
    """The language that a text is in, if it is not the one that is wanted."""
    found = sentence.language(typed) if wanted in TOLD_APART else ""
    return "" if found == wanted else found


def _shortened(typed: str, model: str, most: int = 0, is_known: bool = True) -> str:
    """The part that is read. One limit is named, the one that matters.

    is_known tells that it is in the model's own language: of another the length is no matter.
    """
    words = list(WORD.finditer(typed))
    is_reader = _architecture(model) in READERS
    most = most or (READ if is_reader else TRANSLATED)
    if len(words) > most:
        warn(
            f"This text has {len(words):,} words: the first {most} are read.",
            f"The first {most} of {len(words):,} words are read.",
        )
        typed = typed[: words[most - 1].end()]
    elif len(words) > LEARNED and not is_reader and is_known and not _is_own(model):
        warn(
            f"The translators learned from sentences of up to {LEARNED} words. This one has "
            f"{len(words)}: expect mistakes, most of all towards its end.",
            f"{len(words)} words, learned from up to {LEARNED}: expect mistakes.",
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


def _misread(notice: str, on_stage: str, is_all: bool) -> None:
    """Where nothing is read, the place of the picture says why; on a stage that is enough."""
    if is_all:
        unread(notice)
        st.warning(notice)
    else:
        warn(notice, on_stage)


def _heeded(read: str, model: str, is_needed: bool = False) -> str:
    """Say which signs the model has never seen; a text of nothing else is not read."""
    signs, lost = _signs(read, model), _unknown(read, model) == 1
    if signs:
        unknown = _architecture(model) in PIECES
        what = "it reads [UNK], an unknown word, there" if unknown else "it reads a blank there"
        named = escape(", ".join(dict.fromkeys(sign[:20] for sign in signs))[:80])
        notice = f"The model has never seen {named}: {NOT_READ if lost else what}."
        _misread(notice, f"Never seen by the model: {named}.", is_all=lost and is_needed)
    return "" if lost else read

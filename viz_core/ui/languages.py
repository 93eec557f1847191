"""The languages of the translators: those on board, and those that visitors trained themselves."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from viz_core import checkpoints
from viz_core.cards import Card
from viz_core.checkpoints import CheckpointError
from viz_core.text import language_name
from viz_core.ui.run import known

KEY = "model"  # of the box in which a translator is chosen
ARCHITECTURES = ("transformer", "rnn")  # that a visitor can train


def own_translators() -> list[Card]:
    """What visitors trained on pairs of their own."""
    found = [_known(name) for name in checkpoints.names()]
    return [each for each in found if each and each.own and each.architecture in ARCHITECTURES]


def languages(model: str) -> tuple[str, str]:
    """What a translator reads and writes, by name."""
    found = _known(model)
    if found is None:  # the page says so itself
        return "English", "French"
    return language_name(found.source), language_name(found.target)


def named(model: str) -> str:
    """A checkpoint as its box lists it: one that a visitor trained is marked as theirs."""
    found = _known(model)
    return f"{model} (yours)" if found and found.own else model


def chosen(models: Sequence[str]) -> str:
    """What the box will hold: what it holds already, what the link asks for, or the first."""
    held = st.session_state.get(KEY)
    if held in models:
        return str(held)
    asked = st.query_params.get(KEY) if held is None else None
    return {named(model): model for model in models}.get(asked or "", models[0])


def in_languages(text: str) -> str:
    """A fixed text about English and French, for the visitor's own translator if one is open."""
    model = chosen(["", *(each.name for each in own_translators())])
    if not model:
        return text
    reads, writes = languages(model)
    return text.replace("English", "\0").replace("French", writes).replace("\0", reads)


def _known(model: str) -> Card | None:
    try:
        return known(model) if model else None
    except CheckpointError:
        return None

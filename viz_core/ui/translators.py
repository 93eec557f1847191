"""The nine recurrent translators beside each other: who is there, how good, what they keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from viz_core import checkpoints
from viz_core.atlas.published import COLUMNS, PUBLISHED
from viz_core.by_hand.numbers import Numbers, read_matrix
from viz_core.ui.cards import card
from viz_core.ui.grids import matrix

LENGTHS = "BLEU by length"  # in a card's measured tables


def on_board(names: Sequence[str]) -> list[str]:
    """Those of the checkpoints that are there; the page ends where there is none."""
    there = [name for name in names if name in checkpoints.names()]
    if not there:
        st.error(f"No checkpoint is there for this page. It shows: {', '.join(names)}.")
        st.stop()
    return there


def not_yet(names: Sequence[str]) -> None:
    """One sentence that names the checkpoints which are not there."""
    gone = [name for name in names if name not in checkpoints.names()]
    if gone:
        st.info(f"Not trained yet, so not shown: {', '.join(gone)}.")


def figures(names: Sequence[str]) -> pd.DataFrame:
    """What was measured, from the cards, with the published figures in columns of their own."""
    rows = []
    for name in (name for name in names if name in checkpoints.names()):
        found, known = card(name), PUBLISHED.get(name, {})
        own = {title: found.metrics.get(split, {}).get(key) for title, split, key in COLUMNS}
        published = {f"published {key}": known.get(key) for key in ("perplexity", "AER")}
        learned = {"steps": found.steps, "the first of them as": found.start}
        rows.append({"model": name, **own, **published, **learned})
    digits = {title: 1 if key == "BLEU" else 3 for title, _, key in COLUMNS}
    return pd.DataFrame(rows).astype(dict.fromkeys(digits, float)).round(digits)


def lengths(names: Sequence[str]) -> pd.DataFrame:
    """BLEU by length of those that were measured: model, words, BLEU, low, high, sentences."""
    tables = [
        pd.DataFrame(card(name).measured[LENGTHS]).assign(model=name)
        for name in names
        if name in checkpoints.names() and card(name).measured.get(LENGTHS)
    ]
    columns = ["words", "sentences", "BLEU", "low", "high", "model"]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=columns)


def matrices(fields: Mapping[str, tuple[str, str]]) -> list[Numbers]:
    """Several grids of numbers to edit: name -> (key in the address bar, what it begins with)."""
    texts = {}
    for column, (name, (key, default)) in zip(st.columns(len(fields)), fields.items(), strict=True):
        with column:
            texts[name] = matrix(name, default, key)
    return [read_matrix(text, name) for name, text in texts.items()]

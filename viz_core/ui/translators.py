"""The nine recurrent translators beside each other: who is there, how good, what they keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from viz_core import checkpoints
from viz_core.atlas.published import COLUMNS, PUBLISHED
from viz_core.by_hand.numbers import Numbers, read_matrix
from viz_core.charts import lengths as curves
from viz_core.ui.cards import card
from viz_core.ui.display import show
from viz_core.ui.grids import matrix_columns
from viz_core.ui.page import scale

LENGTHS = "BLEU by length"  # in a card's measured tables
# On the page of alignment, the first as it opens.
ALIGNING = ["rnn-search", "rnn-additive", "rnn-general", "rnn-dot", "rnn-scaled-dot", "rnn-content"]
WITH_AND_WITHOUT = {"rnn-none": "without attention", "rnn-additive": "with attention"}


def on_board(names: Sequence[str]) -> list[str]:
    """Those of the checkpoints that are there; the page ends where there is none."""
    there = checkpoints.present(names)
    if not there:
        st.error(f"No checkpoint is there for this page. It shows: {', '.join(names)}.")
        st.stop()
    return there


def not_yet(names: Sequence[str]) -> None:
    """One sentence that names the checkpoints which are not there."""
    there = checkpoints.present(names)
    gone = [name for name in names if name not in there]
    if gone:
        st.info(f"Not trained yet, so not shown: {', '.join(gone)}.")


def figures(names: Sequence[str]) -> pd.DataFrame:
    """What was measured, from the cards, with the published figures in columns of their own."""
    rows = []
    for name in checkpoints.present(names):
        found, known = card(name), PUBLISHED.get(name, {})
        own = {title: found.metrics.get(split, {}).get(key) for title, split, key in COLUMNS}
        published = {f"published {key}": known.get(key) for key in ("perplexity", "AER")}
        rows.append({"model": name, **own, **published, "steps": found.steps})
    digits = {title: 1 if key == "BLEU" else 3 for title, _, key in COLUMNS}
    return pd.DataFrame(rows).astype(dict.fromkeys(digits, float)).round(digits)


def compare_lengths() -> pd.DataFrame:
    """What attention adds the longer the sentence is: drawn, and the table behind the curves."""
    table = lengths(on_board(list(WITH_AND_WITHOUT))).replace({"model": WITH_AND_WITHOUT})
    show(curves.curve(table, *WITH_AND_WITHOUT.values(), scale=scale()), "lengths")
    return table


def lengths(names: Sequence[str]) -> pd.DataFrame:
    """BLEU by length of those that were measured: model, words, BLEU, low, high, sentences."""
    tables = [
        pd.DataFrame(card(name).measured[LENGTHS]).assign(model=name)
        for name in checkpoints.present(names)
        if card(name).measured.get(LENGTHS)
    ]
    columns = ["words", "sentences", "BLEU", "low", "high", "model"]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=columns)


def matrices(fields: Mapping[str, tuple[str, str]]) -> list[Numbers]:
    """Several grids of numbers to edit: name -> (key in the address bar, what it begins with)."""
    typed = matrix_columns([{key: (name, default)} for name, (key, default) in fields.items()])
    return [read_matrix(typed[key], name) for name, (key, _) in fields.items()]

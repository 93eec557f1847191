"""Tables of numbers to edit, each also a text that the address bar holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from viz_core.by_hand.numbers import read_matrix, write_matrix
from viz_core.decoding import table as beam_table
from viz_core.ui.inputs import text


def matrix(label: str, default: str, key: str) -> str:
    """Numbers to edit in a grid, and as the text that the address bar holds: "1 0; 0 2"."""
    typed = text(label, default, key)

    def table(base: str) -> pd.DataFrame:
        values = read_matrix(base, label)
        return pd.DataFrame(values, columns=[str(i + 1) for i in range(values.shape[1])])

    number = st.column_config.NumberColumn(required=True, width=52, format="%g")
    _grid(key, typed, table, lambda edited: write_matrix(edited.to_numpy()), number)
    return typed


def matrix_columns(columns: Sequence[Mapping[str, tuple[str, str]]]) -> dict[str, str]:
    """Columns of grids, key -> (label, what it begins with), as texts to be read by the picture."""
    typed = {}
    for place, grids in zip(st.columns(len(columns)), columns, strict=True):
        with place:
            for key, (label, default) in grids.items():
                typed[key] = matrix(label, default, key)
    return typed


def chances(label: str, default: beam_table.Table, key: str) -> str:
    """A table of next-word probabilities to edit, and as the text that the address bar holds."""
    grid = st.container()
    typed = text(label, beam_table.write(default), key)

    def table(base: str) -> pd.DataFrame:
        rows = beam_table.read(base)[0].rows
        chances = pd.DataFrame([row.probabilities for row in rows], columns=beam_table.WORDS)
        return chances.set_index(pd.Index([row.name for row in rows], name="after"))

    def write(edited: pd.DataFrame) -> str:
        words = ([] if name == beam_table.START else name.split() for name in edited.index)
        return "; ".join(
            " ".join([*after, *(f"{chance:.6g}" for chance in row)])
            for after, row in zip(words, edited.to_numpy(), strict=True)
        )

    share = st.column_config.NumberColumn(
        min_value=0.0, max_value=1.0, step=0.01, format="%.2f", required=True
    )
    with grid:
        _grid(key, typed, table, write, share)
    return typed


def _grid(
    key: str,
    typed: str,
    table: Callable[[str], pd.DataFrame],
    write: Callable[[pd.DataFrame], str],
    column: Any,
) -> None:
    """The typed numbers as a grid, whose edits are written back into the text.

    The grid is the one that was typed or linked, with all edits since: a new one at each edit would
    lose the cell in which somebody types.
    """
    state = st.session_state
    if state.get(f"{key}_edited") != typed:  # typed or linked: a new grid begins
        state[f"{key}_base"] = typed
    base = state[f"{key}_base"]
    name = f"{key}_grid {base}"

    def edit() -> None:
        edited = table(base)
        for row, entries in state[name]["edited_rows"].items():
            for header, value in entries.items():
                at = edited.columns.get_loc(header)
                edited.iloc[int(row), at] = np.nan if value is None else value
        state[key] = state[f"{key}_edited"] = write(edited)

    with suppress(ValueError):  # numbers that cannot be read get their sentence beside the picture
        shown = table(base)
        config: Any = dict.fromkeys(shown.columns, column)
        named = shown.index.name is not None
        st.data_editor(shown, key=name, on_change=edit, hide_index=not named, column_config=config)

"""Every figure of an attention lecture, one press away, with published numbers beside ours."""

import streamlit as st

from viz_core import ui
from viz_core.atlas import figures

ui.header("gallery")
PARTS = {"Trained models": figures.TRAINED, "Exact, by formula": figures.CLOSED}
for title, rows in PARTS.items():
    st.header(title, anchor=False)
    there = ui.figures_there(rows)
    for start in range(0, len(there), 3):
        for column, figure in zip(st.columns(3), there[start : start + 3], strict=False):
            with column:
                ui.figure_tile(figure)
ui.foot("gallery")

"""What a page tells of a checkpoint: what it is, and how good it was measured to be."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from viz_core import checkpoints
from viz_core.atlas import papers
from viz_core.atlas.published import GUIDED
from viz_core.cards import Card
from viz_core.checkpoints import Bundle, CheckpointError
from viz_core.ui.run import known, loaded

# What a card's line tells of all that was measured.
HEADLINES = {
    *("BLEU-1", "BLEU-4"),  # of captions
    *("BLEU", "AER", "bits per character", "accuracy", "F1"),
    *("masked accuracy", "next-sentence accuracy", "next-sentence accuracy, one sentence each"),
}

TERMS = {  # of the lines above, for whoever hovers them
    "BLEU": "how near translations are to human ones, from 0 to 100; higher is better",
    "AER": "alignment error rate, how often the heaviest weight points at the wrong word, from 0 "
    "to 1; lower is better",
    "bits per character": "how many yes-or-no questions the next letter takes; lower is better",
    "accuracy": "the share of right answers, from 0 to 1",
    "F1": "how many names are found and how many of those found are right, in one number up to 1",
}


def card(name: str) -> Card:
    """What is known of a checkpoint, for a page that cannot go on without it."""
    try:
        return known(name)
    except CheckpointError as error:
        st.error(str(error))
        st.stop()


def bundle(name: str) -> Bundle:
    """The same for the model itself."""
    try:
        return loaded(name)
    except CheckpointError as error:
        st.error(str(error))
        st.stop()


def paper(citation: str, name: str) -> None:
    """Where the picture comes from, how to cite it, and how good the model behind it is."""
    line = f"{citation} {card_line(card(name))} {GUIDED.get(name, '')}".strip()
    told = [f"**{term}**: {meaning}." for term, meaning in TERMS.items() if term in line]
    with st.container(key="paper"):
        st.caption(line, help="  \n".join(told) or None)
        with st.popover("Cite this", type="tertiary", icon=":material/format_quote:", key="cite"):
            entries = [paper.bibtex() for paper in (*papers.cited(citation), papers.ATLAS)]
            st.code("\n\n".join(entries), language="latex", wrap_lines=True)


def card_line(found: Card) -> str:
    """A checkpoint in one line: size, and what was measured."""
    figures = [
        f"{measure} {value:.{3 if value < 1 else 1}f} ({split})"
        for split, measures in found.metrics.items()
        for measure, value in measures.items()
        if measure in HEADLINES
    ]
    origin = f" (the first shared with {found.start})" if found.start else ""
    trained = f"trained {found.steps:,} steps{origin}" if found.steps else "as published"
    size = f"{found.parameters / 1e6:.1f} million parameters, {trained}"
    return f"Model {found.name}: {', '.join([size, *figures])}."


def figures_of(found: Card) -> pd.DataFrame:
    """What was measured, a line each, with what it means."""
    rows = [
        {
            "on": split,
            "measure": measure,
            "value": numeral(value),
            "which is": TERMS.get(measure, ""),
        }
        for split, measures in found.metrics.items()
        for measure, value in measures.items()
    ]
    return pd.DataFrame(rows, columns=["on", "measure", "value", "which is"])


def numeral(value: float) -> str:
    """A count in full, a figure with four digits."""
    return f"{value:,.0f}" if abs(value) >= 1000 or float(value).is_integer() else f"{value:.4g}"


def card_table() -> pd.DataFrame:
    """All checkpoints with their size and what was measured on data they have not seen."""
    rows = []
    for found in checkpoints.cards():
        rows.append(
            {
                "model": found.name,
                "what it is": found.title,
                "parameters (million)": round(found.parameters / 1e6, 1),
                "megabytes": checkpoints.megabytes(found.name),
                "measured on held-out data": "; ".join(
                    f"{split}: " + ", ".join(f"{m} {numeral(v)}" for m, v in measures.items())
                    for split, measures in found.metrics.items()
                ),
            }
        )
    return pd.DataFrame(rows)

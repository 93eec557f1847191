"""The tiles of the figure gallery: published beside ours, and whether the claim holds here."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pandas as pd
import streamlit as st

from viz_core import analysis, checkpoints, probe
from viz_core.atlas.figures import Figure, Numbers
from viz_core.ui.address import pages
from viz_core.ui.display import show_small
from viz_core.ui.markdown import escape
from viz_core.ui.run import known, run
from viz_core.ui.tiles import small_picture
from viz_core.ui.translators import ALIGNING

Found = tuple[Numbers, bool, str]  # ours, whether the claim holds, and how it was obtained


def _looks(name: str, figure: Figure) -> tuple[Numbers, bool]:
    """The weights of a figure's pairs in one model, and whether each is its row's largest."""
    found = run(probe.align, name, figure.params["text"], figure.params["target"]).words().cross
    ours, largest = {}, True
    for pair in figure.pairs:
        target, source = pair.split(" → ")
        row = found.matrix()[analysis.position(found.queries, target)]
        key = analysis.position(found.keys, source)
        ours[pair] = float(row[key])
        largest &= int(row.argmax()) == key
    return ours, largest


def _alignment(figure: Figure) -> Found:
    """In the model that the figure opens, and in how many of the others: most do not show it."""
    name = figure.params["model"]
    ours, holds = _looks(name, figure)
    others = [other for other in checkpoints.present(ALIGNING) if other != name]
    alike = sum(_looks(other, figure)[1] for other in others)
    how = f"each looks at that word more than at any other (live: {name}; so do {alike} of the"
    return ours, holds, f"{how} {len(others)} other models on that page)"


def _bottleneck(figure: Figure) -> Found:
    names = {"without attention": "rnn-none", "with attention": "rnn-additive"}
    ours = {
        said: known(name).metrics["europarl test"]["BLEU"]
        for said, name in names.items()
        if name in checkpoints.names()
    }
    holds = len(ours) == 2 and ours["with attention"] > ours["without attention"]
    return ours, holds, "BLEU on our Europarl test part, from the cards"


def _alignment_errors(figure: Figure) -> Found:
    names = {
        "global (location)": "rnn-location",
        "local-m": "rnn-local-m",
        "local-p": "rnn-local-p",
    }
    ours = {
        said: known(name).metrics["hansards dev"]["AER"]
        for said, name in names.items()
        if name in checkpoints.names()
    }
    holds = len(ours) == 3 and min(ours["local-m"], ours["local-p"]) < ours["global (location)"]
    return ours, holds, "AER on hansards/dev, from the cards"


def _it(figure: Figure) -> Found:
    measured = known("transformer").metrics["generated test"]
    names = ("animal over street, tired", "street over animal, wide", "it resolved")
    ours = {name: measured[name] for name in names}
    holds = min(ours[names[0]], ours[names[1]]) >= 0.2 and ours[names[2]] >= 0.85
    return ours, holds, "best head, from the card: margins of at least 0.2, and 85% resolved"


def _ablation(figure: Figure) -> Found:
    rises = np.array(known("transformer").measured["ablation"]["encoder"])
    share = float((rises < 0.01).mean())
    ours = {"share of encoder heads that cost less than 0.01 nats": share}
    return ours, share > 0.5, "one head silent at a time, from the card"


def _analogies(figure: Figure) -> Found:
    answer = run(probe.analogy, "word-vectors", "man", "king", "woman")[0][0]
    measured = known("word-vectors").metrics["analogy questions"]
    ours = {name: measured[name] for name in figure.published}
    return ours, answer == "queen", f"live: {answer}; the accuracy from the card, 50 numbers a word"


def _captions(figure: Figure) -> Found:
    measured = known("caption-soft").metrics["dev, beam of 3"]
    ours = {name: measured[name] for name in figure.published}
    holds = ours["BLEU-1"] >= 60 and ours["BLEU-4"] >= 17
    return ours, holds, "from the card, on photographs that it never saw: at least 60 and 17"


CHECKS: dict[str, Callable[[Figure], Found]] = {
    "alignment": _alignment,
    "bottleneck": _bottleneck,
    "alignment errors": _alignment_errors,
    "it": _it,
    "ablation": _ablation,
    "analogies": _analogies,
    "captions": _captions,
}


def checked(figure: Figure) -> Found | None:
    """What this atlas finds; None for a figure without numbers."""
    if figure.ours:
        found = figure.ours()
        return found, figure.agrees(found), "computed just now"
    return CHECKS[figure.check](figure) if figure.check else None


def _short(number: float) -> str:
    return "" if np.isnan(number) else f"{number:.4g}"


def figure_tile(figure: Figure) -> None:
    """A figure to press, with published numbers beside ours."""
    params = dict(figure.params)
    with st.container(border=True, height="stretch"):
        with suppress(KeyError, ValueError):  # the model of this figure may not be here
            small = small_picture(figure.page, params.get("text", ""), low=True)
            show_small(small, f"figure {figure.title}")
        st.page_link(f"pages/{figure.page}.py", label=f"**{figure.title}**", query_params=params)
        st.markdown(escape(figure.look))
        st.caption(escape(figure.source))
        try:
            found = checked(figure)
        except (KeyError, ValueError, checkpoints.CheckpointError):
            found = ({}, False, "the model of this figure is not here")
        if found:
            ours, holds, how = found
            names = list(figure.published) or list(ours)
            table = {"ours": [ours.get(name) for name in names]}
            if figure.published:  # else the figure prints no numbers
                called = "derived" if figure.derived else "published"
                table = {called: [figure.published.get(name) for name in names]} | table
            if names:
                st.table(pd.DataFrame(table, index=names, dtype=float).map(_short))
            if figure.published or figure.check:
                st.markdown(f"{'✓ holds here' if holds else '✗ does not hold here'}: {how}.")
            else:
                st.markdown("Computed just now; no numbers were published with it.")


def figures_there(figures: tuple[Figure, ...]) -> list[Figure]:
    """Those whose page this atlas has."""
    return [figure for figure in figures if figure.page in pages()]

"""A sentence read word by word: a line for each word, and what it looked back at."""

from __future__ import annotations

import json
import math
from itertools import accumulate

import altair as alt
import numpy as np
import pandas as pd

from viz_core.analysis import reading as told
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.kit.text_marks import width
from viz_core.charts.recurrent import x_at, y_at
from viz_core.text import CONTINUED
from viz_core.traces.attention import AttentionTrace
from viz_core.traces.states import TapeTrace

LARGEST = 19  # pixels of type
GAP = 0.9  # of the type size: the air around a word
LINE, TIGHT = 1.5, 1.28  # of the type size: from line to line, at most and at least
TITLE = 46  # pixels over the lines
MARK = 16  # pixels beside them, for the line that is looked at
RED = style.HEADS[7]  # as in the paper; vermilion would be called orange
FULL = 0.9  # of a weight: words upon a bluer ground are white
SHOWN = 3  # words of a sum that is written out


def fitted(words: list[str], room: Room, at: int) -> tuple[float, float, slice]:
    """The size of the type and the height of a line with which all words fit, or as many as do."""
    wide = [width(word) + GAP for word in words]
    across, down = room.width - MARK * room.scale, room.less(height=TITLE).heights(len(words))[-1]
    size = min(across / sum(wide), down / TIGHT / len(words), LARGEST * room.scale)
    if size >= room.least:
        return size, min(LINE * size, down / len(words)), slice(0, len(words))
    size, stop = room.least, at + 1

    def fits(start: int, stop: int) -> bool:
        return sum(wide[start:stop]) * size <= across and (stop - start) * size * TIGHT <= down

    while stop < len(words) and fits(0, stop + 1):
        stop += 1  # as much of the beginning as fits
    start = 0
    while not fits(start, stop) and start < at:
        start += 1
    return size, min(LINE * size, down / (stop - start)), slice(start, stop)


@drawn
def staircase(
    words: AttentionTrace, at: int | None = None, *, until: int | None = None, room: Room = PAGE
) -> style.AnyChart:
    """Cheng et al. 2016, figure 1: the current word red, earlier ones as blue as their weight.

    The line of word `at` is marked; lines after `until` are not drawn yet. Clicking a line sets the
    selection "line" to {query}.
    """
    scale, every = room.scale, style.shown(words.queries)
    here = len(every) - 1 if at is None else at
    size, line, part = fitted(every, room, here)
    shown = every[part]
    lefts = list(accumulate(((width(word) + GAP) * size for word in shown), initial=MARK * scale))
    wide, high = lefts[-1], line * len(shown)
    last = part.stop - 1 if until is None else min(until, part.stop - 1)
    weights = words.matrix()
    rows = [
        {
            "query": query,
            "word": every[key],
            "reader": every[query],
            "weight": round(float(weights[query, key]), 4) if key < query else 0.0,
            "ink": ink(key == query, weights[query, key]),
            "left": lefts[key - part.start] + 1,
            "right": lefts[key - part.start + 1] - 1,
            "top": (query - part.start) * line + 1,
            "bottom": (query - part.start + 1) * line - 1,
        }
        for query in range(part.start, last + 1)
        for key in range(part.start, query + 1)
    ]
    frame = pd.DataFrame(rows)
    frame["middle"] = (frame["left"] + frame["right"]) / 2
    frame["centre"] = (frame["top"] + frame["bottom"]) / 2
    base = alt.Chart(frame)
    box = {"x": x_at("left", wide), "x2": "right:Q", "y": y_at("top", high), "y2": "bottom:Q"}
    clicked = alt.selection_point(name="line", fields=["query"], on="click", empty=False)
    cells = base.mark_rect(cornerRadius=3 * scale, tooltip=None).encode(
        **box, color=alt.Color("weight:Q", scale=style.weight_scale(), legend=None)
    )
    over = (
        base.mark_rect(fillOpacity=0, cursor="pointer")  # upon the words: they are clicked, too
        .encode(
            **box,
            tooltip=[
                alt.Tooltip("reader:N", title="reading"),
                alt.Tooltip("word:N", title="looks back at"),
                alt.Tooltip("weight:Q", format=".3f"),
            ],
        )
        .add_params(clicked)
    )
    inks = alt.Scale(domain=["current", "full", "plain"], range=[RED, style.ON_BLUE, style.INK])
    texts = [
        base.transform_filter(f"(datum.ink == 'current') == {json.dumps(bold)}")
        .mark_text(fontSize=size, baseline="middle", tooltip=None, fontWeight=700 if bold else 400)
        .encode(
            x=x_at("middle", wide),
            y=y_at("centre", high),
            text="word:N",
            color=alt.Color("ink:N", scale=inks, legend=None),
        )
        for bold in (False, True)
    ]
    layers = [cells, *texts, over]
    if part.start <= here <= last:
        mark = pd.DataFrame({"x": [0.0], "y": [(here - part.start + 0.5) * line]})
        layers.append(
            alt.Chart(mark)
            .mark_text(text="▸", fontSize=size, align="left", baseline="middle", color=RED)
            .encode(x=x_at("x", wide), y=y_at("y", high))
        )
    note = style.part_note("words", part, len(every))
    legend = "The word being read is red; the bluer an earlier word, the larger its weight"
    said = told.finding(words, min(here, last))
    return (
        style.layered(*layers)
        .properties(
            autosize=style.PAD,
            width=wide,
            height=high,
            title=style.title(said, f"{legend}; {note}" if note else legend, scale),
            description=said,
        )
        .resolve_scale(color="independent")
    )


def ink(current: bool, weight: float) -> str:
    if current:
        return "current"
    return "full" if weight > FULL else "plain"


# ---- formulas ---------------------------------------------------------------------------------


def formulas(trace: TapeTrace, at: int) -> list[str]:
    """Equations 5 and 6 for the token `at`, with its own numbers, and how surprising it was."""
    names = list(map(named, trace.attention.queries))
    weights, scores = trace.attention.matrix()[at, :at], trace.scores[at, :at].astype(float)
    nats = float(trace.nats[at])
    chance = (
        rf"-\log p({names[at]} \mid {names[at - 1] if at else ''}, \ldots)"
        if at
        else rf"-\log p({names[at]})"
    )
    lines = [rf"{chance} = -\log {number(math.exp(-nats))} = {nats:.2f}"]
    if not at:
        return lines
    most = int(weights.argmax())
    order = np.argsort(-weights)[:SHOWN]
    powers = " + ".join(rf"e^{{{scores[i]:.2f}}}" for i in order)
    terms = " + ".join(rf"{weights[i]:.2f}\,h_{{{names[i]}}}" for i in order)
    rest = r" + \ldots" if at > SHOWN else ""
    recalled = weights @ trace.states[:at]
    first = ", ".join(f"{value:.2f}" for value in recalled[:2])
    return [
        rf"s_{{{names[most]}}} = \frac{{e^{{a_i}}}}{{\sum_j e^{{a_j}}}}"
        rf" = \frac{{e^{{{scores[most]:.2f}}}}}{{{powers}{rest}}}"
        rf" = {weights[most]:.2f} \qquad (5)",
        rf"\tilde h_t = \sum_i s_i h_i = {terms}{rest} = ({first}, \ldots) \qquad (6)",
        *lines,
    ]


def named(token: str) -> str:
    """A token as the picture of its pieces writes it: what goes on with a word has a dot."""
    dot = r"{\cdot}" if token.startswith(CONTINUED) and len(token) > len(CONTINUED) else ""
    return rf"{dot}\text{{{latex(token)}}}"


def number(value: float) -> str:
    """A probability that may be very small."""
    if value >= 0.001:
        return f"{value:.3f}"
    digits, exponent = f"{value:.1e}".split("e")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}"


def latex(token: str) -> str:
    """A token inside of a formula: signs that LaTeX would take for its own become plain ones."""
    kept = "".join(sign if sign.isalnum() or sign in ".,;:!?'-" else " " for sign in token[:20])
    return style.readable(kept).strip() or "?"

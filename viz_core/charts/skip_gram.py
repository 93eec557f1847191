"""Vectors that are being learned: the map of the words, the loss, and one pair's own numbers."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import plane, style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.traces.word_vectors import SkipGramTrace

LINKED = 4  # neighbours that are joined to the chosen word


def place(trace: SkipGramTrace, word: str) -> int:
    """Where the typed word stands in the text's list; for one that is not there, a common one."""
    marked = word.strip().lower()
    if marked in trace.words:
        return trace.words.index(marked)
    return next((i for i, each in enumerate(trace.words) if len(each) > 3), 0)


def near(trace: SkipGramTrace, word: int) -> list[int]:
    """The words nearest to one by cosine."""
    unit = trace.vectors / np.linalg.norm(trace.vectors, axis=1, keepdims=True).clip(1e-9)
    order = np.argsort(-(unit @ unit[word]), kind="stable")
    return [int(each) for each in order if each != word][:LINKED]


def finding(trace: SkipGramTrace, word: str) -> str:
    """What lies near the chosen word by now."""
    at = place(trace, word)
    names = ", ".join(trace.words[each] for each in near(trace, at))
    missing = word.strip() and word.strip().lower() != trace.words[at]
    note = f"“{word.strip()[:20]}” is not in this text. " if missing else ""
    many = "update" if trace.updates == 1 else "updates"
    return f"{note}After {trace.updates} {many} the words nearest to {trace.words[at]} are {names}"


def flat(trace: SkipGramTrace) -> str:
    """Why a word that is near may look far."""
    return (
        f"A word has {trace.vectors.shape[1]} numbers and the map only two directions: near words "
        "are those with the largest cosine of all numbers, so one may look far away."
    )


@drawn
def word_map(trace: SkipGramTrace, word: str, *, room: Room = PAGE) -> style.AnyChart:
    """All words of the text at their places; the chosen one is joined to its nearest words.

    A word that finds no place for its name is told on hover.
    """
    paper = plane.fit(trace.places, room)
    at = place(trace, word)
    close = near(trace, at)
    order = [at, *close, *(i for i in range(len(trace.words)) if i not in (at, *close))]
    pixels = paper.pixels(trace.places[order])
    words = [style.readable(trace.words[i]) for i in order]
    size = style.font(room.scale, style.SMALL)
    sizes = [style.font(room.scale)] * (1 + len(close)) + [size] * (len(order) - 1 - len(close))
    told = plane.names(paper, pixels, words, sizes, 1 + len(close))
    dots = pd.DataFrame(
        {
            "word": words,
            "count": [trace.counts[i] for i in order],
            "kind": ["chosen"] + ["near"] * len(close) + ["other"] * (len(order) - 1 - len(close)),
            "x": pixels[:, 0],
            "y": pixels[:, 1],
        }
    ).round(1)
    links = pd.DataFrame(
        {
            "x": pixels[0, 0],
            "y": pixels[0, 1],
            "x2": pixels[1 : 1 + len(close), 0],
            "y2": pixels[1 : 1 + len(close), 1],
        }
    )
    hue = alt.Scale(
        domain=["chosen", "near", "other"], range=[style.VERMILION, style.BLUE, style.INK]
    )
    layers = [
        alt.Chart(links)
        .mark_rule(color=style.BLUE, opacity=0.5, strokeWidth=1.5 * room.scale, tooltip=None)
        .encode(x=paper.x("x"), x2="x2:Q", y=paper.y("y"), y2="y2:Q"),
        alt.Chart(dots)
        .mark_point(filled=True, size=40 * room.scale**2)
        .encode(
            x=paper.x("x"),
            y=paper.y("y"),
            color=alt.Color("kind:N", scale=hue, legend=None),
            opacity=alt.condition("datum.kind == 'other'", alt.value(0.45), alt.value(1)),
            tooltip=["word:N", "count:Q"],
        ),
        plane.written(paper, told),
    ]
    return style.layered(*layers).properties(
        autosize=style.PAD, width=paper.width, height=paper.height, description=finding(trace, word)
    )


@drawn
def losses(trace: SkipGramTrace, updates: int, *, room: Room = PAGE) -> style.AnyChart:
    """The loss of each batch so far, and where guessing stands: every s(x) one half."""
    scale = room.scale
    guess = (1 + len(trace.drawn)) * float(np.log(2))
    frame = pd.DataFrame({"update": range(1, trace.updates + 1), "loss": np.round(trace.losses, 4)})
    x = alt.X(
        "update:Q",
        scale=alt.Scale(domain=[0, updates], nice=False),
        axis=style.axis("updates", scale, grid=False, tickCount=4),
    )
    y = alt.Y(
        "loss:Q",
        scale=alt.Scale(domain=[0, max(guess, *trace.losses) * 1.15]),
        axis=style.axis("loss", scale, tickCount=4),
    )
    label = pd.DataFrame(
        {"update": [updates], "loss": [guess], "label": [f"guessing: {1 + len(trace.drawn)} ln 2"]}
    )
    layers = [
        alt.Chart(label).mark_rule(strokeDash=[5, 4], color=style.INK, opacity=0.6).encode(y=y),
        alt.Chart(label)
        .mark_text(
            align="right",
            dy=-8 * scale,
            fontSize=style.font(scale, style.SMALL),
            color=style.INK,
        )
        .encode(x=x, y=y, text=alt.Text("label:N")),
        alt.Chart(frame).mark_line(color=style.BLUE, strokeWidth=2 * scale).encode(x=x, y=y),
        alt.Chart(frame.tail(1))
        .mark_point(filled=True, color=style.BLUE, size=90 * scale**2, opacity=1)
        .encode(x=x, y=y, tooltip=["update:Q", alt.Tooltip("loss:Q", format=".3f")]),
    ]
    return style.layered(*layers).properties(
        autosize=style.PAD,
        width=max(room.width - 90 * scale, 150),
        height=190 * scale,
        description=f"The loss falls from {trace.losses[0]:.2f} to {trace.losses[-1]:.2f}; "
        f"guessing costs {guess:.2f}",
    )


def formula(trace: SkipGramTrace) -> str:
    """The loss of the pair that was drawn first in the last batch."""
    word, beside = (_text(each) for each in trace.pair)
    lines = [
        r"L &= -\log \sigma(v_w u_c) - \sum_n \log \sigma(-v_w u_n)"
        rf"\qquad w = {word},\; c = {beside},\; n \text{{ drawn at random}}",
        rf"-\log \sigma(v_{{{word}}} u_{{{beside}}}) &= -\log \sigma({trace.scores[0]:.2f}) "
        rf"= {_cost(trace.scores[0]):.2f}",
    ]
    lines += [
        rf"-\log \sigma(-v_{{{word}}} u_{{{_text(other)}}}) &= -\log \sigma({-score:.2f}) "
        rf"= {_cost(-score):.2f}"
        for other, score in zip(trace.drawn, trace.scores[1:], strict=True)
    ]
    total = _cost(trace.scores[0]) + sum(_cost(-score) for score in trace.scores[1:])
    lines.append(rf"L &= {total:.2f}")
    return r"\begin{aligned} " + r" \\ ".join(lines) + r" \end{aligned}"


def _cost(score: float) -> float:
    return float(np.logaddexp(0, -score))


def _text(word: str) -> str:
    """A word of a visitor inside a formula."""
    kept = "".join(letter for letter in word if letter.isalnum())[:20]
    return rf"\text{{{kept}}}"

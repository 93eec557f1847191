"""A word in two sentences: its nearest uses by every kind of vector, and how surprising it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from viz_core.analysis import context
from viz_core.analysis.context import Near
from viz_core.charts.bars import bars
from viz_core.charts.kit import style, text_marks
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room, word_width
from viz_core.charts.recurrent import x_at, y_at
from viz_core.traces.attention import Vectors
from viz_core.traces.states import Surprise

PLAIN = 118  # pixels of the column of single words
TITLE, CAPTION, HEADING = 64, 28, 20  # pixels over all, over a panel, over its columns
BOLD = 1.2  # of the width of plain type
GAP = 10  # pixels between two panels
ROW = 26  # pixels of a neighbour at most
OTHER = "another word"
NONE = "no vector"  # of a word that GloVe's table lacks
LONGEST = 16  # letters of a word in a title
AHEAD = 2  # numbers of a vector that a line has room for

Panel = tuple[str, Sequence[tuple[str, float]], Sequence[Near]]  # sentence, plain, in context


def finding(word: str, panels: Sequence[Panel]) -> str:
    """Which meaning the nearest uses have in each of the two sentences, kind by kind."""
    pairs = list(zip(*(nears for _, _, nears in panels), strict=True))
    if not any(context.meaning(near, word)[0] for pair in pairs for near in pair):
        return (
            f"No sentence here has “{word.strip()}” with a meaning to tell apart, so the nearest "
            "words are other ones"
        )
    told = "; ".join(context.told_apart(word, pair) for pair in pairs)
    return f"Meanings of “{word.strip()}” among the nearest uses, first and second sentence. {told}"


@drawn
def neighbours(
    word: str, senses: Sequence[str], panels: Sequence[Panel], *, room: Room = PAGE
) -> style.AnyChart:
    """For each sentence the nearest words of a plain vector, and the nearest uses by layer.

    Another use of the same word has the colour of its meaning there.
    """
    scale = room.scale
    columns = len(panels[0][2])
    most = max(len(panels[0][1]), len(panels[0][2][0].uses))
    plain = PLAIN * scale
    wide = (room.width - plain) / columns
    above = (CAPTION + HEADING) * scale
    space = (room.height - (TITLE + GAP) * scale) / len(panels) - above
    row = max(min(space / most, ROW * scale), 1.25 * style.font(scale, style.SMALL))
    panel = above + most * row + GAP * scale
    high = len(panels) * panel - GAP * scale
    size = max(min(style.font(scale, style.SMALL), 0.72 * row), room.least)
    cells: list[dict[str, Any]] = []
    headings: list[dict[str, Any]] = []
    for number, (sentence, words, nears) in enumerate(panels):
        top = number * panel
        headings.append({"x": 0.0, "y": top + CAPTION * scale / 2, "text": sentence, "bold": True})
        names = [
            ("GloVe, one vector", 0.0),
            *((near.name, plain + i * wide) for i, near in enumerate(nears)),
        ]
        headings += [
            {"x": left + 4, "y": top + (CAPTION + HEADING / 2) * scale, "text": name, "bold": False}
            for name, left in names
        ]
        if not words:
            none = {"x": 4.0, "y": top + above + row / 2, "text": NONE, "bold": False}
            headings.append(none)
        for at, (each, similar) in enumerate(words):
            cells.append(_cell(each, similar, OTHER, "", 0.0, plain, top + above + at * row, row))
        for i, near in enumerate(nears):
            for at, (use, similar) in enumerate(zip(near.uses, near.similarities, strict=True)):
                same = use.word == word.lower() and use.sense
                cells.append(
                    _cell(
                        context.snippet(use),
                        similar,
                        use.sense if same else OTHER,
                        " ".join(use.sentence),
                        plain + i * wide,
                        wide,
                        top + above + at * row,
                        row,
                    )
                )
    frame = pd.DataFrame(cells)
    meanings = [*senses, OTHER]
    hues = alt.Scale(domain=meanings, range=[*style.HEADS[: len(senses)], style.INK])
    base = alt.Chart(frame).encode(
        tooltip=[
            alt.Tooltip("text:N", title="use"),
            alt.Tooltip("sentence:N"),
            alt.Tooltip("meaning:N"),
            alt.Tooltip("similarity:Q", format=".3f"),
        ]
    )
    marks = base.mark_rect(cornerRadius=2 * scale).encode(
        x=x_at("left", room.width),
        x2="end:Q",
        y=y_at("top", high),
        y2="bottom:Q",
        color=alt.Color(
            "meaning:N",
            scale=hues,
            legend=style.legend(None, scale, orient="top", symbolType="square") if senses else None,
        ),
        opacity=alt.condition(alt.datum.meaning == OTHER, alt.value(style.FAINT), alt.value(0.42)),
    )
    text = base.mark_text(
        align="left",
        baseline="middle",
        dx=4 * scale,
        fontSize=size,
        color=style.INK,
    ).encode(x=x_at("left", room.width), y=y_at("centre", high), text="shown:N")
    over = pd.DataFrame(headings)
    longest = max(text_marks.width(sentence) for sentence, _, _ in panels)
    large = max(min(style.font(scale, style.BASE), room.width / (BOLD * longest)), room.least)
    titles = [
        alt.Chart(over[over["bold"] == bold])
        .mark_text(
            align="left",
            baseline="middle",
            fontSize=large if bold else style.font(scale, style.SMALL),
            fontWeight=600 if bold else 400,
            fontStyle="italic" if bold else "normal",
            color=style.INK,
            limit=room.width,
        )
        .encode(x=x_at("x", room.width), y=y_at("y", high), text="text:N")
        for bold in (True, False)
    ]
    frame["shown"] = [
        _cut(each.text, each.right - each.left - 10 * scale, size) for each in frame.itertuples()
    ]
    said = finding(word, panels)
    return style.layered(marks, text, *titles).properties(
        autosize=style.PAD,
        width=room.width,
        height=high,
        description=said,
    )


def _cell(
    text: str,
    similar: float,
    meaning: str,
    sentence: str,
    left: float,
    wide: float,
    top: float,
    row: float,
) -> dict[str, Any]:
    """The bar behind a neighbour is as long as its similarity."""
    return {
        "text": text,
        "sentence": sentence,
        "meaning": meaning,
        "similarity": round(similar, 4),
        "left": left,
        "right": left + wide,
        "end": left + max(similar, 0.02) * (wide - 8),
        "top": top + 1,
        "bottom": top + row - 1,
        "centre": top + row / 2,
    }


def _cut(text: str, wide: float, size: float) -> str:
    """As many letters as fit."""
    letters = int(wide / (0.56 * size))
    shown = style.readable(text)
    return shown if len(shown) <= letters else shown[: max(letters - 1, 1)] + "…"


def alike(word: str, cosines: Mapping[str, float], *, room: Room = PAGE) -> style.AnyChart:
    """How alike two vectors of a word are, by kind of vector."""
    named = word.strip() if len(word.strip()) <= LONGEST else f"{word.strip()[:LONGEST]}…"
    title = f"Cosine of the two “{named}”"  # a long title would shrink the picture under it
    return bars(list(cosines), list(cosines.values()), title, room=room)


def senses(shares: Mapping[str, float], *, room: Room = PAGE) -> style.AnyChart:
    """How often the same meaning was nearer than another one, by kind of vector."""
    title = "Same sense nearer, share of pairs"
    return bars(list(shares), list(shares.values()), title, room=room)


@drawn
def surprises(found: Surprise, *, room: Room = PAGE) -> style.AnyChart:
    """Two bars a word: how surprising it was, read from the left and from the right."""
    scale, count = room.scale, len(found.words)
    step, part = room.less(width=60).across(count, 64)
    words = style.shown(found.words)[part]
    ways = ["from the left", "from the right"]
    frame = pd.DataFrame(
        {
            "position": list(range(part.start, part.stop)) * 2,
            "word": words * 2,
            "nats": np.concatenate((found.forward[part], found.backward[part])).round(3).tolist(),
            "read": np.repeat(ways, len(words)).tolist(),
        }
    )
    upright = word_width(words, style.font(scale)) > step
    axis = style.token_axis(
        words,
        orient="bottom",
        scale=scale,
        start=part.start,
        step=step,
        angle=-45 if upright else 0,
    )
    return (
        alt.Chart(frame)
        .mark_bar()
        .encode(
            x=alt.X("position:O", axis=axis, scale=alt.Scale(paddingInner=0.3)),
            xOffset=alt.XOffset("read:N", sort=ways),
            y=alt.Y("nats:Q", axis=style.axis("−log p, nats", scale, tickCount=4)),
            color=alt.Color(
                "read:N",
                scale=alt.Scale(domain=ways, range=[style.BLUE, style.VERMILION]),
                legend=style.legend(None, scale, orient="top", symbolType="square"),
            ),
            tooltip=["word:N", "read:N", "nats:Q"],
        )
        .properties(
            autosize=style.PAD,
            width=step * len(words),
            height=150 * scale,
            description=context.halves(found),
        )
    )


# ---- formulas ---------------------------------------------------------------------------------


def mixture(values: Vectors, shares: Sequence[float], gamma: float) -> str:
    """Peters et al. 2018, eq. 1, with the first numbers of each layer (layer, width)."""
    terms = " + ".join(
        rf"{share:.2f}\,{vector(row)}" for share, row in zip(shares, values, strict=True)
    )
    total = vector(context.mixed(values, shares, gamma))
    return (  # two lines: one would run out of the page
        r"\begin{aligned} \text{ELMo}_i &= \gamma \sum_j s_j h_{ij}"
        rf" = {gamma:.1f}\,\bigl( {terms} \bigr) \\ &= {total} \qquad (1) \end{{aligned}}"
    )


def vector(values: Vectors) -> str:
    return rf"({', '.join(f'{value:.2f}' for value in values[:AHEAD])}, \ldots)"


def loss(found: Surprise) -> str:
    """Both halves of the loss with this sentence's numbers."""
    left, right = (
        " + ".join(f"{value:.1f}" for value in part[:3]) + (r" + \ldots" if len(part) > 3 else "")
        for part in (found.forward, found.backward)
    )
    forward, backward = float(found.forward.sum()), float(found.backward.sum())
    return (
        r"\begin{aligned} L &= -\sum_i \log p(x_i \mid x_1 \ldots x_{i-1})"
        r" - \sum_i \log p(x_i \mid x_{i+1} \ldots x_n) \\"
        rf" &= ({left}) + ({right}) = {forward:.1f} + {backward:.1f} = {forward + backward:.1f}"
        r" \end{aligned}"
    )

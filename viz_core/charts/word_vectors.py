"""Word vectors in pictures: the parallelogram, families of arrows, neighbours."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts import bars, summaries
from viz_core.charts.kit import plane, style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room, word_width
from viz_core.traces.word_vectors import Analogy, Arrows, Neighbours

STEPS = ("three words", "from the second to the first", "the same arrow again", "nearest words")
CAUTION = (
    "The three words themselves are never the answer: without this rule it would often be one of "
    "them. And vectors repeat the texts they come from, prejudices included: try *doctor − man + "
    "woman* (Bolukbasi et al. 2016)."
)
UP = "Up is the mean of all arrows; across is where the words differ most besides."


# ---- an analogy -------------------------------------------------------------------------------


def finding(trace: Analogy) -> str:
    """The answer in words, with the runner-up."""
    a, b, c = trace.words
    best = f"{trace.answers[0]} is nearest to {b} − {a} + {c}, cosine {trace.similarities[0]:.2f}"
    if len(trace.answers) < 2:
        return best
    return f"{best}; then {trace.answers[1]}, {trace.similarities[1]:.2f}"


@drawn
def parallelogram(trace: Analogy, step: int = 3, *, room: Room = PAGE) -> style.AnyChart:
    """The plane of the three words: an arrow, the same arrow from the third, the words near its
    end. Steps 0 to 3 draw ever more of it, at the same places."""
    scale = room.scale
    every = np.concatenate((trace.corners, trace.points))
    paper = plane.fit(every, room, equal=True)
    pixels = paper.pixels(every)
    a, b, c, target = pixels[:4]
    asked = f"{trace.words[1]} − {trace.words[0]} + {trace.words[2]}"
    # The answers first: what is found must be read, whatever lies beside it.
    order = [0, 1, 2, *range(4, len(every)), 3][: len(every)]
    labels = [*trace.words, asked, *trace.answers]
    large, small = style.font(scale, style.LARGE), style.font(scale, style.SMALL)
    sizes = [large] * 3 + [small] + [large] + [style.font(scale)] * len(trace.answers)
    told = plane.names(
        paper,
        pixels[order],
        [labels[i] for i in order],
        [sizes[i] for i in order],
        len(order),
        [(a, b), (c, target), (a, c), (b, target)],
    )
    told["point"] = [order[i] for i in told["number"]]
    seen = {0: 3, 1: 3, 2: 4, 3: len(every)}[step]  # points that are there at this step
    cosines = [None] * 4 + [round(value, 3) for value in trace.similarities]
    away = [0.0] * 4 + [round(value, 3) for value in trace.heights]
    dots = pd.DataFrame(
        {
            "word": labels,
            "x": pixels[:, 0],
            "y": pixels[:, 1],
            "cosine": cosines,
            "from the plane": away,
            "kind": ["word"] * 3 + ["target", "answer"] + ["near"] * (len(trace.answers) - 1),
        }
    ).iloc[:seen]
    kinds = ["word", "target", "answer", "near"]
    colours = [style.BLUE, style.INK, style.VERMILION, style.INK]
    layers: list[alt.Chart] = []
    sides = plane.arrows(paper, np.stack((a, b)), np.stack((c, target)), style.INK, (3, 4))
    if step >= 2:
        layers.append(sides[0].encode(opacity=alt.value(0.45)))
    if step >= 1:
        layers += plane.arrows(paper, a[None], b[None])
    if step >= 2:
        layers += plane.arrows(paper, c[None], target[None])
    layers.append(
        alt.Chart(dots)
        .mark_point(filled=True, opacity=1)
        .encode(
            x=paper.x("x"),
            y=paper.y("y"),
            color=alt.Color("kind:N", scale=alt.Scale(domain=kinds, range=colours), legend=None),
            size=alt.condition(
                "datum.kind == 'answer' || datum.kind == 'word'",
                alt.value(110 * scale**2),
                alt.value(45 * scale**2),
            ),
            tooltip=["word:N", "cosine:Q", "from the plane:Q"],
        )
    )
    layers.append(plane.written(paper, told[told["point"] < seen]))
    said = finding(trace) if step == 3 else f"{', '.join(trace.words)}: {STEPS[step]}"
    return style.layered(*layers).properties(
        autosize=style.PAD, width=paper.width, height=paper.height, description=said
    )


@drawn
def answers(trace: Analogy, *, room: Room = PAGE) -> style.AnyChart:
    """The nearest words, the first one in vermilion as in the plane."""
    title = "Nearest words, cosine"
    return bars.bars(trace.answers, trace.similarities, title, highlight=0, room=room)


def formula(trace: Analogy) -> str:
    """The cosine of the answer, with its first numbers."""
    target, answer = trace.vectors[3:]
    dot, length = float(target @ answer), float(np.linalg.norm(target))
    first = " + ".join(
        rf"{x:.2f} \cdot {y:.2f}" if y >= 0 else rf"{x:.2f} \cdot ({y:.2f})"
        for x, y in zip(target[:2], answer[:2], strict=True)
    )
    return (
        rf"\cos(x, y) = \frac{{x \cdot y}}{{|x|\,|y|}} = \frac{{{first} + \ldots}}"
        rf"{{{length:.2f} \cdot 1}} = \frac{{{dot:.3f}}}{{{length:.2f}}} = {dot / length:.2f}"
    )


@drawn
def rows(trace: Analogy, *, scale: float = 1.0) -> style.AnyChart:
    """The vectors themselves, a cell a number: the three, their sum, and the nearest word."""
    a, b, c = trace.words
    values = trace.vectors[[1, 0, 2, 3, 4]] * np.array([[1], [-1], [1], [1], [1]])
    return summaries.strip(
        [str(place) if place % 10 == 0 else "·" for place in range(1, values.shape[1] + 1)],
        values / np.abs(values).max(),
        [b, f"− {a}", f"+ {c}", "= sum", trace.answers[0]],
        f"The vectors themselves, {values.shape[1]} numbers each",
        signed=True,
        scale=scale,
    )


# ---- families ---------------------------------------------------------------------------------


def finding_of_arrows(trace: Arrows) -> str:
    """How nearly parallel the arrows are, beside those of mixed-up pairs."""
    worst = int(np.argmin(trace.along))
    a, b = trace.pairs[worst]
    return (
        f"Two of these arrows have a cosine of {trace.agreement:.2f} on average, and of "
        f"{trace.shuffled:.2f} when partners are mixed up. With the mean of all others {a} → {b} "
        f"agrees least, {trace.along[worst]:.2f}"
    ).replace("-0.", "−0.")


@drawn
def family(trace: Arrows, *, room: Room = PAGE) -> style.AnyChart:
    """One arrow a pair. Up is the mean of all arrows."""
    count = len(trace.pairs)
    ends = trace.points.reshape(2 * count, 2)
    paper = plane.fit(ends, room)
    pixels = paper.pixels(ends)
    words = [word for pair in trace.pairs for word in pair]
    size = style.font(room.scale)
    told = plane.names(
        paper,
        pixels,
        words,
        [size] * len(words),
        len(words),
        list(zip(pixels[::2], pixels[1::2], strict=True)),
    )
    dots = pd.DataFrame(
        {
            "word": words,
            "pair": [f"{a} → {b}" for a, b in trace.pairs for _ in range(2)],
            "cosine with the others": np.repeat(np.round(trace.along, 3), 2),
            "x": pixels[:, 0],
            "y": pixels[:, 1],
        }
    )
    layers = [
        *plane.arrows(paper, pixels[::2], pixels[1::2]),
        alt.Chart(dots)
        .mark_point(filled=True, size=60 * room.scale**2, color=style.BLUE, opacity=1)
        .encode(
            x=paper.x("x"),
            y=paper.y("y"),
            tooltip=["word:N", "pair:N", "cosine with the others:Q"],
        ),
        plane.written(paper, told),
    ]
    return style.layered(*layers).properties(
        autosize=style.PAD,
        width=paper.width,
        height=paper.height,
        description=finding_of_arrows(trace),
    )


# ---- one vector, two meanings -----------------------------------------------------------------


def finding_of_neighbours(trace: Neighbours) -> str:
    """Which meaning the nearest words have, and how far away the other one is."""
    total = len(trace.words)
    first = sum(side == 0 for side in trace.sides)
    counts = f"{first} are nearer to {trace.readings[0]}, {total - first} to {trace.readings[1]}"
    ranks = " and ".join(
        f"{reading} is neighbour number {rank:,}"
        for reading, rank in zip(trace.readings, trace.ranks, strict=True)
    )
    verdict = (
        "one vector mixes both meanings"
        if 0 < first < total
        else "one meaning has pushed the other out of sight"
    )
    return f"Of the {total} words nearest to {trace.word}, {counts}: {verdict}; {ranks}"


@drawn
def neighbours(trace: Neighbours, *, room: Room = PAGE) -> style.AnyChart:
    """The nearest words by their cosine, coloured by the meaning that they are nearer to."""
    scale = room.scale
    step, _ = room.less(height=40).rows(len(trace.words), 28)
    frame = pd.DataFrame(
        {
            "position": range(len(trace.words)),
            "word": trace.words,
            "cosine": np.round(trace.similarities, 3),
            "nearer to": [trace.readings[side] for side in trace.sides],
        }
    )
    y = alt.Y(
        "position:O",
        axis=style.token_axis(trace.words, orient="left", scale=scale, step=step),
        scale=alt.Scale(paddingInner=0.25, paddingOuter=0.1),
    )
    hue = alt.Color(
        "nearer to:N",
        scale=alt.Scale(domain=list(trace.readings), range=[style.BLUE, style.VERMILION]),
        legend=style.legend("nearer to", scale, orient="top", symbolType="square"),
    )
    base = alt.Chart(frame).encode(
        y=y, x=alt.X("cosine:Q", scale=alt.Scale(domain=[0, 1], clamp=True), axis=None)
    )
    marks = base.mark_bar(cornerRadiusEnd=2).encode(
        color=hue, tooltip=["word:N", "cosine:Q", "nearer to:N"]
    )
    numbers = base.mark_text(
        align="left", dx=5 * scale, fontSize=style.font(scale, style.SMALL), color=style.INK
    ).encode(text=alt.Text("cosine:Q", format=".2f"))
    words = min(word_width(trace.words, style.font(scale)), 150 * scale)
    return style.layered(marks, numbers).properties(
        autosize=style.PAD,
        width=min(420 * scale, room.width - words - 60 * scale),
        height=step * len(trace.words),
        description=finding_of_neighbours(trace),
    )


CONTEXT = (
    "A table has one row for a word, whatever the sentence: *the bank of the river* and *a loan "
    "from the bank* get the same numbers. Models that read the whole sentence first (ELMo, BERT) "
    "give a word another vector in every sentence."
)

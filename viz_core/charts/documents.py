"""A document shaded twice: its sentences at the left, the words inside, and the two multiplied.

As in Yang et al. 2016, figures 5 and 6: orange is the weight of a sentence, blue that of a word.
"""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from viz_core.analysis import documents as told
from viz_core.charts.kit import style, text_marks
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.recurrent import x_at, y_at
from viz_core.traces.document import DocumentTrace

STEPS = ("words in their sentence", "sentences in the document", "the two multiplied")
LEFT, RIGHT, TITLE = 62, 92, 62  # pixels of the columns beside the text, and of what stands above
LARGE = (25, 22, 20)  # of the type on a stage
SIZES = (18, 16, 15, 14, 13, 12, 11)  # of the type, until the document fits
LINE, GAP = 1.6, 0.35  # of a line of text and between sentences, in type sizes
DEEP = 0.6  # opacity of the largest weight: text upon it can still be read
MOST = 60  # sentences in a picture


class Layout:
    """Where every word stands, in pixels, in the largest type in which the document fits."""

    def __init__(self, trace: DocumentTrace, room: Room) -> None:
        scale = room.scale
        self.left = LEFT * scale
        self.text = room.width - (LEFT + RIGHT) * scale
        self.width = room.width
        heights = [height - TITLE * scale for height in room.heights(trace.count)]
        total = len(trace.sentences)
        sizes = (*LARGE, *SIZES) if scale > 1 else SIZES
        tries = [(style.font(scale, size), most) for most in heights for size in sizes]
        for self.size, most in tries:
            self.part = slice(0, total)
            if total <= MOST and self.place(trace) <= most:
                return
        self.part = self.fitting(trace, most)
        self.place(trace)

    def fitting(self, trace: DocumentTrace, most: float) -> slice:
        """As many sentences around the heaviest as there is room for."""
        middle = told.heaviest(trace)[0]
        start, stop, total = middle, middle + 1, len(trace.sentences)
        while stop - start < total:
            wider = slice(max(start - 1, 0), min(stop + 1, total))
            self.part = wider
            if self.place(trace) > most:
                break
            start, stop = wider.start, wider.stop
        return slice(start, stop)

    def place(self, trace: DocumentTrace) -> float:
        """Set all words of the part; the height that they take."""
        self.words: list[tuple[int, int, float, float, float]] = []
        self.rows: list[tuple[int, float, float]] = []
        top = 0.0
        for number in range(self.part.start, self.part.stop):
            typed = style.shown(trace.sentences[number])
            places = text_marks.flow(typed, self.text / self.size)
            lines = places[-1][1] + 1
            for at, (left, line, wide) in enumerate(places):
                y = top + line * LINE * self.size
                self.words.append(
                    (number, at, self.left + left * self.size, wide * self.size - 2, y)
                )
            bottom = top + lines * LINE * self.size
            self.rows.append((number, top, bottom))
            top = bottom + GAP * self.size
        self.height = top
        return top


@drawn
def review(trace: DocumentTrace, step: int = 2, *, room: Room = PAGE) -> style.AnyChart:
    """The document; clicking a sentence sets the selection "row" to {number}."""
    at, scale = Layout(trace, room), room.scale
    words, rows = _words(trace, at, step), _rows(trace, at)
    size, wide, high = at.size, at.width, at.height

    def box(more: str = "bottom") -> dict[str, Any]:
        return {
            "x": x_at("left", wide),
            "x2": "right:Q",
            "y": y_at("top", high),
            "y2": f"{more}:Q",
        }

    chosen = alt.selection_point(name="row", fields=["number"], on="click", empty=False)
    ink: dict[str, Any] = {"color": style.INK, "fontSize": size, "baseline": "middle"}
    shade = alt.FillOpacity("shade:Q", scale=None, legend=None)
    faint = alt.Opacity("ink:Q", scale=None, legend=None)
    told_word = [
        alt.Tooltip("word:N"),
        alt.Tooltip("in its sentence:Q", format=".3f"),
        alt.Tooltip("sentence:Q", format=".3f"),
        alt.Tooltip("multiplied:Q", format=".3f"),
    ]
    told_row = [
        alt.Tooltip("weight:Q", title="weight of the sentence", format=".3f"),
        alt.Tooltip("click:N"),
    ]
    text = alt.Chart(words).encode(tooltip=told_word)
    beside = alt.Chart(rows).encode(tooltip=told_row)
    layers: list[Any] = [
        beside.mark_rect(fill=style.VERMILION, fillOpacity=0, cursor="pointer")
        .encode(**(box() | {"x": alt.value(0), "x2": alt.value(wide)}))
        .add_params(chosen),
        text.mark_rect(fill=style.BLUE, cornerRadius=3 * scale, cursor="pointer").encode(
            **box(), fillOpacity=shade
        ),
        text.mark_text(**ink, cursor="pointer", limit=at.text).encode(
            x=x_at("middle", wide), y=y_at("centre", high), text="word:N", opacity=faint
        ),
    ]
    if step:
        cell = box() | {"x": alt.value(0), "x2": alt.value(at.left - 12 * scale)}
        layers += [
            beside.mark_rect(
                fill=style.VERMILION, stroke=style.INK, strokeOpacity=style.FAINT, cursor="pointer"
            ).encode(**cell, fillOpacity=shade),
            beside.mark_text(**ink | {"fontSize": min(size, style.font(scale))}).encode(
                x=alt.value((at.left - 12 * scale) / 2), y=y_at("centre", high), text="said:N"
            ),
        ]
    if step == len(STEPS) - 1:
        side = ink | {"fontSize": min(size, style.font(scale)), "align": "right"}
        turned = alt.condition("datum.turned", alt.value(style.VERMILION), alt.value(style.INK))
        layers.append(
            beside.mark_text(**side, fontWeight=600).encode(
                x=alt.value(wide), y=y_at("centre", high), text="rest:N", color=turned
            )
        )
    note = style.part_note("sentences", at.part, len(trace.sentences))
    return style.layered(*layers).properties(
        autosize=style.PAD,
        width=wide,
        height=high,
        title=style.title(_title(trace, step), [_legend(trace, step), note], scale),
        description=told.finding(trace) if step == len(STEPS) - 1 else STEPS[step],
    )


def _title(trace: DocumentTrace, step: int) -> str:
    """The verdict comes when both levels are there."""
    return told.verdict(trace).capitalize() if step == len(STEPS) - 1 else STEPS[step].capitalize()


def _legend(trace: DocumentTrace, step: int) -> str:
    largest = max(float(row.max()) for row in _shades(trace, step))
    blue = "weight in its sentence" if step == 0 else "word weight × sentence weight"
    return {
        0: f"blue: a word's {blue}, deepest at {largest:.2f}",
        1: "orange: the weight of a sentence, from 0 to 1",
        2: f"orange: weight of the sentence · blue: {blue}, deepest at {largest:.2f} · right: "
        "chance of positive without the sentence, orange where the verdict turns",
    }[step]


def _shades(trace: DocumentTrace, step: int) -> tuple[Any, ...]:
    return trace.word_weights if step == 0 else trace.products


def _words(trace: DocumentTrace, at: Layout, step: int) -> pd.DataFrame:
    shades = _shades(trace, step)
    largest = max(float(row.max()) for row in shades)
    frame = pd.DataFrame(at.words, columns=["number", "place", "left", "room", "top"])
    pairs = list(zip(frame["number"], frame["place"], strict=True))
    frame["word"] = [style.readable(trace.sentences[n][k]) for n, k in pairs]
    frame["in its sentence"] = [round(float(trace.word_weights[n][k]), 4) for n, k in pairs]
    frame["sentence"] = [round(float(trace.sentence_weights[n]), 4) for n, _ in pairs]
    frame["multiplied"] = (frame["in its sentence"] * frame["sentence"]).round(4)
    values = np.array([float(shades[n][k]) for n, k in pairs])
    out = frame["number"].isin(trace.left_out)
    frame["shade"] = np.where(out | (step == 1), 0, DEEP * values / largest).round(3)
    frame["ink"] = np.where(out, style.QUIET, 1.0)
    frame["right"] = frame["left"] + frame["room"]
    frame["middle"] = (frame["left"] + frame["right"]) / 2
    frame["bottom"] = frame["top"] + 1.45 * at.size
    frame["centre"] = frame["top"] + 0.75 * at.size
    return frame


def _rows(trace: DocumentTrace, at: Layout) -> pd.DataFrame:
    frame = pd.DataFrame(at.rows, columns=["number", "top", "bottom"])
    out = frame["number"].isin(trace.left_out)
    frame["weight"] = [round(float(trace.sentence_weights[n]), 4) for n in frame["number"]]
    frame["shade"] = 0.9 * frame["weight"]
    frame["said"] = np.where(out, "out", frame["weight"].map("{:.2f}".format))
    frame["click"] = np.where(out, "click: read it again", "click: leave it out")
    rest = trace.without[frame["number"].to_numpy()]
    frame["rest"] = ["" if np.isnan(chance) else f"{chance:.0%}" for chance in rest]
    frame["turned"] = [
        not np.isnan(chance) and (chance > 0.5) != (trace.positive > 0.5) for chance in rest
    ]
    frame["centre"] = frame["top"] + 0.75 * at.size
    return frame


def formulas(trace: DocumentTrace) -> list[str]:
    """Equations 6 and 9 of Yang et al. 2016 for the heaviest word, and their product."""
    i, t = told.heaviest(trace)
    sentence, word = float(trace.sentence_weights[i]), float(trace.word_weights[i][t])
    scores = trace.word_scores[i].astype(float)
    read = [n for n in range(len(trace.sentences)) if n not in trace.left_out]
    above = trace.sentence_scores.astype(float)

    def softmax(name: str, vector: str, score: float, rest: Any, weight: float) -> str:
        total = float(np.exp(rest).sum())
        return (
            rf"{name} = \frac{{e^{{{vector}}}}}{{\sum e^{{{vector}}}}}"
            rf" = \frac{{e^{{{score:.2f}}}}}{{{total:.2f}}} = {weight:.3f}"
        )

    return [
        softmax(rf"\alpha_{{{i + 1},{t + 1}}}", "u_{it} u_w", scores[t], scores, word)
        + r" \qquad (6)",
        softmax(rf"\alpha_{{{i + 1}}}", "u_i u_s", above[i], above[read], sentence)
        + r" \qquad (9)",
        rf"\alpha_{{{i + 1}}} \cdot \alpha_{{{i + 1},{t + 1}}} = {sentence:.3f} \cdot {word:.3f}"
        rf" = {sentence * word:.3f}",
    ]

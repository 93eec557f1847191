"""Tasks on top of BERT: what is read where, which word decided, names in a text, an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import altair as alt
import numpy as np
import pandas as pd

from viz_core import analysis
from viz_core.charts import comparison
from viz_core.charts.kit import style, text_marks
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room, word_width
from viz_core.traces import Weights
from viz_core.traces.bert import AnswerTrace, Importance, Tagged

WAYS = {
    "attention": "[CLS] attention",
    "gradient": "gradient × input",
    "left_out": "left out",
}
KINDS = {"PER": "person", "ORG": "organisation", "LOC": "place", "MISC": "other name"}
HUES = dict(zip(KINDS.values(), style.HEADS, strict=False))
CAUTION = (
    "**Look for** words on which the three columns differ. Attention says where the model looked, "
    "not what decided: only the last column changes the input and sees what happens (this and the "
    "gradient in log-odds of the label: blue speaks for it, orange against it). Where the rank "
    "correlation is low, do not explain the label by attention (Jain and Wallace 2019)."
)


# ---- which word decided it --------------------------------------------------------------------


def spoken(found: Importance) -> Importance:
    """The words alone: [CLS] and [SEP] cannot be left out, so they are not compared."""
    kept = [i for i, word in enumerate(found.words) if word not in analysis.SPECIAL]
    return replace(
        found,
        words=tuple(found.words[i] for i in kept),
        **{name: getattr(found, name)[kept] for name in WAYS},
    )


def agreement(found: Importance) -> Weights:
    """(way, way): the rank correlation of the three answers, over the words alone."""
    rows = [getattr(spoken(found), name) for name in WAYS]
    table = np.eye(len(rows), dtype=np.float32)
    for i, j in combinations(range(len(rows)), 2):
        table[i, j] = table[j, i] = analysis.rank_correlation(rows[i], rows[j])
    return table


def finding(found: Importance) -> str:
    """The word that each way names first, and how well attention agrees with leaving out."""
    words = spoken(found)
    first = {
        name: words.words[int(np.argmax(getattr(words, name)))] if words.words else "nothing"
        for name in WAYS
    }
    told = ", ".join(f"{WAYS[name]}: {style.readable(word)}" for name, word in first.items())
    return f"{told}; attention and leaving out agree {agreement(found)[0, 2]:+.2f}"


@drawn
def importance(found: Importance, *, room: Room = PAGE) -> style.AnyChart:
    """The words down, and for each way a column of bars, to the left of zero for the negative."""
    words, scale = spoken(found), room.scale
    if not words.words:
        return style.blank("There are no words to weigh.", scale)
    step, part = room.less(height=40).rows(len(words.words), 24, every=True)
    names = words.words[part]
    note = style.part_note("words", part, len(words.words))
    left = min(word_width(names, style.font(scale)), 130 * scale)
    wide = min((room.width - left - 60 * scale) / len(WAYS), 190 * scale)
    panels = []
    for number, (name, title) in enumerate(WAYS.items()):
        values = getattr(words, name)[part].astype(float)
        largest = float(np.abs(values).max()) or 1.0
        frame = pd.DataFrame({"position": range(len(names)), "value": values.round(4)})
        frame["word"] = style.shown(names)
        frame["measure"] = title
        axis = style.token_axis(names, orient="left", scale=scale, step=step, label=130)
        base = alt.Chart(frame).encode(
            y=alt.Y("position:O", axis=None if number else axis),
            x=alt.X(
                "value:Q", axis=None, scale=alt.Scale(domain=[-0.45 * largest, 1.45 * largest])
            ),
            tooltip=["word:N", alt.Tooltip("value:Q", title=title, format="+.3f")],
        )
        if min(values) < -0.3 * largest:  # room for numbers on both sides
            base = base.encode(
                x=alt.X(
                    "value:Q", axis=None, scale=alt.Scale(domain=[-1.45 * largest, 1.45 * largest])
                )
            )
        sign = alt.condition("datum.value < 0", alt.value(style.VERMILION), alt.value(style.BLUE))
        numbers = base.mark_text(
            fontSize=style.font(scale, 11),
            color=style.INK,
            tooltip=None,
            align=alt.expr("datum.value < 0 ? 'right' : 'left'"),
            dx=alt.expr(f"datum.value < 0 ? {-4 * scale} : {4 * scale}"),
        ).encode(text=alt.Text("value:Q", format="+.2f" if name != "attention" else ".2f"))
        panels.append(
            style.layered(base.mark_bar().encode(color=sign), numbers).properties(
                width=wide,
                height=step * len(names),
                title=style.title(title, () if number else note, scale * 0.85),
            )
        )
    chart: alt.HConcatChart = alt.hconcat(*panels, spacing=14 * scale)
    return chart.resolve_scale(x="independent").properties(
        autosize=style.PAD, description=finding(found)
    )


@drawn
def agreements(found: Importance, *, scale: float = 1.0) -> style.AnyChart:
    return comparison.agreement(
        list(WAYS.values()), agreement(found), "Rank correlation", scale=scale
    )


# ---- names ------------------------------------------------------------------------------------


def finding_of_names(found: Tagged) -> str:
    """The names with their kinds, as a reader would list them."""
    names: list[list[str]] = []
    for word, tag in zip(found.words, found.tags, strict=True):
        if tag.startswith("B-"):
            names.append([KINDS.get(tag[2:], tag[2:]), word])
        elif tag.startswith("I-") and names:
            names[-1].append(word)
    told = (f"{' '.join(words)} ({kind})" for kind, *words in names)
    return "; ".join(told) or "No names were found"


@drawn
def names(found: Tagged, *, scale: float = 1.0) -> style.AnyChart:
    """The text; a name has the colour of its kind, the stronger the surer the model is."""
    shades = [
        0.0 if tag == "O" else 0.85 * sure
        for tag, sure in zip(found.tags, found.probabilities, strict=True)
    ]
    labels = ["" if tag == "O" else KINDS.get(tag[2:], tag[2:]) for tag in found.tags]
    chart = text_marks.shaded(found.words, shades, labels=labels, hues=HUES, line=900, scale=scale)
    return chart.properties(description=finding_of_names(found))


# ---- an answer --------------------------------------------------------------------------------


def _joined(found: AnswerTrace, context: str) -> tuple[list[str], list[list[int]]]:
    """Tokens back to what stands between spaces, and the tokens that each word is made of."""
    groups: list[list[int]] = []
    for i, (start, _) in enumerate(found.offsets):
        if groups and start == found.offsets[i - 1][1]:
            groups[-1].append(i)
        else:
            groups.append([i])
    words = [context[found.offsets[g[0]][0] : found.offsets[g[-1]][1]] for g in groups]
    return words, groups


@drawn
def answer(found: AnswerTrace, context: str, *, scale: float = 1.0) -> style.AnyChart:
    """The paragraph with its answer marked; below words, the chance to start and to end it."""
    words, groups = _joined(found, context)
    given = found.answer
    labels, shades = [], []
    for group in groups:
        inside = (
            found.offsets[group[0]][0] < given.end and found.offsets[group[-1]][1] > given.start
        )
        start, end = float(found.start[group].sum()), float(found.end[group].sum())
        told = [f"{name} {p:.2f}" for name, p in (("start", start), ("end", end)) if p >= 0.1]
        labels.append(", ".join(told))
        shades.append(0.8 if inside else 0.0)
    # A long paragraph is drawn in part: the part with the answer.
    first = next((place for place, shade in enumerate(shades) if shade), None)
    chart = text_marks.shaded(words, shades, labels=labels, around=first, line=900, scale=scale)
    said = f"The answer is {given.text}, probability {given.probability:.2f}"
    return chart.properties(description=said)


@drawn
def ends(found: AnswerTrace, *, room: Room = PAGE) -> style.AnyChart:
    """Over every token of the paragraph its chance to start and to end the answer."""
    given = found.answer
    first = next(i for i, span in enumerate(found.offsets) if span[0] == given.start)
    part = style.part(len(found.tokens), style.LIMIT, first)
    series = {
        "start: softmax(s · v)": found.start[part].tolist(),
        "end: softmax(e · v)": found.end[part].tolist(),
    }
    title = "Every token as start and as end"
    chart = comparison.grouped(found.tokens[part], series, title, room=room, upright=True)
    note = style.part_note("tokens", part, len(found.tokens))
    said = "; ".join(
        f"{style.readable(found.tokens[int(side.argmax())])} is the likeliest {name}, "
        f"{side.max():.2f}"
        for name, side in (("start", found.start), ("end", found.end))
    )
    return chart.properties(title=style.title(title, note, room.scale), description=said)


def dot_formula(found: AnswerTrace) -> str:
    """The start as one product a token, with the numbers of the likeliest token."""
    at = int(found.start.argmax())
    score = float(found.scores[0, at])
    total = float(np.exp(found.scores[0] - score).sum())
    return (
        rf"P_{{\text{{start}}}}(i) = \frac{{e^{{s \cdot v_i}}}}{{\sum_j e^{{s \cdot v_j}}}},\quad "
        rf"s \cdot v_{{{at + 1}}} = {score:.2f} \Rightarrow P = \frac{{1}}{{{total:.3f}}}"
        rf" = {float(found.start[at]):.3f}"
    )


def answer_formula(found: AnswerTrace) -> str:
    """The chance of the span, from the chances of its two ends."""
    given = found.answer
    starts = [i for i, span in enumerate(found.offsets) if span[0] == given.start]
    ends = [i for i, span in enumerate(found.offsets) if span[1] == given.end]
    first, last = float(found.start[starts].max()), float(found.end[ends].max())
    return (
        r"P(\text{answer}) = P_{\text{start}} \cdot P_{\text{end}}"
        rf" = {first:.3f} \cdot {last:.3f} = {given.probability:.3f}"
    )


# ---- what is put on top -----------------------------------------------------------------------


def asked_of_review(text: str) -> tuple[list[str], list[str]]:
    """Tokens and what is asked of each: of a review one thing, at [CLS]."""
    tokens = ["[CLS]", *text.split(), "[SEP]"]
    return tokens, ["positive?", *[""] * (len(tokens) - 1)]


def asked_of_paragraph(question: str, paragraph: str) -> tuple[list[str], list[str]]:
    """Of a paragraph two things at each word: an answer may begin and end at any of them."""
    tokens, words = ["[CLS]", *question.split(), "[SEP]"], paragraph.split()
    return [*tokens, *words], [""] * len(tokens) + ["start, end"] * len(words)


@drawn
def on_top(
    tokens: Sequence[str], outputs: Sequence[str], *, scale: float = 1.0, limit: int = 14
) -> style.AnyChart:
    """Where a task reads: tokens below, the encoder, and what is asked of each of its outputs.

    An output "" is not read: its line ends in the encoder.
    """
    count = min(len(tokens), limit)
    step, high = min(76, style.ROOM / max(count, 1)) * scale, 44 * scale
    frame = pd.DataFrame(
        {
            "at": [(i + 0.5) * step for i in range(count)],
            "token": style.shown(tokens[:count]),
            "output": style.shown(outputs[:count]),
        }
    )
    wide = count * step

    def x() -> alt.X:
        return alt.X("at:Q", scale=alt.Scale(domain=[0, wide], nice=False), axis=None)

    def words(field: str, line: float) -> alt.Chart:
        mark = alt.Chart(frame).mark_text(
            fontSize=style.font(scale), limit=step - 4, color=style.INK, tooltip=None
        )
        return mark.encode(x=x(), y=alt.value(line), text=f"{field}:N")

    def arrows(data: pd.DataFrame, low: float, up: float, colour: str) -> alt.Chart:
        mark = alt.Chart(data).mark_rule(strokeWidth=2.5 * scale, color=colour, tooltip=None)
        return mark.encode(x=x(), y=alt.value(low), y2=alt.value(up))

    box = alt.Chart(pd.DataFrame([{}])).mark_rect(
        fill=style.BLUE, fillOpacity=0.14, stroke=style.BLUE, cornerRadius=6 * scale
    )
    name = alt.Chart(pd.DataFrame([{}])).mark_text(
        fontSize=style.font(scale, style.LARGE),
        text="BERT: two layers shared, four of its own",
        color=style.INK,
    )
    read = frame[frame["output"] != ""]
    layers = [
        box.encode(
            x=alt.value(0), x2=alt.value(wide), y=alt.value(1.5 * high), y2=alt.value(2.5 * high)
        ),
        name.encode(x=alt.value(wide / 2), y=alt.value(2 * high)),
        arrows(frame, 3.2 * high, 2.5 * high, style.INK),
        arrows(read, 1.5 * high, 0.8 * high, style.VERMILION),
        words("token", 3.5 * high),
        words("output", 0.5 * high),
    ]
    said = ", ".join(f"{t}: {o}" for t, o in zip(read["token"], read["output"], strict=True))
    return style.layered(*layers).properties(
        autosize=style.PAD,
        width=wide,
        height=3.8 * high,
        title=style.title(
            "What is put on top", style.part_note("tokens", slice(0, count), len(tokens)), scale
        ),
        description=f"Read from {said}",
    )

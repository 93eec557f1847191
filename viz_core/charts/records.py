"""A table of texts: which rows match, how similar each is to the query, and what it weighs."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from viz_core.by_hand.table import Selection, pairs
from viz_core.charts.kit import style, text_marks
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.recurrent import x_at, y_at

ROW, HEAD = 38, 46  # pixels of a row, and of the names of the columns
CELL, GAP = 96, 22  # pixels of a column of numbers, and between columns
SIMILAR = (
    "Similarity of two texts: twice the neighbouring pairs of signs that both have, divided by the "
    "pairs of either (Dice 1945). Tap or hover a number to see its arithmetic."
)
CAUTION = (
    "Keys and query: the mean of bert-mini's states under its last layer. It was trained to fill "
    "masks, not to search: of twenty queries of our own for these six texts it put the right text "
    "first in seventeen, and that layer was chosen by them."
)
TEXTS = ("text",)  # the columns of a search: keys are vectors there
MATCH, SCORE, WEIGHT = "hard match", "similarity", "soft match"


def finding(found: Selection) -> str:
    """Both answers in words."""
    count = len(found.rows)
    hard = "no row" if not count else "one row" if count == 1 else f"{count} rows"
    top = float(found.weights.max())
    if np.isclose(found.weights.min(), top, atol=1e-6):
        same = f"no row is more alike than another{_why(found)}, soft match takes {top:.2f} of each"
        return f"Hard match finds {hard}; {same}"
    best = np.flatnonzero(np.isclose(found.weights, top, atol=1e-6))[:3]
    named = " and ".join(f"“{style.readable(' '.join(found.table.rows[row]))}”" for row in best)
    each = f"{top:.2f}" + (" each" if len(best) > 1 else "")
    return f"Hard match finds {hard}; soft match takes a bit of every row, most of {named}, {each}"


def _why(found: Selection) -> str:
    """Why every similarity is nought, where it is."""
    if found.scores.any() or found.table.columns == TEXTS:
        return ""
    return " (one sign has no pair)" if len(found.query) < 2 else " (no pair of signs is shared)"


@drawn
def table(found: Selection, *, room: Room = PAGE) -> style.AnyChart:
    """The rows; hard match yes or no, the similarity of each key, and the weight it gets."""
    scale = room.scale
    cells, numbers, heads, wide = _layout(found, room)
    high = (HEAD + ROW * len(found.table.rows)) * scale
    size = style.font(scale, 15)
    ink: dict[str, Any] = {"color": style.INK, "fontSize": size, "baseline": "middle"}
    named = alt.Chart(heads).mark_text(
        **ink | {"fontSize": style.font(scale, style.SMALL)}, align="left", fontWeight=600,
        tooltip=None, lineBreak="\n",
    )  # fmt: skip
    texts = alt.Chart(cells).mark_text(**ink, align="left").encode(
        x=x_at("left", wide), y=y_at("middle", high), text="shown:N", tooltip=["text:N"],
        opacity=alt.Opacity("ink:Q", scale=None, legend=None),
    )  # fmt: skip
    tooltip = ["row:N", "column:N", "said:N"]
    boxes = (
        alt.Chart(numbers)
        .mark_rect(fill=style.BLUE, stroke=style.INK, strokeOpacity=style.FAINT)
        .encode(
            x=x_at("left", wide),
            x2="right:Q",
            y=y_at("top", high),
            y2="bottom:Q",
            fillOpacity=alt.FillOpacity("shade:Q", scale=None, legend=None),
            tooltip=tooltip,
        )
    )
    values = alt.Chart(numbers).mark_text(**ink).encode(
        x=x_at("centre", wide), y=y_at("middle", high), text="shown:N",
        color=style.cell_ink("shade"), tooltip=tooltip,
    )  # fmt: skip
    line = alt.Chart(pd.DataFrame({"y": [(HEAD - 6) * scale]})).mark_rule(
        color=style.INK, opacity=0.4, tooltip=None
    )
    layers = [
        named.encode(x=x_at("left", wide), y=y_at("middle", high), text="name:N"),
        line.encode(y=y_at("y", high)),
        texts,
        boxes,
        values,
    ]
    return style.layered(*layers).properties(
        autosize=style.PAD,
        width=wide,
        height=high,
        title=style.title(
            style.readable(found.asked), f"softmax of the similarity, T = {found.temperature:g}",
            scale,
        ),
        description=finding(found),
    )  # fmt: skip


def _layout(found: Selection, room: Room) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, float]:
    """Texts, numbers and headings with their places in pixels, and the width of all."""
    scale, size = room.scale, style.font(room.scale, 15)
    gap, wide = GAP * scale, CELL * scale
    left = room.width - 3 * (wide + gap)
    columns = [
        [style.readable(cell) for cell in cells] for cells in zip(*found.table.rows, strict=True)
    ]
    wanted = [
        (max(map(text_marks.width, (*cells, name))) + 1.8) * size
        for name, cells in zip(found.table.columns, columns, strict=True)
    ]
    given = [min(each, each * left / sum(wanted)) for each in wanted]
    starts = np.concatenate(([0], np.cumsum(given)))
    cells, heads = [], []
    for start, room_for, name, texts in zip(
        starts, given, found.table.columns, columns, strict=False
    ):
        heads.append({"name": _cut(name, room_for / size - 0.8), "left": start})
        for row, text in enumerate(texts):
            out = 1.0 if not found.rows or row in found.rows else 0.6
            shown = _cut(text, room_for / size - 0.8)
            cells.append({"row": row, "left": start, "text": text, "shown": shown, "ink": out})
    numbers, at = [], starts[-1] + gap
    labels = [f"row {number + 1}" for number in range(len(found.keys))]
    for name, values in _columns(found).items():
        heads.append({"name": name, "left": at})
        for row, (value, shown, said) in enumerate(values):
            numbers.append(
                {"row": labels[row], "place": row, "column": name, "said": said, "shown": shown,
                 "shade": round(float(np.clip(value, 0, 1)), 4), "left": at, "right": at + wide}
            )  # fmt: skip
        at += wide + gap
    text, boxes, named = pd.DataFrame(cells), pd.DataFrame(numbers), pd.DataFrame(heads)
    text["middle"] = (HEAD + ROW * (text["row"] + 0.5)) * scale
    boxes["top"] = (HEAD + ROW * boxes["place"] + 3) * scale
    boxes["bottom"] = boxes["top"] + (ROW - 6) * scale
    boxes["middle"] = (boxes["top"] + boxes["bottom"]) / 2
    boxes["centre"] = (boxes["left"] + boxes["right"]) / 2
    named["middle"] = HEAD * scale / 2 - 4 * scale
    return text, boxes, named, float(at - gap)


def _columns(found: Selection) -> dict[str, list[tuple[float, str, str]]]:
    """(shade, number, what it is made of) of each row, for the three columns."""
    total = len(found.keys)
    match = [(float(row in found.rows), "✓" if row in found.rows else "–") for row in range(total)]
    return {
        MATCH: [
            (shade, sign, f"{'fits' if shade else 'does not fit'} {found.asked}")
            for shade, sign in match
        ],
        SCORE: [(0.0, f"{score:.2f}", _made(found, row)) for row, score in enumerate(found.scores)],
        WEIGHT: [
            (float(weight), f"{weight:.2f}", f"its share of the answer is {weight:.3f}")
            for weight in found.weights
        ],
    }


def _made(found: Selection, row: int) -> str:
    if found.table.columns == TEXTS:
        return f"cosine of the two vectors: {found.scores[row]:.3f}"
    asked, key = pairs(found.query), pairs(found.keys[row])
    both = (asked & key).total()
    return f"2 · {both} shared pairs of signs / ({asked.total()} + {key.total()})"


def _cut(text: str, most: float) -> str:
    """As much of a text as has room, in type sizes."""
    if text_marks.width(text) <= most:
        return text
    kept = text
    while kept and text_marks.width(kept + "…") > most:
        kept = kept[:-1]
    return kept + "…"


def formula(found: Selection) -> str:
    """The weight of the best row, with its numbers."""
    best = int(found.weights.argmax())
    score, weight = float(found.scores[best]), float(found.weights[best])
    if not found.temperature:
        return rf"w_{{{best + 1}}} = {weight:.3f} \quad (T \to 0)"
    total = float(np.exp((found.scores - score) / found.temperature).sum())
    return (
        rf"w_{{{best + 1}}} = \frac{{e^{{s_{{{best + 1}}}/T}}}}{{\sum_i e^{{s_i/T}}}}"
        rf" = \frac{{1}}{{\sum_i e^{{(s_i - {score:.2f})/{found.temperature:g}}}}}"
        rf" = \frac{{1}}{{{total:.3f}}} = {weight:.3f}"
    )


def sql(found: Selection) -> str:
    """Both questions as a database would be asked them, with their answers as comments."""
    hard = "; ".join(" ".join(found.table.rows[row]) for row in found.rows) or "no row"
    return (
        f"SELECT * FROM rows {found.asked};\n-- {style.readable(hard)}\n"
        f"SELECT SUM(SOFTMAX(SIMILARITY(key, '{found.query}') / {found.temperature:g}) * value) "
        f"FROM rows;\n-- {mixture(found)}"
    )


def mixture(found: Selection) -> str:
    """The soft answer, as the sum it is: sum_i w_i v_i."""
    names = [" ".join(row[1:]) or row[0] for row in found.table.rows]
    order = np.argsort(-found.weights, kind="stable")[:4]
    parts = [f"{found.weights[row]:.2f} · {style.readable(names[row])[:60]}" for row in order]
    return " + ".join(parts) + (" + …" if len(names) > len(order) else "")

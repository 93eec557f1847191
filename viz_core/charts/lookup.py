"""Attention as look-up in a table: hard and soft match, temperature, and a weighted sum."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.by_hand import Match, tempered
from viz_core.charts.kit import panels, style
from viz_core.charts.kit.arithmetic import TERMS, added, number, vector
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.panel_layout import Panel, Part

Numbers = NDArray[np.floating]
HEATS = np.geomspace(0.01, 10, 61)  # temperatures of the curves
DASHES = ([1, 0], [8, 4], [2, 3], [10, 3, 2, 3])


def finding(found: Match) -> str:
    """Both answers in words."""
    best = int(found.weights.argmax())
    equal = " and ".join(style.readable(found.names[row]) for row in found.rows)
    hard = f"takes {equal}" if equal else "finds no row"
    return (
        f"Hard match {hard}; soft match answers {vector(found.soft)}, "
        f"most of it from {style.readable(found.names[best])}, {found.weights[best]:.2f}"
    )


@drawn
def match(found: Match, *, scale: float = 1.0) -> style.AnyChart:
    """The table: keys, scores, the hard and the soft match, values; below it both answers."""
    words = tuple(style.shown(found.names))
    powers = (
        [f"e^{number(s / found.temperature, 2)}" for s in found.scores] if found.temperature else []
    )
    below = " + ".join(powers) if len(powers) <= TERMS else f"{powers[0]} + {powers[1]} + …"

    def said_soft(row: int, column: int) -> str:
        share = number(found.weights[row])
        if not found.temperature:
            return f"{words[row]}: the limit for T → 0 gives {share}"
        return f"{words[row]}: {powers[row]} / ({below}) = {share}"

    def said_hard(row: int, column: int) -> str:
        return f"{words[row]}: its key {'equals' if row in found.rows else 'is not'} the query"

    def said_answer(row: int, column: int) -> str:
        if not found.rows:
            return "no key equals the query: the table has no answer"
        return f"the value of {words[found.rows[row]]}"

    def column(values: Numbers) -> Numbers:
        return np.asarray(values, dtype=float).reshape(-1, 1)

    chosen = np.isin(np.arange(len(words)), found.rows)
    nothing = np.full((1, found.values.shape[1]), np.nan)
    hard = found.values[list(found.rows)] if found.rows else nothing
    shown = [
        Panel(
            name="keys",
            formula="k",
            values=found.keys,
            said=lambda row, column: f"key of {words[row]}",
            rows=words,
        ),
        Panel(
            name="scores",
            formula="k · query",
            values=column(found.scores),
            said=lambda row, column: f"{words[row]}: {added(found.keys[row], found.query)}",
            made_from=lambda row, column: (Part("keys", row), Part("query", 0, side="key")),
            rows=words,
        ),
        Panel(
            name="hard match",
            formula="k = query",
            values=column(chosen.astype(float)),
            said=said_hard,
            made_from=lambda row, column: (Part("keys", row), Part("query", 0, side="key")),
            rows=words,
            is_weight=True,
        ),
        Panel(
            name="soft match",
            formula="softmax(k · q / T)",
            values=column(found.weights),
            said=said_soft,
            made_from=lambda row, column: (Part("scores", None, 0),),
            rows=words,
            is_weight=True,
        ),
        Panel(
            name="values",
            formula="v",
            values=found.values,
            said=lambda row, column: f"value of {words[row]}",
            rows=words,
        ),
        Panel(
            name="query",
            formula="what is asked",
            values=found.query[None],
            said=lambda row, column: "the query",
            rows=("query",),
            breaks=True,
        ),
        Panel(
            name="hard answer",
            formula="v of the equal key",
            values=hard,
            said=said_answer,
            made_from=lambda row, column: (Part("hard match", None, 0),),
        ),
        Panel(
            name="soft answer",
            formula="Σ weight · v",
            values=found.soft[None],
            said=lambda row, column: added(found.weights, found.values[:, column]),
            made_from=lambda row, column: (
                Part("soft match", None, 0),
                Part("values", None, column, "key"),
            ),
        ),
    ]
    return panels.picture(shown, finding(found), start=("soft answer", 0, 0), scale=scale)


@drawn
def limit(found: Match, *, scale: float = 1.0) -> style.AnyChart:
    """The weight of each key against the temperature: at the left the soft match is a hard one."""
    weights = np.stack([tempered(found.scores, float(heat)) for heat in HEATS])  # (heat, key)
    words = [f"{i + 1} {name}" for i, name in enumerate(style.shown(found.names))]
    frame = pd.DataFrame(
        {
            "temperature": np.repeat(HEATS, len(words)),
            "key": np.tile(words, len(HEATS)),
            "weight": weights.ravel().round(4),
        }
    )
    palette = [style.HEADS[i % len(style.HEADS)] for i in range(len(words))]
    dashes = [DASHES[i % len(DASHES)] for i in range(len(words))]
    ticks = style.axis("temperature T", scale, grid=False, values=[0.01, 0.1, 1, 10], format="~g")
    x = alt.X("temperature:Q", axis=ticks, scale=alt.Scale(type="log", nice=False))
    y = alt.Y("weight:Q", axis=style.axis("weight", scale), scale=alt.Scale(domain=[0, 1]))
    legend = style.legend(None, scale, orient="top", columns=2, symbolSize=400 * scale)
    lines = alt.Chart(frame).mark_line(strokeWidth=2.5 * scale)
    drawn = lines.encode(
        x=x,
        y=y,
        color=alt.Color("key:N", scale=alt.Scale(domain=words, range=palette), legend=legend),
        strokeDash=alt.StrokeDash("key:N", scale=alt.Scale(domain=words, range=dashes)),
        tooltip=["key:N", "temperature:Q", alt.Tooltip("weight:Q", format=".3f")],
    )
    here = max(found.temperature, float(HEATS[0]))
    rule = alt.Chart(pd.DataFrame({"temperature": [here]})).mark_rule(
        color=style.INK, strokeDash=[4, 4], strokeWidth=2 * scale
    )
    coldest = int(weights[0].argmax())
    return style.layered(drawn, rule.encode(x=x)).properties(
        width=240 * scale,
        height=200 * scale,
        autosize="pad",
        description=f"As the temperature falls to 0, {found.names[coldest]} takes "
        f"{weights[0].max():.2f}",
    )


def finding_of_sum(words: Sequence[str], weights: Numbers, result: Numbers, target: str) -> str:
    top = style.readable(words[int(np.argmax(weights))])
    return f"{style.readable(target)} becomes {vector(result)}, most of it from {top}"


@drawn
def weighted(
    words: Sequence[str], weights: Numbers, values: Numbers, target: str, *, scale: float = 1.0
) -> style.AnyChart:
    """Weights times values, row by row, and their sum: the new vector of the target word."""
    rows = tuple(style.shown(words))
    share = np.asarray(weights, dtype=float).reshape(-1, 1)
    products, result = share * values, share.ravel() @ values
    shown = [
        Panel(
            name="weights",
            formula=f"how {style.readable(target)} looks",
            values=share,
            said=lambda row, column: (
                f"{target} gives {rows[row]} a weight of {number(share[row, 0])}"
            ),
            rows=rows,
            is_weight=True,
        ),
        Panel(
            name="values",
            formula="v",
            values=values,
            said=lambda row, column: f"value of {rows[row]}",
            rows=rows,
        ),
        Panel(
            name="weight · value",
            formula="what each word gives",
            values=products,
            said=lambda i, j: (
                f"{rows[i]}: {number(share[i, 0])}·{number(values[i, j])}"
                f" = {number(products[i, j])}"
            ),
            made_from=lambda i, j: (Part("weights", i), Part("values", i, j, "key")),
            rows=rows,
        ),
        Panel(
            name="sum",
            formula=f"v of {style.readable(target)}",
            values=result[None],
            said=lambda i, j: f"{target}: {added(share.ravel(), values[:, j])}",
            made_from=lambda i, j: (Part("weight · value", None, j),),
            rows=(style.readable(target),),
            breaks=True,
        ),
    ]
    told = finding_of_sum(words, weights, result, target)
    return panels.picture(shown, told, start=("sum", 0, 0), scale=scale)


@drawn
def pull(
    words: Sequence[str], weights: Numbers, values: Numbers, target: str, *, scale: float = 1.0
) -> style.AnyChart:
    """The same in the plane of the first two numbers: each word pulls with its weight."""
    if values.shape[1] < 2:
        return style.blank("Values of two numbers or more can be drawn in a plane.", scale)
    result = np.asarray(weights, dtype=float).ravel() @ values
    frame = pd.DataFrame(
        {
            "word": style.shown(words),
            "x": values[:, 0],
            "y": values[:, 1],
            "weight": np.asarray(weights, dtype=float).ravel(),
            "x2": result[0],
            "y2": result[1],
        }
    )
    flat = alt.Scale(zero=False, nice=True, padding=24 * scale)
    x = alt.X("x:Q", scale=flat, axis=style.axis("number 1", scale))
    y = alt.Y("y:Q", scale=flat, axis=style.axis("number 2", scale))
    width = alt.StrokeWidth("weight:Q", scale=alt.Scale(domain=[0, 1], range=[1, 22]), legend=None)
    base = alt.Chart(frame).encode(x=x, y=y)
    lines = base.mark_rule(color=style.BLUE, opacity=0.55, strokeCap="round")
    points = base.mark_point(filled=True, size=90 * scale**2, color=style.BLUE, opacity=1)
    text = base.transform_calculate(label="datum.word + ' ' + format(datum.weight, '.2~f')")
    names = text.mark_text(dy=-14 * scale, fontSize=style.font(scale), color=style.INK)
    end = pd.DataFrame({"x": [result[0]], "y": [result[1]], "word": [style.readable(target)]})
    there = alt.Chart(end).encode(x=x, y=y)
    mark = there.mark_point(
        filled=True, shape="diamond", size=260 * scale**2, color=style.VERMILION, opacity=1
    )
    name = there.mark_text(
        dy=20 * scale, fontSize=style.font(scale, 16), fontWeight=600, color=style.INK
    )
    layers = [lines.encode(x2="x2:Q", y2="y2:Q", strokeWidth=width), points]
    layers += [names.encode(text="label:N"), mark, name.encode(text="word:N")]
    told = finding_of_sum(words, weights, result, target)
    return style.layered(*layers).properties(
        width=330 * scale, height=250 * scale, autosize="pad", description=told
    )


def sql(found: Match) -> str:
    """Both questions as a database would be asked them, with their answers as comments."""
    query = f"({', '.join(number(value) for value in found.query)})".replace("−", "-")
    hard = ", ".join(vector(found.values[row]) for row in found.rows) or "no row"
    return (
        f"SELECT value FROM rows WHERE key = {query};  -- {hard}\n"
        f"SELECT SUM(SOFTMAX(key · {query} / {found.temperature:g}) * value) FROM rows;"
        f"  -- {vector(found.soft)}"
    )

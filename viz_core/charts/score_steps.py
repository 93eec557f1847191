"""Six score functions by hand: the same query and keys, every number with its arithmetic."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from viz_core.charts.kit import panels, style
from viz_core.charts.kit.arithmetic import TERMS, added, number, vector
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.panel_layout import Panel, Part
from viz_core.traces import Vectors
from viz_core.traces.rnn import SCORES, ScoresTrace

COLUMNS = ("content", "add", "loc", "general", "dot", "scaled")  # as wide as their cells
# Small numbers on which the functions disagree: name -> (key in the address bar, as typed).
EXAMPLE = {
    "Query s": ("s", "1 2"),
    "Keys h": ("h", "1 2; 3 1; 4 3"),
    "W of general": ("wg", "1 0; 0 -1"),
    "W of additive": ("wa", "0.5 0; 0 0.5"),
    "U of additive": ("ua", "0.5 0; 0 -0.5"),
    "v of additive": ("va", "1 1"),
    "W of location": ("wl", "0 1 1; 1 0 0"),
}
FIRST: dict[str, tuple[str, ...]] = {  # the parameters that each function reads besides s and h
    "additive": ("W add", "U add", "v"),
    "location": ("W loc",),
    "general": ("W gen",),
}


def names(trace: ScoresTrace) -> tuple[str, ...]:
    return tuple(f"h{i + 1}" for i in range(len(trace.keys)))


def finding(trace: ScoresTrace) -> str:
    """Which key each function prefers, in words."""
    keys = names(trace)
    return ", ".join(
        f"{name}: {keys[int(row.argmax())]} {row.max():.2f}"
        for name, row in zip(SCORES, trace.weights, strict=True)
    )


# ---- the arithmetic of one score --------------------------------------------------------------


def _content(trace: ScoresTrace, key: int) -> str:
    s, h = trace.query, trace.keys[key]
    sizes = [number(float(np.linalg.norm(side))) for side in (s, h)]
    return f"s·h / (|s|·|h|) = {number(s @ h)} / ({sizes[0]}·{sizes[1]})"


def _additive(trace: ScoresTrace, key: int) -> str:
    inside = trace.query @ trace.w_query + trace.keys[key] @ trace.w_key
    return f"tanh({vector(inside)}) · v = {vector(np.tanh(inside))} · {vector(trace.vector)}"


def _location(trace: ScoresTrace, key: int) -> str:
    return f"whatever {names(trace)[key]} says, s·w{key + 1} = {products(trace, key)}"


def _general(trace: ScoresTrace, key: int) -> str:
    return f"s W · h = {vector(trace.query @ trace.w_general)} · {vector(trace.keys[key])}"


def _dot(trace: ScoresTrace, key: int) -> str:
    return added(trace.query, trace.keys[key]).rpartition(" = ")[0]


def _scaled(trace: ScoresTrace, key: int) -> str:
    return f"{number(trace.query @ trace.keys[key])} / √{trace.query.size}"


def products(trace: ScoresTrace, key: int) -> str:
    """The sum behind a location score, not yet added up."""
    return added(trace.query, trace.w_location[:, key]).rpartition(" = ")[0]


ARITHMETIC: dict[str, Callable[[ScoresTrace, int], str]] = {
    "content": _content,
    "additive": _additive,
    "location": _location,
    "general": _general,
    "dot": _dot,
    "scaled-dot": _scaled,
}


def said_score(trace: ScoresTrace, key: int, function: int) -> str:
    name, score = SCORES[function], number(trace.scores[function, key])
    return f"{name}, {names(trace)[key]}: {ARITHMETIC[name](trace, key)} = {score}"


def said_weight(trace: ScoresTrace, key: int, function: int) -> str:
    row = trace.scores[function]
    powers = [f"e^{number(score, 2)}" for score in row]
    below = " + ".join(powers[:TERMS] + ["…"] * (len(powers) > TERMS))
    share = number(trace.weights[function, key])
    return f"{SCORES[function]}, {names(trace)[key]}: {powers[key]} / ({below}) = {share}"


# ---- the picture ------------------------------------------------------------------------------


def _given(name: str, formula: str, values: Vectors) -> Panel:
    return Panel(
        name=name,
        formula=formula,
        values=np.atleast_2d(values),
        said=lambda row, column: f"{name}: typed in below",
    )


def _read(function: int, key: int) -> tuple[Part, ...]:
    """What a score was made from."""
    parts = [Part("query", 0)]
    if SCORES[function] != "location":
        parts.append(Part("keys", key, side="key"))
    for name in FIRST.get(SCORES[function], ()):
        parts.append(Part(name, None, key if name == "W loc" else None, "key"))
    return tuple(parts)


@drawn
def picture(trace: ScoresTrace, *, scale: float = 1.0) -> style.AnyChart:
    """Above what is given, below the scores and the weights: a column for each function.

    Hovering a number frames what it was made from and writes its arithmetic.
    """
    rows = names(trace)
    result = Panel(
        name="scores",
        formula="how well s fits each h",
        values=trace.scores.T,
        said=lambda key, function: said_score(trace, key, function),
        made_from=lambda key, function: _read(function, key),
        rows=rows,
        columns=COLUMNS,
        breaks=True,
    )
    weights = Panel(
        name="weights",
        formula="softmax of each column",
        values=trace.weights.T,
        said=lambda key, function: said_weight(trace, key, function),
        made_from=lambda key, function: (Part("scores", None, function),),
        rows=rows,
        columns=COLUMNS,
        is_weight=True,
    )
    shown = [
        _given("keys", f"rows h1 to h{len(rows)}", trace.keys),
        _given("query", "s", trace.query),
        _given("W gen", "s W h", trace.w_general),
        _given("W add", "tanh(s W", trace.w_query),
        _given("U add", "+ h U)", trace.w_key),
        _given("v", "· v", trace.vector[:, None]),
        _given("W loc", "s W", trace.w_location),
        result,
        weights,
    ]
    return panels.picture(shown, finding(trace), start=("scores", 0, 1), scale=scale)


# ---- formulas ---------------------------------------------------------------------------------


def formulas(trace: ScoresTrace, key: int) -> dict[str, str]:
    """The six scores of one key in LaTeX, step by step with this example's numbers.

    All vectors are rows, as in attention.py.
    """
    s, h, at = trace.query, trace.keys[key], key + 1
    sizes = [number(float(np.linalg.norm(side))) for side in (s, h)]
    inside = s @ trace.w_query + h @ trace.w_key
    dot = number(s @ h)
    steps = {
        "content": rf"\frac{{s \cdot h_{at}}}{{|s|\,|h_{at}|}}"
        rf" = \frac{{{dot}}}{{{sizes[0]} \cdot {sizes[1]}}}",
        "additive": rf"\tanh(s W + h_{at} U) \cdot v = \tanh({vector(inside)}) \cdot v"
        rf" = {vector(np.tanh(inside))} \cdot {vector(trace.vector)}",
        "location": rf"(s W)_{at} = {products(trace, key)}",
        "general": rf"s W \cdot h_{at} = {vector(s @ trace.w_general)} \cdot {vector(h)}",
        "dot": rf"s \cdot h_{at} = {_dot(trace, key)}",
        "scaled-dot": rf"\frac{{s \cdot h_{at}}}{{\sqrt{{n}}}}"
        rf" = \frac{{{dot}}}{{\sqrt{{{s.size}}}}}",
    }
    found = dict(zip(SCORES, trace.scores[:, key], strict=True))
    return {name: _tex(f"{told} = {number(found[name])}") for name, told in steps.items()}


def _tex(told: str) -> str:
    return told.replace("−", "-").replace("·", r" \cdot ").replace("…", r"\ldots ")

"""Self-attention by hand: from x to the outputs, every number with its arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from viz_core.by_hand import Mixed
from viz_core.charts.kit import panels, style
from viz_core.charts.kit.arithmetic import TERMS, added, number, vector
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.panel_layout import Panel, Part
from viz_core.traces import Vectors
from viz_core.traces.by_hand import VectorTrace

LIMIT = 12  # words shown: more numbers than that nobody reads
PROJECTED = (("queries", "q"), ("keys", "k"), ("values", "v"))


def finding(trace: VectorTrace) -> str:
    """The surest look in words, and what comes of it."""
    query, key = np.unravel_index(int(trace.weights.argmax()), trace.weights.shape)
    words = style.shown(trace.tokens)
    said = style.describe(words[query], words[key], float(trace.weights[query, key]))
    return f"{said}; its output begins {vector(trace.outputs[query][:3])}"


# ---- the arithmetic of one number -------------------------------------------------------------


def _projection(
    trace: VectorTrace, name: str, weight: Vectors | None, row: int, column: int
) -> str:
    said = f"{name} of {style.readable(trace.tokens[row])}, number {column + 1}: "
    if weight is not None:
        return said + added(trace.inputs[row], weight[:, column])
    found = getattr(trace, name)[row, column]
    return f"{said}{trace.inputs.shape[1]} products and a bias = {number(found)}"


def _score(trace: VectorTrace, row: int, column: int) -> str:
    query, key = style.readable(trace.tokens[row]), style.readable(trace.tokens[column])
    return f"{query} asks, {key} answers: {added(trace.queries[row], trace.keys[column])}"


def _scaled(trace: VectorTrace, row: int, column: int) -> str:
    if not trace.allowed[row, column]:
        query, key = style.readable(trace.tokens[row]), style.readable(trace.tokens[column])
        return f"{key} comes after {query}: masked, so minus infinity"
    root = "1" if trace.divisor == 1 else f"√{trace.queries.shape[1]}"
    return f"{number(trace.scores[row, column])} / {root} = {number(trace.scaled[row, column])}"


def _weight(trace: VectorTrace, row: int, column: int) -> str:
    powers = [f"e^{number(score, 2)}" for score in trace.scaled[row] if np.isfinite(score)]
    below = " + ".join(powers[:TERMS] + ["…"] * (len(powers) > TERMS))
    above = f"e^{number(trace.scaled[row, column], 2)}" if trace.allowed[row, column] else "0"
    query, key = style.readable(trace.tokens[row]), style.readable(trace.tokens[column])
    return f"{query} to {key}: {above} / ({below}) = {number(trace.weights[row, column])}"


def _output(trace: VectorTrace, row: int, column: int) -> str:
    told = added(trace.weights[row], trace.values[:, column])
    return f"output of {style.readable(trace.tokens[row])}, number {column + 1}: {told}"


# ---- pictures ---------------------------------------------------------------------------------


def _first(values: Vectors, dims: int, formula: str) -> str:
    return f"{formula}, first {dims} of {values.shape[1]}" if values.shape[1] > dims else formula


def _vectors(trace: VectorTrace, projections: Sequence[Vectors], dims: int) -> list[Panel]:
    """x and what is made of it, word by word."""
    words = trace.tokens[:LIMIT]
    inputs = Panel(
        name="inputs",
        formula=_first(trace.inputs, dims, "x"),
        values=trace.inputs[:LIMIT, :dims],
        said=lambda row, column: f"input of {style.readable(words[row])}, number {column + 1}",
        rows=words,
    )
    return [
        inputs,
        *(
            Panel(
                name=name,
                formula=_first(getattr(trace, name), dims, f"{letter} = x · W{letter}"),
                values=getattr(trace, name)[:LIMIT, :dims],
                said=partial(_projection, trace, name, projections[i] if projections else None),
                made_from=lambda row, column: (Part("inputs", row),),
                rows=words,
            )
            for i, (name, letter) in enumerate(PROJECTED)
        ),
    ]


def _attention(trace: VectorTrace, dims: int, brief: bool) -> list[Panel]:
    """Who looks at whom, and what each word takes home."""
    words = trace.tokens[:LIMIT]
    size = trace.queries.shape[1]
    divided = "not scaled" if trace.divisor == 1 else f"÷ √{size} = {trace.divisor:.2f}"
    found = [
        Panel(
            name="scores",
            formula="q · k",
            values=trace.scores[:LIMIT, :LIMIT],
            said=partial(_score, trace),
            made_from=lambda i, j: (Part("queries", i), Part("keys", j, side="key")),
            rows=words,
            columns=words,
            breaks=True,
        ),
        Panel(
            name="scaled",
            formula=divided if trace.allowed.all() else f"{divided}, masked",
            values=trace.scaled[:LIMIT, :LIMIT],
            said=partial(_scaled, trace),
            made_from=lambda i, j: (Part("scores", i, j),),
            rows=words,
            columns=words,
        ),
        Panel(
            name="weights",
            formula=f"softmax of scores ÷ √{size}" if brief else "softmax of each row",
            values=trace.weights[:LIMIT, :LIMIT],
            said=partial(_weight, trace),
            made_from=lambda i, j: (Part("scores" if brief else "scaled", i),),
            rows=words,
            columns=words,
            is_weight=True,
        ),
        Panel(
            name="outputs",
            formula=_first(trace.outputs, dims, "weights · v"),
            values=trace.outputs[:LIMIT, :dims],
            said=partial(_output, trace),
            made_from=lambda i, d: (Part("weights", i), Part("values", None, d, "key")),
            rows=words,
        ),
    ]
    return [panel for panel in found if not (brief and panel.name == "scaled")]


@drawn
def head(
    trace: VectorTrace,
    projections: Sequence[Vectors] = (),
    *,
    dims: int = 8,
    brief: bool = False,
    until: int | None = None,
    scale: float = 1.0,
) -> style.AnyChart:
    """x, queries, keys, values; below them scores, scaled, weights, outputs.

    `projections` are Wq, Wk and Wv where the numbers of the first row are to be explained. Of wide
    vectors the first `dims` numbers are shown and said to be the first; of a long sentence the
    first words, while every sum is still over all of them. `brief` leaves out the scaled scores;
    `until` stops after so many matrices, for a blackboard that fills step by step.
    """
    shown = [*_vectors(trace, projections, dims), *_attention(trace, dims, brief)][:until]
    last = shown[-1]
    start = (last.name, len(last.values) - 1, min(1, last.values.shape[1] - 1))
    return panels.picture(shown, finding(trace), start=start, scale=scale)


@drawn
def mixed(result: Mixed, *, scale: float = 1.0) -> style.AnyChart:
    """Heads side by side, times Wo."""
    words, joined, w_out = result.tokens, result.joined, result.w_out

    def said(row: int, column: int) -> str:
        return f"{style.readable(words[row])}: {added(joined[row], w_out[:, column])}"

    shown = [
        Panel(
            name="heads side by side",
            formula="concat(head 1, head 2)",
            values=joined,
            said=lambda row, column: f"head {sum(column >= start for start in result.starts)}",
            rows=words,
            bars=result.starts[1:],
        ),
        Panel(name="Wo", formula="mixes the heads", values=w_out, said=lambda i, j: ""),
        Panel(
            name="result",
            formula="concat · Wo",
            values=result.outputs,
            said=said,
            made_from=lambda i, d: (
                Part("heads side by side", i),
                Part("Wo", None, d, "key"),
            ),
            rows=words,
        ),
    ]
    told = f"{words[0]} becomes {vector(result.outputs[0])}"
    return panels.picture(shown, told, start=("result", 0, 0), scale=scale)


def notice(trace: VectorTrace) -> str:
    """What a long sentence is to be told: rows that are drawn in part need not sum to 1."""
    count = len(trace.tokens)
    if count <= LIMIT:
        return ""
    return (
        f"The first {LIMIT} of {count} tokens are drawn. The softmax is over all of them, so a row "
        "that is drawn may sum to less than 1."
    )


def finding_of_shuffle(before: VectorTrace, after: VectorTrace, order: Sequence[int]) -> str:
    """Whether the outputs merely moved with their words."""
    change = float(np.abs(after.outputs - before.outputs[list(order)]).max())
    if change < 1e-9:
        return (
            "Every word has the same output as before, the outputs only moved with their words: "
            "attention sees a bag of words and needs positions to see a sentence"
        )
    return f"The order counts now: an output changed by up to {number(change, 2)}"


@drawn
def shuffled(
    before: VectorTrace, after: VectorTrace, order: Sequence[int], *, scale: float = 1.0
) -> style.AnyChart:
    """The outputs in both orders: row i of the second is word order[i] of the first."""
    change = np.abs(after.outputs - before.outputs[list(order)]).max(axis=1)

    def said(row: int, column: int) -> str:
        word = style.readable(after.tokens[row])
        found, old = after.outputs[row], before.outputs[order[row]]
        same = "the same as before" if change[row] < 1e-9 else f"it was {vector(old)}"
        return f"{word}: {vector(found)}, {same}"

    shown = [
        Panel(
            name="outputs as typed",
            formula=" ".join(style.shown(before.tokens)),
            values=before.outputs,
            said=lambda row, column: said(list(order).index(row), column),
            made_from=lambda row, column: (Part("outputs shuffled", list(order).index(row)),),
            rows=tuple(before.tokens),
        ),
        Panel(
            name="outputs shuffled",
            formula=" ".join(style.shown(after.tokens)),
            values=after.outputs,
            said=said,
            made_from=lambda row, column: (Part("outputs as typed", order[row]),),
            rows=tuple(after.tokens),
        ),
    ]
    told = finding_of_shuffle(before, after, order)
    return panels.picture(shown, told, start=("outputs shuffled", 0, 0), scale=scale)


def formulas(trace: VectorTrace, row: int) -> list[str]:
    """One word's way from query to output in LaTeX, with this example's numbers."""
    at, count, size = row + 1, len(trace.tokens), trace.queries.shape[1]
    root = "" if trace.divisor == 1 else rf" / \sqrt{{{size}}}"
    weights = _latex(trace.weights[row])
    parts = [rf"{number(w)}\,v_{{{j + 1}}}" for j, w in enumerate(trace.weights[row]) if w]
    scores = np.where(trace.allowed[row], trace.scores[row], -np.inf)
    return [
        rf"q_{{{at}}} = x_{{{at}}} W_q = {_latex(trace.queries[row])}",
        rf"q_{{{at}}} \cdot k_{{1 \ldots {count}}} = {_latex(trace.scores[row])}",
        rf"a_{{{at}}} = \mathrm{{softmax}}\left({_latex(scores)}{root}\right) = {weights}",
        rf"o_{{{at}}} = {' + '.join(parts)} = {_latex(trace.outputs[row])}",
    ]


def _latex(values: Vectors) -> str:
    said = vector(values).replace("−∞", r"-\infty").replace("−", "-")
    return said.replace("[", r"\left[").replace("]", r"\right]")

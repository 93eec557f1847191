"""The formulas of recurrent networks in LaTeX, with the numbers of one example."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viz_core.traces.characters import GateTrace, LearningTrace

BREAK = r" \\ "
SYMBOLS = {"input": "i", "forget": "f", "output": "o", "reset": "r", "update": "z"}


def bracket(values: ArrayLike, form: str = ".2f") -> str:
    """A column or a matrix."""
    rows = [" & ".join(f"{v:{form}}" for v in np.atleast_1d(row)) for row in np.asarray(values)]
    return rf"\begin{{bmatrix}} {BREAK.join(rows)} \end{{bmatrix}}"


def state(trace: LearningTrace, step: int) -> str:
    """h_t = tanh(W_hh h_{t-1} + W_xh x_t): for a one-hot x_t the last part is a column of W_xh."""
    read = trace.letters.index(trace.word[step])
    sides = [trace.hh, trace.states[step], trace.xh[:, read], trace.states[step + 1]]
    hh, before, x, after = map(bracket, sides)
    inside = rf"\underbrace{{{hh}}}_{{W_{{hh}}}} \underbrace{{{before}}}_{{h_{{t-1}}}}"
    return rf"h_t = \tanh\left( {inside} + \underbrace{{{x}}}_{{W_{{xh}} x_t}} \right) = {after}"


def loss(trace: LearningTrace) -> str:
    """The loss of every step, and their mean."""
    places = [trace.letters.index(letter) for letter in trace.word[1:]]
    chances = trace.probabilities[np.arange(len(places)), places]
    steps = -np.log(np.maximum(chances, 1e-9))
    terms = " + ".join(f"{value:.3f}" for value in steps)  # of two digits all would be nought
    return (
        rf"loss = \frac{{1}}{{{len(steps)}}}\sum_t -\ln p_t(x_{{t+1}}) = "
        rf"\frac{{{terms}}}{{{len(steps)}}} = {steps.mean():.3f}"
    )


def output(trace: LearningTrace, step: int) -> str:
    """p = softmax(W_hy h_t)"""
    logits = bracket(trace.hy @ trace.states[step + 1])
    chances = bracket(trace.probabilities[step])
    return rf"p = \mathrm{{softmax}} \underbrace{{{logits}}}_{{W_{{hy}} h_t}} = {chances}"


def memory(trace: GateTrace, unit: int | None, at: int) -> str:
    """How the memory of one unit was made at one character; without one, the gates on average."""
    chosen = slice(None) if unit is None else unit
    gate = {
        name: float(row[chosen, at].mean())
        for name, row in zip(trace.gates, trace.values, strict=True)
    }
    lstm = "forget" in gate
    rule = r"c_t = f_t c_{t-1} + i_t g_t" if lstm else r"h_t = z_t h_{t-1} + (1 - z_t)\, n_t"
    if unit is None:
        means = [rf"\bar {SYMBOLS[name]}_t = {mean:.2f}" for name, mean in gate.items()]
        return rule + r" \qquad " + r" \quad ".join(means)
    old, now = (float(value) for value in trace.memory[unit, at : at + 2])
    keep, add = (gate["forget"], gate["input"]) if lstm else (gate["update"], 1 - gate["update"])
    new = float(trace.candidates[unit, at])
    return rf"{rule} = {keep:.2f} \cdot ({old:.2f}) + {add:.2f} \cdot ({new:.2f}) = {now:.2f}"


def gating(rows: NDArray[np.floating], result: NDArray[np.floating]) -> str:
    """g * x + (1 - g) * s as columns, from the rows g, x and s."""
    gate, new, old = rows
    g, x, closed, s, found = (bracket(v, "g") for v in (gate, new, 1 - gate, old, result))
    return rf"g \odot x + (1 - g) \odot s = {g} \odot {x} + {closed} \odot {s} = {found}"

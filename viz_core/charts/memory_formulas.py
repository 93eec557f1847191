"""The formulas of a memory's heads in LaTeX, with the numbers of one step and one place."""

from __future__ import annotations

import numpy as np

from viz_core.traces.memory import AddressTrace, MemoryTrace

SHOWN = 2  # numbers of a vector that a line has room for


def addressing(head: AddressTrace, step: int, place: int) -> list[str]:
    """Equations 5, 7, 8 and 9 of Graves et al. 2014 for one place, a line each."""
    i, total = place + 1, head.weights.shape[1]
    beta, gate, gamma = (
        float(part[step]) for part in (head.strength, head.gate, head.sharpness)
    )  # fmt: skip
    summed = float(np.exp(beta * head.similarity[step].astype(float)).sum())
    content, gated, shifted, weight = (
        float(part[step, place]) for part in (head.content, head.gated, head.shifted, head.weights)
    )
    before = float(head.before[step, place])
    near = [float(head.gated[step, (place + by) % total]) for by in (-1, 0, 1)]
    back, stay, on = map(float, head.shift[step])
    powers = float((head.shifted[step].astype(float) ** gamma).sum())
    similar = float(head.similarity[step, place])
    return [
        rf"w^c({i}) = \frac{{e^{{\beta K[k, M({i})]}}}}{{\sum_j e^{{\beta K[k, M(j)]}}}}"
        rf" = \frac{{e^{{{beta:.2f} \cdot {signed(similar)}}}}}{{{power(summed)}}}"
        rf" = {content:.3f} \qquad (5)",
        rf"w^g({i}) = g\,w^c({i}) + (1 - g)\,w_{{t-1}}({i})"
        rf" = {gate:.3f} \cdot {content:.3f} + {1 - gate:.3f} \cdot {before:.3f}"
        rf" = {gated:.3f} \qquad (7)",
        rf"\tilde w({i}) = \sum_j w^g(j)\,s({i} - j)"
        rf" = {near[0]:.3f} \cdot {on:.3f} + {near[1]:.3f} \cdot {stay:.3f}"
        rf" + {near[2]:.3f} \cdot {back:.3f} = {shifted:.3f} \qquad (8)",
        rf"w({i}) = \frac{{\tilde w({i})^\gamma}}{{\sum_j \tilde w(j)^\gamma}}"
        rf" = \frac{{{shifted:.3f}^{{{gamma:.2f}}}}}{{{power(powers)}}} = {weight:.3f} \qquad (9)",
    ]


def reading(trace: MemoryTrace, step: int) -> str:
    """Equation 2 with the two heaviest places; a vector is shown by its first numbers."""
    weights = trace.reads[step]
    two = np.argsort(-weights)[:2]
    terms = [rf"{weights[i]:.3f} \cdot {vector(trace.memory[step, i])}" for i in two]
    total = vector(trace.vectors[step])
    return rf"r_t = \sum_i w_t(i) M_t(i) = {' + '.join(terms)} + \ldots = {total} \qquad (2)"


def vector(values: np.ndarray) -> str:
    return rf"({', '.join(f'{value:.2f}' for value in values[:SHOWN])}, \ldots)"


def signed(value: float) -> str:
    return f"({value:.2f})" if value < 0 else f"{value:.2f}"


def power(value: float) -> str:
    """A number that may be very small or very large."""
    if 0.001 <= value < 100_000:
        return f"{value:.3f}" if value < 1000 else f"{value:.0f}"
    digits, exponent = f"{value:.2e}".split("e")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}"

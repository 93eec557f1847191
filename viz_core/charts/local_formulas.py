"""The formulas of local attention and of what a reader keeps, with an example's own numbers."""

from __future__ import annotations

import math

import numpy as np

from viz_core.charts.kit import style
from viz_core.traces.rnn import FadingTrace, LocalTrace, MovedTrace, Reader


def centre(moved: MovedTrace) -> str:
    """Luong et al. 2015, eq. 9, or the step itself where the window is monotonic."""
    local, row = moved.local, moved.row
    now = float(local.centres[row])
    shift = now - moved.predicted
    added = "" if abs(shift) < 1e-6 else rf" \;\to\; {moved.predicted:.2f} {shift:+.2f} = {now:.2f}"
    if math.isinf(local.sigma):
        return rf"p_{{{row + 1}}} = \min(t, S - 1) = {moved.predicted:g}, \; t = {row}{added}"
    length = len(local.attention.keys)
    if moved.predicted >= length - 1:  # the model keeps its centre on the sentence
        return rf"p_{{{row + 1}}} = \min(S \cdot \sigma(\dots), S - 1) = {moved.predicted:g}{added}"
    return (
        rf"p_{{{row + 1}}} = S \cdot \sigma(v^\top \tanh(W s_{{{row + 1}}})) "
        rf"= {length} \cdot {moved.predicted / length:.3f} = {moved.predicted:.2f}{added}"
    )


def weight(local: LocalTrace, row: int, key: int) -> str:
    """Luong et al. 2015, eq. 10: content times Gaussian, or nothing outside the window."""
    p, found = float(local.centres[row]), float(local.attention.matrix()[row, key])
    align, bell = float(local.content[row, key]), float(local.gaussian[row, key])
    name = rf"a_{{{row + 1}}}({key})"
    if abs(key - p) > local.reach:
        return rf"{name} = 0 \quad\text{{because}}\quad |{key} - {p:.2f}| > D = {local.reach:g}"
    if math.isinf(local.sigma):
        return rf"{name} = \mathrm{{align}}(s_{{{row + 1}}}, h_{{{key}}}) = {align:.3f}"
    return (
        rf"\begin{{aligned}} {name} &= \mathrm{{align}}(s_{{{row + 1}}}, h_{{{key}}}) \cdot "
        rf"e^{{-({key} - p)^2 / 2\sigma^2}} = {align:.3f} \cdot "
        rf"e^{{-({key} - {p:.2f})^2 / (2 \cdot {local.sigma:g}^2)}} \\ "
        rf"&= {align:.3f} \cdot {bell:.3f} = {found:.3f} \end{{aligned}}"
    )


def strongest(local: LocalTrace, row: int) -> int:
    """The key with the largest weight of a row."""
    return int(np.nan_to_num(local.attention.matrix()[row]).argmax())


def change(moved: MovedTrace) -> str:
    """What moving the window did to the next token, in words."""
    shift = float(moved.local.centres[moved.row]) - moved.predicted
    if abs(shift) < 1e-6:
        return "p is where the model put it: move it, and see what is expected next"
    first, now = (int(np.argmax(side)) for side in (moved.before, moved.after))
    words = style.shown(moved.tokens)
    old, new = moved.before[first], moved.after[now]
    if first == now:
        said = f"{words[now]} is still expected first, with {new:.2f} instead of {old:.2f}"
    else:
        said = f"{words[now]}, {new:.2f}, is expected now instead of {words[first]}, {old:.2f}"
    return f"p moved by {shift:+.1f}: {said}"


def kept(trace: FadingTrace, reader: Reader) -> str:
    """What is left at the end of a reader of the word that it read first."""
    marks, final = getattr(trace, reader), len(trace.words) - 1
    word, end = (0, final) if reader == "forward" else (final, 0)
    last, own = float(marks[end, word]), float(marks[word, word])
    j, t = word + 1, end + 1
    return (
        rf"\frac{{\lVert h_{{{t}}} - h_{{{t}}}^{{(-{j})}} \rVert}}"
        rf"{{\lVert h_{{{j}}} - h_{{{j}}}^{{(-{j})}} \rVert}}"
        rf" = \frac{{{last:.3f}}}{{{own:.3f}}} = {last / own if own else 0:.3f}"
    )

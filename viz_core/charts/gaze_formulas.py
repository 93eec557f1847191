"""The formulas of a look at a picture in LaTeX, with the numbers of one word."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from viz_core.traces.image import Caption

SHOWN = 3  # places that a line has room for


def look(caption: Caption, at: int) -> list[str]:
    """Xu et al. 2015: what is read for one word, eq. 13 (soft) or 9 (hard), and its chance."""
    weights = caption.weights[at]
    columns = weights.shape[1]
    places = np.argsort(-weights.ravel())[:SHOWN]
    named = [
        (int(p) // columns + 1, int(p) % columns + 1, float(weights.ravel()[p])) for p in places
    ]
    if caption.places:
        row, column = (place + 1 for place in caption.places[at])
        weight = float(weights[row - 1, column - 1])
        read = (
            rf"\hat z_{{{at + 1}}} = a_{{{row},{column}}}, \qquad "
            rf"\alpha_{{{row},{column}}} = {weight:.3f} \text{{ of }} 1 \qquad (9)"
        )
    else:
        terms = " + ".join(rf"{w:.3f}\,a_{{{row},{column}}}" for row, column, w in named)
        rest = weights.size - len(named)
        read = (
            rf"\hat z_{{{at + 1}}} = \beta_{{{at + 1}}} \sum_i \alpha_{{{at + 1},i}}\, a_i = "
            rf"\beta_{{{at + 1}}} \left( {terms} + \text{{{rest} more}} \right) \qquad (13)"
        )
    word = caption.tokens[at].replace("_", " ")
    chance = (
        rf"p(\text{{{word}}}) = \text{{softmax}}\left(L_o (E y_{{{at}}} + L_h h_{{{at + 1}}} + "
        rf"L_z \hat z_{{{at + 1}}})\right) = {caption.probabilities[at]:.3f} \qquad (7)"
    )
    return [read, chance]


def by_hand(weights: NDArray[np.floating], row: int, column: int) -> str:
    """The same sum with weights that were given: the middle of the light, and how many more."""
    middle = float(weights[row - 1, column - 1])
    rest = int((weights > 0).sum()) - 1
    return (
        rf"\hat z = \sum_i \alpha_i\, a_i = {middle:.3f}\,a_{{{row},{column}}} + "
        rf"\text{{{rest} more}}, \qquad \sum_i \alpha_i = {weights.sum():.2f}"
    )

"""How widely each target word looks, model by model."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core import analysis
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.traces import AttentionTrace

NOTHING = "There are no words to attend to."


def bits(trace: AttentionTrace) -> NDArray[np.float64]:
    """The entropy of each row in bits: 0 looks at one word, log2(words) at all alike."""
    found = analysis.entropy(np.nan_to_num(trace.matrix())) / np.log(2)
    return np.asarray(found, dtype=float)


def finding(traces: Mapping[str, AttentionTrace]) -> str:
    """Who looks most sharply and who most broadly, in words."""
    means = {name: bits(trace).mean() for name, trace in traces.items() if trace.weights.size}
    if not means:
        return NOTHING
    low, high = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
    said = f"{low} looks most sharply, {means[low]:.2f} bits a word"
    return said if low == high else f"{said}; {high} most broadly, {means[high]:.2f} bits"


@drawn
def sharpness(
    traces: Mapping[str, AttentionTrace], *, scale: float = 1.0, limit: int = 32
) -> style.AnyChart:
    """A row for each model, a column for each target word: the bluer, the more widely it looks.

    All models follow the same target. The last column is the mean over its words.
    """
    full = {name: trace for name, trace in traces.items() if trace.weights.size}
    if not full:
        return style.blank(NOTHING, scale)
    words = next(iter(full.values())).queries
    part = style.part(len(words), limit)
    most = np.log2(max(len(trace.keys) for trace in full.values()))
    table = np.array([[*bits(trace)[part], bits(trace).mean()] for trace in full.values()])
    names, columns = list(full), [*style.shown(words)[part], "mean"]
    frame = pd.DataFrame(
        {
            "row": np.repeat(np.arange(len(names)), len(columns)),
            "key": np.tile(np.arange(len(columns)), len(names)),
            "weight": (table / max(most, 1.0)).round(4).ravel(),
            "bits": table.round(6).ravel(),
            "model": np.repeat(np.array(names, dtype=object), len(columns)),
            "word": np.tile(np.array(columns, dtype=object), len(names)),
        }
    )
    side = style.cell(len(columns), scale, largest=46)
    high = 30 * scale
    base = alt.Chart(frame).encode(
        x=alt.X("key:O", axis=style.token_axis(columns, orient="top", scale=scale, step=side)),
        y=alt.Y("row:O", axis=style.token_axis(names, orient="left", scale=scale, step=high)),
        tooltip=["model:N", "word:N", alt.Tooltip("bits:Q", format=".3f")],
    )
    tiles = base.mark_rect(stroke=style.INK, strokeOpacity=style.FAINT).encode(
        color=alt.Color("weight:Q", scale=style.weight_scale(), legend=None)
    )
    numbers = base.mark_text(fontSize=style.font(scale, 11)).encode(
        text=alt.Text("bits:Q", format=".2f"), color=style.cell_ink()
    )
    edge = base.transform_filter(f"datum.key == {len(columns) - 1}").mark_rect(
        filled=False, stroke=style.INK, strokeWidth=1.5 * scale, tooltip=None
    )
    notes = [style.part_note("target words", part, len(words))]
    return style.layered(tiles, numbers, edge).properties(
        autosize=style.PAD,
        width=side * len(columns),
        height=high * len(names),
        title=style.title("Entropy of each row, in bits", notes, scale),
        description=finding(full),
    )

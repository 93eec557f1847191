"""An attention matrix growing up: one frame per training snapshot, played in the browser."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.text import is_right_to_left
from viz_core.traces import AttentionTrace


def finding(
    steps: Sequence[int], traces: Sequence[AttentionTrace], layer: int = 0, head: int = 0
) -> str:
    """How much sharper the rows became from the first snapshot to the last."""
    if not traces:
        return "There are no snapshots."
    first, last = (float(t.matrix(layer, head).max(axis=1).mean()) for t in (traces[0], traces[-1]))
    learned = "learned where to look" if last > 1.5 * first else "has hardly learned where to look"
    return (
        f"In {steps[-1]:,} steps of training the largest weight of a word went from {first:.2f} to "
        f"{last:.2f} on average: it {learned}"
    )


@drawn
def evolution(
    steps: Sequence[int],
    traces: Sequence[AttentionTrace],
    layer: int = 0,
    head: int = 0,
    *,
    scale: float = 1.0,
) -> go.Figure:
    """The matrix at each training step, with a slider and a play button."""
    last = traces[-1]
    queries, keys = ([style.plotly_text(t) for t in side] for side in (last.queries, last.keys))
    side = style.cell(max(len(last.keys), len(last.queries)), scale)

    labels = [f"{step:,}" for step in steps]
    frames = [np.round(trace.matrix(layer, head), 3) for trace in traces]
    figure = go.Figure(
        data=go.Heatmap(
            z=frames[-1],
            zmin=0,
            zmax=1,
            colorscale=style.plotly_weights(),
            showscale=False,
            xgap=1,
            ygap=1,
            customdata=[[[q, k] for k in keys] for q in queries],
            hovertemplate="%{customdata[0]} → %{customdata[1]}: %{z:.3f}<extra></extra>",
        ),
        frames=[  # a frame changes what it names, and keeps the rest
            {"data": [{"type": "heatmap", "z": z}], "name": label}
            for z, label in zip(frames, labels, strict=True)
        ],
    )
    move = {"mode": "immediate", "transition": {"duration": 0}}
    figure.update_layout(
        width=side * len(last.keys) + 170 * scale,
        height=side * len(last.queries) + 230 * scale,
        margin={"l": 110 * scale, "r": 20, "t": 110 * scale, "b": 90 * scale},
        font={"size": style.font(scale)},
        plot_bgcolor="rgba(0,0,0,0)",
        paper_bgcolor="rgba(0,0,0,0)",
        xaxis=_words(keys, "top")
        | ({"autorange": "reversed"} if is_right_to_left(last.keys) else {}),
        yaxis=_words(queries, None) | {"autorange": "reversed"},
        updatemenus=[
            {
                "type": "buttons",
                "x": 0,
                "y": 0,
                "xanchor": "right",
                "yanchor": "top",
                "pad": {"t": 24 * scale, "r": 12 * scale},
                "buttons": [
                    {
                        "label": "Play",
                        "method": "animate",
                        "args": [None, {"frame": {"duration": 600}, "fromcurrent": False, **move}],
                    }
                ],
            }
        ],
        sliders=[
            {
                "active": len(steps) - 1,
                "x": 0,
                "y": 0,
                "len": 1,
                "pad": {"t": 12 * scale},
                "currentvalue": {"prefix": "training step "},
                "steps": [
                    {"label": label, "method": "animate", "args": [[label], move]}
                    for label in labels
                ],
            }
        ],
    )
    return figure


def _words(tokens: Sequence[str], side: str | None) -> dict[str, object]:
    axis: dict[str, object] = {
        "tickmode": "array",
        "tickvals": list(range(len(tokens))),
        "ticktext": list(tokens),
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
    }
    return axis | ({"side": side, "tickangle": -45} if side else {})

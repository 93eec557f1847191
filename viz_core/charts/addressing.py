"""One step of a memory taken apart: how a head found its places, and what is read there."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from viz_core.analysis import memory as told
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.traces.memory import AddressTrace, MemoryTrace

PARTS = ("before", "content", "gated", "shifted", "weights")


def settings(head: AddressTrace, step: int) -> list[str]:
    """What the controller said, beside the weighting that it leads to."""
    back, stay, on = head.shift[step]
    return [
        "the step before",
        f"by content, β = {head.strength[step]:.2f}",
        f"interpolated, g = {head.gate[step]:.2f}",
        f"shifted, s = {back:.2f} {stay:.2f} {on:.2f}",
        f"sharpened, γ = {head.sharpness[step]:.2f}",
    ]


@drawn
def stages(
    head: AddressTrace, step: int, places: Sequence[int], *, room: Room = PAGE
) -> style.AnyChart:
    """The four stages of a weighting under the one before: a row each, a cell for each place."""
    scale, names = room.scale, settings(head, step)
    side = min((room.width - 215 * scale) / len(places), 30 * scale)
    rows = [getattr(head, part)[step][list(places)] for part in PARTS]
    frame = pd.DataFrame(
        {
            "row": np.repeat(np.arange(len(rows)), len(places)),
            "stage": np.repeat(names, len(places)),
            "column": np.tile(np.arange(len(places)), len(rows)),
            "place": np.tile(np.array(places) + 1, len(rows)),
            "weight": np.round(np.concatenate(rows).astype(float), 4),
        }
    )
    numbers = [str(place + 1) for place in places]
    base = alt.Chart(frame).encode(
        x=alt.X(
            "column:O",
            axis=style.token_axis(
                numbers, orient="bottom", title="place", scale=scale, step=side, angle=0
            ),
        ),
        y=alt.Y(
            "row:O",
            axis=style.token_axis(names, orient="left", scale=scale, label=205),
            scale=alt.Scale(paddingInner=0.16),
        ),
        tooltip=["stage:N", "place:Q", alt.Tooltip("weight:Q", format=".4f")],
    )
    colour = alt.Color("weight:Q", scale=style.weight_scale(), legend=None)
    cells = base.mark_rect(stroke=style.INK, strokeOpacity=style.FAINT, strokeWidth=0.75)
    strongest = told.strongest(head, step)
    return cells.encode(color=colour).properties(
        autosize=style.PAD,
        width=side * len(places),
        height=30 * scale * len(rows),
        description=f"{', '.join(names[1:])}: place {strongest + 1} gets "
        f"{head.weights[step, strongest]:.2f}",
    )


@drawn
def reading(
    trace: MemoryTrace, step: int, rows: int = 3, *, room: Room = PAGE
) -> style.AnyChart:  # fmt: skip
    """r = sum of w(i) M(i): the heaviest places with all their numbers, and what they add up to."""
    scale, weights = room.scale, trace.reads[step]
    heaviest = np.sort(np.argsort(-weights)[:rows])
    table = [*trace.memory[step][heaviest], trace.vectors[step]]
    rest = float(weights.sum() - weights[heaviest].sum())
    names = [f"{weights[place]:.3f} × M({place + 1})" for place in heaviest]
    names.append(f"+ {rest:.3f} of all others = r")
    count = len(table[0])
    frame = pd.DataFrame(
        {
            "row": np.repeat(np.arange(len(table)), count),
            "of": np.repeat(names, count),
            "column": np.tile(np.arange(count), len(table)),
            "value": np.concatenate(table).astype(float).round(3),
        }
    )
    side = min((room.width - 205 * scale) / count, 46 * scale)
    labels = style.token_axis(names, orient="left", scale=scale, label=195)
    base = alt.Chart(frame).encode(
        x=alt.X("column:O", axis=None),
        y=alt.Y("row:O", axis=labels, scale=alt.Scale(paddingInner=0.12)),
        tooltip=["of:N", alt.Tooltip("column:Q", title="from 0, number"), "value:Q"],
    )
    colour = alt.Color("value:Q", scale=style.difference_scale(), legend=None)
    size = max(min(style.font(scale, style.SMALL), side / 3), style.least(scale))
    return style.layered(
        base.mark_rect(stroke=style.INK, strokeOpacity=style.FAINT).encode(color=colour),
        base.mark_text(fontSize=size, tooltip=None).encode(
            text=alt.Text("value:Q", format=".1f"), color=style.cell_ink("value")
        ),
    ).properties(
        autosize=style.PAD,
        width=side * count,
        height=28 * scale * len(table),
        description=f"What was read is mostly place {int(weights.argmax()) + 1}, "
        f"with the weight {weights.max():.2f}",
    )

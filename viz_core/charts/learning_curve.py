"""How the loss of a checkpoint fell while it learned: on what it read, and on what it never saw."""

from __future__ import annotations

import pandas as pd

from viz_core.cards import Card
from viz_core.charts import summaries
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room

NO_CURVE = "This model was not trained here, or its losses were not kept."
SERIES = {"loss": "read just now", "held_out": "held out"}
LEGEND = 130  # pixels at the right for the names of the lines


def finding(card: Card) -> str:
    if not card.curve:
        return NO_CURVE
    first, last = card.curve[0], min(card.curve, key=lambda point: point["held_out"])
    return (
        f"The held-out loss of {card.name} fell from {first['held_out']:.2f} at step "
        f"{first['step']:,.0f} to {last['held_out']:.2f} at step {last['step']:,.0f}"
    )


@drawn
def learning_curve(card: Card, *, room: Room = PAGE) -> style.AnyChart:
    """Two lines over the steps of training."""
    if not card.curve:
        return style.blank(NO_CURVE, room.scale)
    rows = [
        {"step": point["step"], "loss (nats)": point[key], "text": name}
        for key, name in SERIES.items()
        for point in card.curve
    ]
    chart = summaries.lines(
        pd.DataFrame(rows).dropna(), "step", "loss (nats)", "text", scale=room.scale, zero=False
    )
    return chart.properties(
        width=room.width - LEGEND * room.scale - 60 * room.scale,
        height=room.height - 60 * room.scale,
        description=finding(card),
    )

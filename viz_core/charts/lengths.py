"""Quality against the length of the sentence, with and without attention."""

from __future__ import annotations

import pandas as pd

from viz_core.charts import summaries
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn

NOTHING = "BLEU by length has not been measured yet."
WORDS = "English words in the sentence"


def finding(frame: pd.DataFrame, without: str, attending: str) -> str:
    """What attention adds on the shortest and on the longest sentences, and whether that grows."""
    if frame.empty:
        return NOTHING
    table = frame.pivot(index="words", columns="model", values="BLEU")
    table = table.reindex(list(dict.fromkeys(frame["words"])))  # as measured, short ones first
    if without not in table or attending not in table:
        first, last = table.index[0], table.index[-1]
        return "; ".join(
            f"{name} has {column[first]:.1f} BLEU on sentences of {first} words and "
            f"{column[last]:.1f} on those of {last}"
            for name, column in table.items()
        )
    gain = (table[attending] - table[without]).dropna()
    if gain.empty:
        return "The two were not measured on the same lengths."
    first, last = gain.index[0], gain.index[-1]
    said = (
        f"Attention adds {gain[first]:.1f} BLEU on sentences of {first} words and "
        f"{gain[last]:.1f} on those of {last}"
    )
    return said if gain[last] > gain[first] else f"{said}: the gain does not grow with the length"


@drawn
def curve(
    frame: pd.DataFrame, without: str, attending: str, *, scale: float = 1.0
) -> style.AnyChart:
    """A line for each model, its 95% interval as a band."""
    if frame.empty:
        return style.blank(NOTHING, scale)
    shown = frame.rename(columns={"words": WORDS})
    chart = summaries.lines(shown, WORDS, "BLEU", "model", low="low", high="high", scale=scale)
    return chart.properties(
        width=400 * scale, height=280 * scale, description=finding(frame, without, attending)
    )

"""One weight taken apart: the query, the key, their product in each dimension, and its sum."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.traces.bert import QueryKey

TIMES = "their products"
BAR, HIGH = 14, 62  # pixels: a dimension, and a row of bars


def finding(trace: QueryKey, query: int, key: int) -> str:
    """The dimension that says most, and what becomes of the sum."""
    product = trace.product(query, key)
    most = int(np.abs(product).argmax())
    asks, gives = style.readable(trace.tokens[query]), style.readable(trace.tokens[key])
    return (
        f"{asks} to {gives}: {len(product)} products add up to {product.sum():.2f}, of which "
        f"dimension {most + 1} gives {product[most]:+.2f}; the weight is "
        f"{trace.weights[query, key]:.2f}"
    )


def formulas(trace: QueryKey, query: int, key: int) -> list[str]:
    """Score and softmax of this pair with its own numbers, as LaTeX."""
    row = trace.scores[query].astype(float)
    score, largest = float(row[key]), float(row.max())
    powers = np.exp(row - largest)
    below = rf"\sqrt{{{trace.query.shape[1]}}}" if trace.divisor is None else f"{trace.divisor:.4g}"
    product = r"q \cdot k" if trace.divisor == 1 else rf"\frac{{q}}{{{below}}} \cdot k"
    return [
        rf"e = {product} = {score:.2f}",
        rf"a = \frac{{e^{{{score:.2f}}}}}{{\sum_j e^{{e_j}}}}"
        rf" = \frac{{e^{{{score - largest:.2f}}}}}{{{powers.sum():.2f}}}"
        rf" = {powers[key] / powers.sum():.3f}",
    ]


def nearest(trace: QueryKey, query: int, most: int = 14) -> list[int]:
    """The keys that get most of the weight, in the order of the sentence; none that is masked."""
    heaviest = np.argsort(-trace.weights[query], kind="stable")
    seen = heaviest[np.isfinite(trace.scores[query, heaviest])]
    return sorted(int(i) for i in seen[:most])


def divided(trace: QueryKey) -> str:
    if trace.divisor == 1:
        return "This model does not divide q. The products add up to the score e"
    return f"The first row is {_asking(trace)}. The products add up to the score e"


def _asking(trace: QueryKey) -> str:
    """The query as it meets the keys: divided once, before the products."""
    if trace.divisor == 1:
        return "q"
    below = f"√{trace.query.shape[1]}" if trace.divisor is None else f"{trace.divisor:.4g}"
    return f"q / {below}"


@drawn
def product(trace: QueryKey, query: int, key: int, *, scale: float = 1.0) -> style.AnyChart:
    """Three rows of bars over the dimensions of a head: q, k and q times k; bars add up."""
    asks, gives = style.readable(trace.tokens[query]), style.readable(trace.tokens[key])
    rows = {
        f"{_asking(trace)} of {asks}": trace.query[query],
        f"k of {gives}": trace.key[key],
        TIMES: trace.product(query, key),
    }
    size = trace.query.shape[1]
    wide = BAR * scale * size
    panels = []
    for name, values in rows.items():
        largest = float(np.abs(values).max()) or 1.0
        frame = pd.DataFrame({"dimension": range(1, size + 1), "value": values.astype(float)})
        frame["value"] = frame["value"].round(4)
        frame["row"] = name
        total = name == TIMES
        base = alt.Chart(frame).encode(
            x=alt.X("dimension:O", axis=None, scale=alt.Scale(paddingInner=0.2)),
            tooltip=["dimension:O", alt.Tooltip("value:Q", title=name, format="+.3f")],
        )
        # Up or down tells the sign as well as the colour does.
        colour = alt.condition("datum.value < 0", alt.value(style.VERMILION), alt.value(style.BLUE))
        up = alt.Y("value:Q", axis=None, scale=alt.Scale(domain=[-largest, largest], nice=False))
        bars = base.mark_bar().encode(y=up, color=colour)
        zero = alt.Chart(frame.head(1)).mark_rule(color=style.INK, opacity=0.4)
        words = alt.Chart(frame.head(1)).mark_text(
            align="right", dx=-10 * scale, fontSize=style.font(scale), color=style.INK, limit=130
        )
        layers = [
            bars,
            zero.encode(y=alt.datum(0.0, type="quantitative")),
            words.encode(x=alt.value(0), y=alt.value(HIGH * scale / 2), text=alt.value(name)),
        ]
        said = f"Σ = {values.sum():.2f}" if total else ""
        sums = alt.Chart(frame.head(1)).mark_text(
            align="left", dx=12 * scale, fontSize=style.font(scale, style.LARGE), color=style.INK
        )
        layers.append(
            sums.encode(x=alt.value(wide), y=alt.value(HIGH * scale / 2), text=alt.value(said))
        )
        panels.append(style.layered(*layers).properties(width=wide, height=HIGH * scale))
    chart: alt.VConcatChart = alt.vconcat(*panels, spacing=8 * scale)
    return chart.resolve_scale(y="independent").properties(
        autosize=style.PAD,
        title=style.title(f"{size} dimensions of the head", [divided(trace)], scale),
        description=finding(trace, query, key),
    )

"""Local attention taken apart: content weights times a Gaussian window give the weights."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import cells, style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import LEGEND, PAGE, Room, fit_grid
from viz_core.traces.rnn import LocalTrace

CONTENT, WINDOW, WEIGHT = "content weight", "Gaussian window", "weight = their product"
NOTHING = "There are no words to attend to."


def finding(local: LocalTrace, row: int) -> str:
    """The window and the strongest word of a row."""
    weights = local.attention.matrix()
    if not weights.size:
        return NOTHING
    key = int(np.nan_to_num(weights[row]).argmax())
    queries, keys = style.shown(local.attention.queries), style.shown(local.attention.keys)
    centre = float(local.centres[row])
    nearest = keys[min(max(round(centre), 0), len(keys) - 1)]
    said = style.describe(queries[row], keys[key], float(weights[row, key]))
    return f"{said}; its window is centred at {centre:.1f}, on {nearest}"


def _source_axis(
    keys: tuple[str, ...], part: slice, local: LocalTrace, row: int, step: float, room: Room
) -> alt.X:
    """The source words by position on a continuous axis, so that p may lie between two of them."""
    axis = style.token_axis(
        keys[part],
        orient="bottom",
        scale=room.scale,
        start=part.start,
        step=step,
        angle=-45 if step > 1.6 * room.least else -90,
        label=100,
    )
    axis.values = list(range(part.start, part.stop))
    centre, reach = float(local.centres[row]), local.reach
    outside = f"abs(datum.value - {centre}) > {reach}"
    axis.labelOpacity = {"condition": {"test": outside, "value": 0.45}, "value": 1}
    domain = [part.start - 0.5, part.stop - 0.5]
    scaled = alt.Scale(domain=domain, nice=False, zero=False)
    return alt.X("left:Q", axis=axis, scale=scaled, title=None)


def _inside(part: slice, centre: float, reach: float) -> tuple[float, float]:
    """Where the window begins and ends: halfway between the last word in it and the next one."""
    low, high = part.start - 0.5, part.stop - 0.5
    first, last = np.ceil(centre - reach) - 0.5, np.floor(centre + reach) + 0.5
    return float(np.clip(first, low, high)), float(np.clip(last, low, high))


def _outside(part: slice, centre: float, reach: float) -> pd.DataFrame:
    """The stretches of the source that the window does not reach."""
    first, last = _inside(part, centre, reach)
    sides = [(part.start - 0.5, first), (last, part.stop - 0.5)]
    return pd.DataFrame(
        [{"left": a, "right": b, "middle": (a + b) / 2} for a, b in sides if b > a],
        columns=["left", "right", "middle"],
    )


@drawn
def window(
    local: LocalTrace,
    row: int,
    *,
    room: Room = PAGE,
    limit: int = style.LIMIT,
) -> style.AnyChart:
    """For one target word: outlined content bars, the Gaussian over them, filled their product.

    The dashed line is the predicted centre p. Words that the window does not reach are grey, under
    a shade that says so.
    """
    keys, scale = local.attention.keys, room.scale
    if not keys or not local.attention.queries:
        return style.blank(NOTHING, scale)
    centre, reach = float(local.centres[row]), float(local.reach)
    step, part = room.less(width=50).across(len(keys), 54, limit, round(centre))
    x = _source_axis(keys, part, local, row, step, room)
    y = alt.Y("value:Q", scale=alt.Scale(domain=[0, 1]), axis=style.axis(None, scale, tickCount=5))
    hue = alt.Scale(
        domain=[CONTENT, WINDOW, WEIGHT], range=["#7d7f8c", style.VERMILION, style.BLUE]
    )
    legend = style.legend(
        None, scale, orient="top", symbolStrokeWidth=3, symbolType="square", labelLimit=0
    )
    colour = alt.Color("part:N", scale=hue, legend=legend)
    position = np.arange(part.start, part.stop)
    factor = local.gaussian[row, part]
    frame = pd.DataFrame(
        {
            "word": style.shown(keys[part]),
            CONTENT: np.nan_to_num(local.content[row, part]).round(4),
            WINDOW: factor.round(4),
            WEIGHT: np.nan_to_num(local.attention.matrix()[row, part]).round(4),
        }
    )
    tooltip = ["word:N"] + [alt.Tooltip(f"{n}:Q", format=".3f") for n in (CONTENT, WINDOW, WEIGHT)]

    def bars(name: str, half: float) -> alt.Chart:
        sides = frame.assign(
            left=position - half, right=position + half, value=frame[name], part=name
        )
        return alt.Chart(sides).encode(
            x=x, x2="right:Q", y=y, y2=alt.datum(0), color=colour, tooltip=tooltip
        )

    first, last = _inside(part, centre, reach)
    smooth = np.linspace(first, max(first, last), 240)
    bell = np.exp(-((smooth - centre) ** 2) / (2 * local.sigma**2))
    curve = alt.Chart(
        pd.DataFrame({"left": smooth.round(3), "value": bell.round(4), "part": WINDOW})
    )
    middle = alt.Chart(
        pd.DataFrame({"left": [centre], "value": [1.0], "text": [f"p = {centre:.1f}"]})
    )
    shade = alt.Chart(_outside(part, centre, reach))
    small = style.font(scale, style.SMALL)
    layers = [
        shade.mark_rect(color=style.INK, opacity=0.09, tooltip=None).encode(x=x, x2="right:Q"),
        shade.mark_text(
            text="outside", fontSize=small, color=style.INK, opacity=0.7, baseline="top"
        ).encode(x=alt.X("middle:Q"), y=alt.value(6 * scale)),
        bars(WEIGHT, 0.4).mark_bar(),
        bars(CONTENT, 0.4).mark_bar(strokeWidth=2 * scale, filled=False),
        curve.mark_line(strokeWidth=3 * scale).encode(x=x, y=y, color=colour),
        middle.mark_rule(strokeDash=[5, 4], strokeWidth=2 * scale, color=style.INK).encode(x=x),
        middle.mark_text(
            dy=-8 * scale, fontSize=style.font(scale), fontWeight=600, color=style.INK
        ).encode(x=x, y=y, text="text:N"),
    ]
    heading = f"Writing “{style.readable(local.attention.queries[row])}”"
    notes = [
        f"D = {reach:g}, "
        + (f"sigma = {local.sigma:g}" if np.isfinite(local.sigma) else "no Gaussian"),
        style.part_note("source words", part, len(keys)),
    ]
    return style.layered(*layers).properties(
        autosize=style.PAD,
        width=step * (part.stop - part.start),
        height=max(room.height - 170 * scale, 120 * scale),  # title, legend and words around it
        title=style.title(heading, notes, scale),
        description=finding(local, row),
    )


def finding_of_ridge(local: LocalTrace) -> str:
    """Whether the centres move forward with the target words."""
    if len(local.centres) < 2:
        return "One word has no ridge." if len(local.centres) else NOTHING
    forward = float((np.diff(local.centres) >= 0).mean())
    return f"The centre moves forward in {forward:.0%} of the steps"


@drawn
def ridge(
    local: LocalTrace,
    *,
    row: int | None = None,
    room: Room = PAGE,
    limit: int = style.LIMIT,
) -> style.AnyChart:
    """The weights with the ridge of centres drawn over them, and faint bars as far as D reaches."""
    trace, scale = local.attention, room.scale
    if not trace.weights.size:
        return style.blank(NOTHING, scale)
    inner = room.less(width=LEGEND, height=34)
    fit = fit_grid(inner, trace.queries, trace.keys, focus=row, limit=limit)
    rows, columns = fit.rows, fit.columns
    data = cells.frame(trace.matrix(), trace.queries, trace.keys, rows, columns)
    grid = cells.squares(
        data,
        trace.queries[rows],
        trace.keys[columns],
        colour=style.weight_colour(scale=scale),
        grid=fit,
        scale=scale,
    )
    # The squares stand on a scale of words; p lies between words, so it is placed in pixels.
    low, high = -0.5, columns.stop - 0.5
    centres = np.asarray(local.centres[rows], dtype=float)
    line = pd.DataFrame(
        {
            "query": np.arange(rows.start, rows.stop),
            "p": centres.round(3),
            "across": centres.clip(low, high) + 0.5,
            "left": (centres - local.reach).clip(low, high) + 0.5,
            "right": (centres + local.reach).clip(low, high) + 0.5,
        }
    )
    pixels = alt.Scale(domain=[0, columns.stop], nice=False, zero=False)
    across = alt.X("across:Q", scale=pixels, axis=None)
    base = alt.Chart(line).encode(y="query:O")
    spans = base.mark_rule(color=style.VERMILION, opacity=0.45, strokeWidth=1.5 * scale).encode(
        x=alt.X("left:Q", scale=pixels, axis=None), x2="right:Q"
    )
    path = base.mark_line(
        color=style.VERMILION,
        strokeWidth=2.5 * scale,
        point={"size": 60 * scale, "color": style.VERMILION, "filled": True},
    ).encode(
        x=across, order="query:Q", tooltip=[alt.Tooltip("p:Q", title="centre p", format=".2f")]
    )
    layers: list[alt.Chart | alt.LayerChart] = [grid, style.layered(spans, path)]
    if row is not None:
        now = base.transform_filter(f"datum.query == {row}")
        layers.append(now.mark_rect(filled=False, stroke=style.INK, strokeWidth=2.5 * scale))
    notes = [style.part_note("target words", rows, len(trace.queries))]
    return (
        style.layered(*layers)
        .resolve_scale(x="independent")
        .properties(
            autosize=style.PAD,
            title=style.title("Centres of the window", notes, scale),
            description=finding_of_ridge(local),
        )
    )

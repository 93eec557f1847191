"""Parameters part by part, a benchmark's rise, and what a layer costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd

from viz_core.by_hand.sizes import Cost, Part
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room

PALE = 0.12
KINDS = ("recurrence", "convolution", "self-attention")


def finding(parts: Sequence[Part]) -> str:
    largest = max(parts, key=lambda part: part.count)
    total = sum(part.count for part in parts)
    return f"{total / 1e6:,.1f} million in all; most in the {largest.name}"


def _said(count: int, total: int) -> str:
    """In millions with the share of all; of what would be 0.00 million, the number itself."""
    if count < 10_000:
        return f"{count:,} in all"
    share = count / total
    return f"{count / 1e6:,.2f} M, {'under 1%' if share < 0.005 else f'{share:.0%}'}"


@drawn
def parts(given: Sequence[Part], *, room: Room = PAGE) -> style.AnyChart:
    """A bar for each part, in millions of parameters."""
    scale, inner = room.scale, room.less(width=340, height=60)
    total = sum(part.count for part in given)
    frame = pd.DataFrame(
        {
            "part": [part.name for part in given],
            "millions": [part.count / 1e6 for part in given],
            "said": [_said(part.count, total) for part in given],
            "parameters": [part.count for part in given],
        }
    )
    axis = style.axis(None, scale, grid=False, labelLimit=180 * scale, domain=False, ticks=False)
    base = alt.Chart(frame).encode(
        y=alt.Y("part:N", sort=None, axis=axis),
        x=alt.X("millions:Q", axis=None),
        tooltip=["part:N", alt.Tooltip("parameters:Q", format=",")],
    )
    bars = base.mark_bar(color=style.BLUE, cornerRadiusEnd=2)
    numbers = base.mark_text(
        align="left", dx=5 * scale, fontSize=style.font(scale, style.SMALL), color=style.INK
    ).encode(text="said:N")
    return style.layered(bars, numbers).properties(
        width=min(inner.width, 560 * scale),
        height=min(34 * scale, inner.height / len(given)) * len(given),
        title=style.title("Parameters", "millions, and the share of all", scale),
        description=finding(given),
        autosize=style.PAD,
    )


def glue_finding(rows: Sequence[tuple[str, str, float, str]], human: float) -> str:
    first, last = rows[0], rows[-1]
    above = next((row for row in rows if row[2] > human), None)
    passed = f". People reach {human:g}: passed in {above[0]} by {above[1]}" if above else ""
    return f"From {first[2]:g} ({first[1]}) to {last[2]:g} ({last[1]}){passed}"


@drawn
def glue(
    rows: Sequence[tuple[str, str, float, str]], human: float, *, room: Room = PAGE
) -> style.AnyChart:
    """Published averages, one below the other in time: (month, model, score, source) each."""
    scale, inner = room.scale, room.less(width=330, height=90)
    frame = pd.DataFrame(rows, columns=["month", "model", "score", "source"])
    frame["name"] = frame["month"] + "  " + frame["model"]
    axis = style.axis(None, scale, grid=False, labelLimit=260 * scale, domain=False, ticks=False)
    y = alt.Y("name:N", sort=None, axis=axis)
    x = alt.X(
        "score:Q",
        scale=alt.Scale(domain=[68, 92]),
        axis=style.axis("average score, per cent", scale, tickCount=6),
    )
    base = alt.Chart(frame).encode(x=x, y=y, tooltip=["model:N", "score:Q", "month:N", "source:N"])
    line = base.mark_line(color=style.BLUE, strokeWidth=2 * scale, opacity=0.5).encode(
        order="month"
    )
    points = base.mark_circle(color=style.BLUE, size=110 * scale, opacity=1)
    numbers = base.mark_text(
        align="left", dx=10 * scale, dy=-8 * scale, fontSize=style.font(scale), color=style.INK
    ).encode(text=alt.Text("score:Q", format=".1f"))  # above the line that goes on to the right
    level = alt.Chart(pd.DataFrame({"score": [human], "name": [f"people, {human:g}"]}))
    rule = level.mark_rule(color=style.VERMILION, strokeDash=[5, 4], strokeWidth=2 * scale).encode(
        x=x
    )
    told = level.mark_text(
        align="right", dx=-6 * scale, fontSize=style.font(scale), color=style.INK
    ).encode(x=x, y=alt.value(12 * scale), text="name:N")
    return style.layered(rule, told, line, points, numbers).properties(
        width=min(inner.width, 620 * scale),
        height=min(inner.height, 44 * scale * len(rows)),
        title=style.title("GLUE, average over its tasks", "published numbers, none is ours", scale),
        description=glue_finding(rows, human),
        autosize=style.PAD,
    )


def cost_finding(costs: Sequence[Cost], times: Mapping[str, float]) -> str:
    least = min(costs, key=lambda cost: cost.operations).name
    return f"{least} needs the fewest multiplications; {clock_finding(times)}"


def clock_finding(times: Mapping[str, float]) -> str:
    slow, fast = max(times, key=times.__getitem__), min(times, key=times.__getitem__)
    return (
        f"by the clock {fast} is fastest ({times[fast]:.2f} ms) and {slow} slowest "
        f"({times[slow]:.2f} ms)"
    )


@drawn
def costs(
    given: Sequence[Cost], times: Mapping[str, float], *, room: Room = PAGE
) -> style.AnyChart:
    """Multiplications by the formula beside milliseconds by the clock, a bar for each layer."""
    scale, inner = room.scale, room.less(width=330, height=70)
    measures = {
        "Millions of multiplications": [cost.operations / 1e6 for cost in given],
        "Milliseconds, measured": [times[cost.name] for cost in given],
    }
    panels = []
    for number, (title, values) in enumerate(measures.items()):
        frame = pd.DataFrame({"layer": [cost.name for cost in given], "value": values})
        axis = style.axis(None, scale, grid=False, labelLimit=140 * scale, domain=False)
        base = alt.Chart(frame).encode(
            y=alt.Y("layer:N", sort=None, axis=None if number else axis),
            x=alt.X("value:Q", axis=None),
            tooltip=["layer:N", alt.Tooltip("value:Q", format=",.3f")],
        )
        bars = base.mark_bar(color=style.VERMILION if number else style.BLUE, cornerRadiusEnd=2)
        numbers = base.mark_text(
            align="left", dx=5 * scale, fontSize=style.font(scale, style.SMALL), color=style.INK
        ).encode(text=alt.Text("value:Q", format=",.3g"))
        panels.append(
            style.layered(bars, numbers).properties(
                width=min(inner.width / 2, 330 * scale),
                height=30 * scale * len(given),
                title=style.title(title, (), scale),
            )
        )
    return alt.hconcat(*panels, spacing=70 * scale).properties(
        description=cost_finding(given, times), autosize=style.PAD
    )


@drawn
def lit(words: int, step: int, *, room: Room = PAGE) -> style.AnyChart:
    """A row of words for each kind of layer: lit are those whose output is there after `step`."""
    scale = room.scale
    size = room.less(width=190).width / words
    frame = pd.DataFrame(
        [
            {
                "layer": kind,
                "word": word,
                "state": "done" if kind != "recurrence" or word < step else "waits",
                "now": kind == "recurrence" and word == step,
            }
            for kind in KINDS
            for word in range(words)
        ]
    )
    axis = style.axis(None, scale, grid=False, domain=False, labelLimit=160 * scale)
    base = alt.Chart(frame).encode(
        x=alt.X(
            "word:O",
            axis=style.axis("word", scale, labelExpr="datum.value + 1", labelAngle=0, grid=False),
        ),
        y=alt.Y("layer:N", sort=None, axis=axis),
        tooltip=["layer:N", "state:N"],
    )
    ready = "datum.now || datum.state == 'done'"
    cells = base.mark_rect(stroke=style.INK, strokeOpacity=style.FAINT).encode(
        color=alt.condition("datum.now", alt.value(style.VERMILION), alt.value(style.BLUE)),
        opacity=alt.condition(ready, alt.value(0.85), alt.value(PALE)),
    )
    done = min(step + 1, words)
    note = "orange is computed now, blue is there, pale waits for the word before it"
    return cells.properties(
        width=size * words,
        height=30 * scale * len(KINDS),
        title=style.title(f"After {done} {'step' if done == 1 else 'steps'}", note, scale),
        description=f"After {done} steps recurrence has {done} of {words} words, the others all",
        autosize=style.PAD,
    )

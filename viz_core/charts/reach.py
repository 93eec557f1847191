"""What one state sees of a sentence, layer by layer: a diagram of states and what they read."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from viz_core.by_hand.layers import Reach
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.recurrent import x_at, y_at

LAYER, TOP, FOOT = 74, 30, 86  # pixels of a layer, over the last one, for the words
WIDEST = 46  # pixels of a word
DOT = 0.3  # of that is the radius of a state, at most


def finding(found: Reach, words: Sequence[str]) -> str:
    """How many words are seen, and how far away the farthest is in steps."""
    place, steps = found.farthest
    count = "1 step" if steps == 1 else f"{steps} steps"
    whole = "all" if found.seen == len(words) else f"{found.seen} of"
    far = style.readable(words[place])
    if len(words) == 1:
        return f"{found.kind}: sees the only word"
    return f"{found.kind}: sees {whole} {len(words)} words, “{far}” over {count}"


def sentence(all_three: Sequence[Reach], words: Sequence[str], layers: int) -> str:
    """The three of them compared."""
    told = "; ".join(finding(found, words) for found in all_three)
    word = style.readable(words[all_three[0].at])
    depth = "1 layer" if layers == 1 else f"{layers} layers"
    return f"After {depth}, what “{word}” knows of the sentence. {told[0].upper()}{told[1:]}"


@drawn
def reach(found: Reach, words: Sequence[str], *, room: Room = PAGE) -> style.AnyChart:
    """States as dots, the words below them. Blue ones lead to the state at the top; the fewer steps
    away, the bluer. Numbers under the input are the steps from there."""
    scale, count, depth = room.scale, len(words), len(found.steps) - 1
    column = min(room.width / count, WIDEST * scale)
    layer = min(LAYER * scale, (room.height - (TOP + FOOT) * scale) / max(depth, 1))
    width, height = column * count, TOP * scale + layer * depth + FOOT * scale
    longest = max(float(found.steps[np.isfinite(found.steps)].max()), 1.0)

    def at(node: tuple[int, int]) -> tuple[float, float]:
        return (node[1] + 0.5) * column, TOP * scale + (depth - node[0]) * layer

    states = pd.DataFrame(
        [
            {
                "x": at((level, word))[0],
                "y": at((level, word))[1],
                "blue": 1 - 0.75 * steps / longest if np.isfinite(steps) else 0.0,
                "word": style.readable(words[word]),
                "layer": "input" if not level else f"layer {level}",
                "steps": str(int(steps)) if np.isfinite(steps) else "not seen",
            }
            for (level, word), steps in np.ndenumerate(found.steps)
        ]
    )
    lines = pd.DataFrame(
        [
            dict(zip(("x", "y", "x2", "y2"), (*at(node), *at(other)), strict=True))
            for node, other in found.edges
        ]
    )
    small = style.font(scale, style.SMALL)
    rules = (
        alt.Chart(lines)
        .mark_rule(stroke=style.BLUE, strokeWidth=scale, tooltip=None)
        .encode(
            x=x_at("x", width),
            y=y_at("y", height),
            x2="x2:Q",
            y2="y2:Q",
            opacity=alt.value(0.5 if len(lines) < 150 else 0.15),
        )
    )
    radius = min(DOT * column, 9 * scale)
    dots = (
        alt.Chart(states)
        .mark_circle(size=np.pi * radius**2, stroke=style.INK, strokeWidth=scale, opacity=1)
        .encode(
            x=x_at("x", width),
            y=y_at("y", height),
            fill=alt.Fill("blue:Q", scale=style.weight_scale(), legend=None),
            tooltip=["word:N", "layer:N", "steps:N"],
        )
    )
    input_row = states[states["layer"] == "input"]
    told = input_row[input_row["steps"] != "not seen"]
    if column < 18 * scale:  # two digits need more: every other number
        told = told[(np.array(told.index) - found.at) % 2 == 0]
    numbers = (
        alt.Chart(told)
        .mark_text(fontSize=small, color=style.INK, dy=radius + 10 * scale)
        .encode(x=x_at("x", width), y=y_at("y", height), text="steps:N")
    )
    drop = radius + 22 * scale
    labels = (
        alt.Chart(input_row)
        .mark_text(
            fontSize=min(small, max(column * 0.85, style.least(scale))),
            angle=270,
            align="right",
            baseline="middle",
            dx=-drop,
            limit=(FOOT - 30) * scale,
            color=style.INK,
        )
        .encode(x=x_at("x", width), y=y_at("y", height), text="word:N")
    )
    return style.layered(rules, dots, numbers, labels).properties(
        width=width,
        height=height,
        autosize=style.PAD,
        view=alt.ViewBackground(strokeOpacity=0),
        title=style.title(found.kind.capitalize(), (), scale),
        description=finding(found, words),
    )

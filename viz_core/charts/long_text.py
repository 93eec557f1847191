"""Three ways to attend over a long text: what is looked at as areas, and the cost as it grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from viz_core.by_hand.long_text import FORMS, Looks, looks
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room

LENGTHS = (32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 11_000)  # tokens; Liu et al. read 11,000
COLOURS = (style.BLUE, style.VERMILION, "#009e73")
MOST = 64  # blocks that are drawn one by one


def finding(found: Sequence[Looks]) -> str:
    told = ", ".join(f"{one.form} {one.scores:,}" for one in found)
    return f"Scores of {found[0].tokens:,} tokens: {told}"


@drawn
def areas(found: Sequence[Looks], *, room: Room = PAGE) -> style.AnyChart:
    """A square for each form, queries down and keys across: what is filled is computed."""
    scale = room.scale
    side = min(room.width / len(found) - 50 * scale, room.height - 110 * scale)
    panels = []
    for one, colour in zip(found, COLOURS, strict=True):
        frame = pd.DataFrame(
            one.seen[:MOST], columns=["first query", "last query", "first key", "last key"]
        )
        place, down = (
            alt.Scale(domain=ends, nice=False) for ends in ([0, one.tokens], [one.tokens, 0])
        )
        base = alt.Chart(frame).encode(
            x=alt.X("first key:Q", scale=place, axis=None),
            x2="last key:Q",
            y=alt.Y("first query:Q", scale=down, axis=None),
            y2="last query:Q",
            tooltip=list(frame.columns),
        )
        whole = alt.Chart(pd.DataFrame({"here": [0]})).mark_rect(
            fillOpacity=0, stroke=style.INK, strokeOpacity=style.QUIET
        )
        whole = whole.encode(x=alt.value(0), x2=alt.value(side), y=alt.value(0), y2=alt.value(side))
        filled = base.mark_rect(color=colour, fillOpacity=0.65, stroke=colour)
        note = f"{one.tokens:,} queries × {one.keys:,} keys: {one.scores:,} scores"
        panels.append(
            style.layered(whole, filled).properties(
                width=side, height=side, title=style.title(one.form.capitalize(), note, scale)
            )
        )
    return alt.hconcat(*panels, spacing=40 * scale).properties(
        description=finding(found), autosize=style.PAD
    )


@drawn
def growth(tokens: int, block: int, heads: int, *, room: Room = PAGE) -> style.AnyChart:
    """Scores of one head against the length of the text, both axes by powers of ten."""
    scale, inner = room.scale, room.less(width=230, height=110)
    rows = [
        {
            "tokens": length,
            "form": form,
            "scores": looks(form, length, block).scores,
            "MB in a layer": looks(form, length, block).scores * heads * 4 / 1e6,
        }
        for form in FORMS
        for length in sorted({*LENGTHS, tokens})
    ]
    frame = pd.DataFrame(rows)
    colour = alt.Color(
        "form:N", scale=alt.Scale(domain=list(FORMS), range=list(COLOURS)), legend=None
    )
    log = alt.Scale(type="log", nice=False)
    tips: list[Any] = ["form:N", alt.Tooltip("tokens:Q", format=",")]
    tips += [alt.Tooltip("scores:Q", format=","), alt.Tooltip("MB in a layer:Q", format=",.1f")]
    base = alt.Chart(frame).encode(
        x=alt.X("tokens:Q", scale=log, axis=style.axis("tokens", scale, format=",")),
        y=alt.Y("scores:Q", scale=log, axis=style.axis("scores of a head", scale, format="~s")),
        color=colour,
        tooltip=tips,
    )
    line = base.mark_line(strokeWidth=2.5 * scale)
    points = base.mark_circle(size=60 * scale, opacity=1)
    ends = (
        base.transform_filter(f"datum.tokens == {LENGTHS[-1]}")
        .mark_text(align="left", dx=8 * scale, fontSize=style.font(scale))
        .encode(text="form:N")
    )
    here = alt.Chart(pd.DataFrame({"tokens": [tokens]}))
    rule = here.mark_rule(strokeDash=[5, 4], color=style.INK, opacity=0.5).encode(x="tokens:Q")
    most = [looks(form, LENGTHS[-1], block).scores for form in FORMS]
    return style.layered(rule, line, points, ends).properties(
        width=min(inner.width, 640 * scale),
        height=min(inner.height, 300 * scale),
        title=style.title(
            "As the text grows", f"dashed: this text, {tokens:,} tokens; blocks of {block}", scale
        ),
        description=f"At {LENGTHS[-1]:,} tokens: "
        + ", ".join(f"{form} {count:,}" for form, count in zip(FORMS, most, strict=True)),
        autosize=style.PAD,
    )

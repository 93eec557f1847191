"""A token's residual stream: how long its vector is, and which words it is near to."""

from __future__ import annotations

import altair as alt
import pandas as pd

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.traces.transformer import PositionWise, StreamTrace


def finding(stream: StreamTrace, token: int) -> str:
    """Where most is added, and what the token ends up near to."""
    top = int(stream.added[1:, token].argmax()) + 1
    return (
        f"{style.readable(stream.tokens[token])} gains most in {stream.stages[top]}; "
        f"at the end it is nearest to {style.readable(stream.nearest[-1][token][0])}"
    )


def hint(stream: StreamTrace, token: int, decoder: bool) -> str:
    """What to look for in this token's stream, and what it means."""
    name = style.readable(stream.tokens[token])
    first = [stage[token][0] for stage in stream.nearest]
    leaves = next((place for place, word in enumerate(first) if word != stream.tokens[token]), None)
    if decoder:
        turn = next(place for place, word in enumerate(first) if word == first[-1])
        return (
            f"the stage at which {name} turns into the word after it: from {stream.stages[turn]} "
            f"on it is nearest to {style.readable(first[-1])}. The decoder reads one word and must "
            "end at the next; cross-attention brings what the English says."
        )
    stays = f"here it stays nearest to {name} all the way"
    if leaves is not None:
        now = style.readable(first[leaves])
        stays = f"here that is at {stream.stages[leaves]}, where {now} is nearest"
    return (
        f"the stage at which {name} stops being itself: {stays}. Nothing is replaced: each part "
        "adds to the vector. At every stage we ask which words it is nearest to, as if the model "
        "ended there."
    )


def position_wise(found: PositionWise) -> str:
    """That the feed-forward net sees one word at a time, measured on this sentence."""
    size = f"{found.words} tokens of {found.width} numbers, {found.inner:,} inside"
    return (
        f"The feed-forward net of the last encoder block ({size}) sees one word at a time. Turn "
        f"the words round and the same rows come out turned round: largest difference "
        f"{found.reversed:.1g}. As two convolutions of width 1 it gives the same: largest "
        f"difference {found.convolved:.1g}, where the outputs go up to {found.largest:.1f}."
    )


def _stages(stream: StreamTrace, scale: float) -> alt.Y:
    axis = style.token_axis(stream.stages, orient="left", scale=scale, angle=0)
    axis.labelLimit = 240 * scale
    return alt.Y("stage:O", axis=axis)


@drawn
def norms(stream: StreamTrace, token: int, *, scale: float = 1.0) -> style.AnyChart:
    """The length of the vector after each stage, and of what the stage added."""
    frame = pd.DataFrame(
        {
            "stage": range(len(stream.stages)),
            "stream": stream.norms[:, token].astype(float).round(3),
            "added": stream.added[:, token].astype(float).round(3),
        }
    )
    base = alt.Chart(frame).encode(y=_stages(stream, scale))
    x = alt.X("stream:Q", axis=style.axis("length of the vector", scale))
    tooltip = ["stream:Q", "added:Q"]
    whole = base.mark_bar(color=style.BLUE, opacity=0.35).encode(x=x, tooltip=tooltip)
    part = base.mark_bar(color=style.VERMILION, height=alt.RelativeBandSize(0.3)).encode(
        x="added:Q", tooltip=tooltip
    )
    return style.layered(whole, part).properties(
        width=300 * scale,
        height=32 * scale * len(stream.stages),
        title=style.title(
            "The stream, and what was added",
            "wide blue: the vector; thin orange: added here",
            scale,
        ),
        description=finding(stream, token),
        autosize=style.PAD,
    )


@drawn
def nearest(stream: StreamTrace, token: int, *, scale: float = 1.0) -> style.AnyChart:
    """The words that the output layer would read from the token at each stage."""
    rows = [
        {
            "stage": stage,
            "rank": rank + 1,
            "word": style.readable(stream.nearest[stage][token][rank]),
            "weight": round(float(stream.probabilities[stage, token, rank]), 3),
        }
        for stage in range(len(stream.stages))
        for rank in range(len(stream.nearest[stage][token]))
    ]
    base = alt.Chart(pd.DataFrame(rows)).encode(
        x=alt.X("rank:O", axis=style.axis(None, scale, orient="top", labelAngle=0)),
        y=_stages(stream, scale),
        tooltip=["word:N", alt.Tooltip("weight:Q", title="probability")],
    )
    cells = base.mark_rect(stroke=style.INK, strokeOpacity=style.FAINT).encode(
        color=style.weight_colour("weight", scale, "probability").legend(None)
    )
    words = base.mark_text(fontSize=style.font(scale, style.SMALL)).encode(
        text="word:N", color=style.cell_ink()
    )
    return style.layered(cells, words).properties(
        width=82 * scale * 5,
        height=32 * scale * len(stream.stages),
        title=style.title(
            f"“{style.readable(stream.tokens[token])}” read as a word",
            "the nearest first; the bluer, the more probable",
            scale,
        ),
        description=finding(stream, token),
        autosize=style.PAD,
    )

"""Devlin et al. 2019, figure 2: a token, its sentence and its place, added up."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.tiles import png
from viz_core.traces.bert import EmbeddingTrace

LIMIT = 16  # tokens drawn: with more their stripes could not be told apart
DIMS = 24  # numbers of a vector that are drawn; they are a picture of it, not a table
BOX, HIGH, GAP = 84, 60, 26  # pixels of a widest box
LEFT, RIGHT = (
    tuple(int(c[i : i + 2], 16) for i in (1, 3, 5)) for c in (style.VERMILION, style.BLUE)
)


def finding(trace: EmbeddingTrace) -> str:
    """How long the three vectors are, on average: which of them weighs most in the sum."""
    lengths = {
        name: float(np.linalg.norm(getattr(trace, name), axis=1).mean())
        for name in ("token", "segment", "position")
    }
    told = ", ".join(f"{name} {length:.2f}" for name, length in lengths.items())
    return f"Mean length of the vectors: {told}"


def stripes(vector: NDArray[np.floating], largest: float) -> str:
    """The first numbers of a vector from top to bottom: blue above zero, vermilion below."""
    values = np.asarray(vector[:DIMS], dtype=float) / (largest or 1.0)
    pixels = np.zeros((len(values), 1, 4), dtype=np.uint8)
    for row, value in enumerate(values.clip(-1, 1)):
        pixels[row, 0] = (*(RIGHT if value > 0 else LEFT), round(abs(value) ** 0.5 * 255))
    return png(pixels)


def _names(trace: EmbeddingTrace) -> dict[str, list[str]]:
    tokens = style.shown(trace.tokens)
    return {
        "token": [f"E {token}" for token in tokens],
        "segment": [f"E {'AB'[segment]}" for segment in trace.segments],
        "position": [f"E {place}" for place in range(len(tokens))],
        "total": tokens,
    }


@drawn
def figure(
    trace: EmbeddingTrace, *, focus: int | None = None, scale: float = 1.0, limit: int = LIMIT
) -> style.AnyChart:
    """A column for each token: its three vectors, and their sum after the layer norm.

    Stripes are the first numbers of a vector; the number below is its length. Of a long text the
    part around the token in focus is drawn.
    """
    shown = style.part(len(trace.tokens), limit, focus)
    titles = {
        "token": "token",
        "segment": "+ segment",
        "position": "+ position",
        "total": "= sum, normalised",
    }
    names = _names(trace)
    box = min(BOX, style.ROOM / (shown.stop - shown.start)) * scale
    high, pitch = HIGH * scale, (HIGH + GAP) * scale
    rows = []
    for number, name in enumerate(titles):
        vectors = getattr(trace, name)
        largest = float(np.abs(vectors[shown, :DIMS]).max())
        for i in range(shown.start, shown.stop):
            rows.append(
                {
                    "picture": stripes(vectors[i], largest),
                    "name": names[name][i],
                    "row": titles[name],
                    "length": round(float(np.linalg.norm(vectors[i])), 2),
                    "middle": (i - shown.start + 0.5) * box,
                    "top": number * pitch,
                    "begins": ", ".join(f"{v:.2f}" for v in vectors[i, :4]) + " …",
                }
            )
    frame = pd.DataFrame(rows)
    frame["head"], frame["centre"] = frame["top"] + 9 * scale, frame["top"] + 18 * scale + high / 2
    frame["left"], frame["right"] = frame["middle"] - box * 0.42, frame["middle"] + box * 0.42
    frame["from"], frame["to"] = frame["centre"] - high / 2, frame["centre"] + high / 2
    wide, tall = (shown.stop - shown.start) * box, len(titles) * pitch

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, wide], nice=False), axis=None)

    def y(field: str) -> alt.Y:
        down = alt.Scale(domain=[tall, 0], nice=False, zero=False)
        return alt.Y(f"{field}:Q", scale=down, axis=None)

    base = alt.Chart(frame).encode(
        tooltip=["row:N", "name:N", alt.Tooltip("length:Q", format=".2f"), "begins:N"]
    )
    images = base.mark_image(width=box * 0.84, height=high, smooth=False, aspect=False).encode(
        x=x("middle"), y=y("centre"), url="picture:N"
    )
    frames = base.mark_rect(fill=None, stroke=style.INK, strokeOpacity=0.35).encode(
        x=x("left"), x2="right:Q", y=y("from"), y2="to:Q"
    )
    words = base.mark_text(fontSize=style.font(scale, style.SMALL), limit=box - 3, color=style.INK)
    words = words.encode(x=x("middle"), y=y("head"), text="name:N")
    sides = (
        alt.Chart(frame.drop_duplicates("row"))
        .mark_text(
            align="right", dx=-10 * scale, fontSize=style.font(scale), color=style.INK, tooltip=None
        )
        .encode(x=alt.value(0), y=y("centre"), text="row:N")
    )
    note = style.part_note("tokens", shown, len(trace.tokens))
    about = f"stripes: the first {DIMS} of {trace.token.shape[1]} numbers, blue above zero"
    return style.layered(images, frames, words, sides).properties(
        autosize=style.PAD,
        width=wide,
        height=tall,
        title=style.title("What the first layer reads", [about, note], scale),
        description=finding(trace),
    )


def formulas(trace: EmbeddingTrace, at: int) -> list[str]:
    """The first number of one token's sum, before the layer norm."""
    token, segment, position = (
        float(getattr(trace, name)[at, 0]) for name in ("token", "segment", "position")
    )
    return [
        r"x = \mathrm{LayerNorm}(E_{\text{token}} + E_{\text{segment}} + E_{\text{position}})",
        rf"{token:.3f} {segment:+.3f} {position:+.3f} = {token + segment + position:.3f}"
        r"\quad\text{(first number)}",
    ]

"""One pair of dimensions on the circle: moving by k positions is a turn by one angle."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn

EDGE = 1.3  # of the plane; the circle has radius 1


def finding(place: int, offset: int, rate: float) -> str:
    turn = np.degrees(offset * rate)
    return (
        f"Moving by {offset} turns the pair by {turn:,.1f} degrees, from position 0 and from "
        f"position {place} alike"
    )


def _arms(place: int, offset: int, rate: float) -> pd.DataFrame:
    """Hands of the clock at 0 and k, at p and p + k."""
    ends = [
        (0, "from 0"),
        (offset, "from 0"),
        (place, f"from {place}"),
        (place + offset, f"from {place}"),
    ]
    return pd.DataFrame(
        {
            "x": [np.cos(at * rate) for at, _ in ends],
            "y": [np.sin(at * rate) for at, _ in ends],
            "position": [at for at, _ in ends],
            "move": [move for _, move in ends],
            "ends": [False, True, False, True],
        }
    )


def _arcs(place: int, offset: int, rate: float) -> pd.DataFrame:
    """The two turns, at different radii so that both are seen."""
    parts = []
    for start, radius in ((0, 0.35), (place, 0.6)):
        angle = np.linspace(start * rate, (start + offset) * rate, 120)
        move = f"from {start}"
        parts.append(
            pd.DataFrame(
                {
                    "x": radius * np.cos(angle),
                    "y": radius * np.sin(angle),
                    "along": np.arange(len(angle)),
                    "move": move,
                }
            )
        )
    return pd.concat(parts)


@drawn
def rotation(
    place: int, offset: int, rate: float, length: int, *, scale: float = 1.0
) -> style.AnyChart:
    """The circle of (cos, sin) with all positions on it, and the same turn at two of them."""
    moves = list(dict.fromkeys(("from 0", f"from {place}")))
    plane = alt.Scale(domain=[-EDGE, EDGE], nice=False)
    x = alt.X("x:Q", scale=plane, axis=style.axis("cosine", scale, values=[-1, 0, 1]))
    y = alt.Y("y:Q", scale=plane, axis=style.axis("sine", scale, values=[-1, 0, 1]))
    colour = alt.Color(
        "move:N",
        scale=alt.Scale(domain=moves, range=[style.BLUE, style.VERMILION][: len(moves)]),
        legend=style.legend(f"{offset} positions on", scale, orient="top", symbolSize=300 * scale),
    )
    dash = alt.StrokeDash(
        "move:N", scale=alt.Scale(domain=moves, range=[[1, 0], [6, 3]][: len(moves)]), legend=None
    )
    angle = np.linspace(0, 2 * np.pi, 121)
    ring = pd.DataFrame({"x": np.cos(angle), "y": np.sin(angle), "along": range(121)})
    turn = np.arange(length) * rate
    dots = pd.DataFrame({"x": np.cos(turn), "y": np.sin(turn), "position": range(length)})
    circle = alt.Chart(ring).mark_line(color=style.INK, opacity=0.35, strokeWidth=scale)
    points = alt.Chart(dots).mark_circle(color=style.INK, opacity=0.35, size=26 * scale)
    arms = alt.Chart(_arms(place, offset, rate))
    hands = arms.mark_rule(strokeWidth=2.5 * scale).encode(
        x=x, y=y, x2=alt.datum(0), y2=alt.datum(0), color=colour, strokeDash=dash
    )
    arcs = alt.Chart(_arcs(place, offset, rate)).mark_line(strokeWidth=4 * scale)
    labels = arms.transform_calculate(far="datum.x * 1.14", up="datum.y * 1.14").mark_text(
        fontSize=style.font(scale), fontWeight=600, color=style.INK
    )
    layers = [
        circle.encode(x=x, y=y, order="along:Q"),
        points.encode(x=x, y=y, tooltip=["position:Q"]),
        arcs.encode(x=x, y=y, order="along:Q", color=colour, strokeDash=dash),
        hands,
        labels.encode(x="far:Q", y="up:Q", text="position:Q"),
    ]
    return style.layered(*layers).properties(
        width=320 * scale,
        height=320 * scale,
        autosize="pad",
        description=finding(place, offset, rate),
    )


def formulas(place: int, offset: int, pair: int, rate: float) -> list[str]:
    """The turn in LaTeX, with this example's numbers."""
    turn = offset * rate
    before, after = place * rate, (place + offset) * rate
    matrix = (
        rf"\begin{{pmatrix}} {np.cos(turn):.3f} & {np.sin(turn):.3f} \\ "
        rf"{-np.sin(turn):.3f} & {np.cos(turn):.3f} \end{{pmatrix}}"
    )

    def column(angle: float) -> str:
        return rf"\begin{{pmatrix}} {np.sin(angle):.3f} \\ {np.cos(angle):.3f} \end{{pmatrix}}"

    return [
        rf"\omega = {rate:.4f}, \qquad {offset}\,\omega = {turn:.3f} \text{{ radians}}",
        r"\begin{pmatrix} \cos k\omega & \sin k\omega \\ -\sin k\omega & \cos k\omega \end{pmatrix}"
        r"\begin{pmatrix} \sin p\,\omega \\ \cos p\,\omega \end{pmatrix} = "
        r"\begin{pmatrix} \sin (p+k)\omega \\ \cos (p+k)\omega \end{pmatrix}",
        rf"{matrix} {column(before)} = {column(after)}",
        rf"\text{{dimensions }} {2 * pair} \text{{ and }} {2 * pair + 1}: "
        rf"\; {place} \rightarrow {place + offset}",
    ]

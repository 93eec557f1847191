"""A memory over time: what goes in and comes out, and where the heads write and read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz_core.analysis import memory as told
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, TINY, Room
from viz_core.charts.recurrent import x_at, y_at
from viz_core.charts.tiles import png
from viz_core.text.bits import steps
from viz_core.traces.memory import MemoryTrace

MARGIN, CAPTION, TITLE = 96, 19, 40  # pixels beside, over a panel, over all
COLUMN, BIT, PLACE = 46, 13, 15  # pixels of a step, a bit and a place, at most
LEAST_BIT = 7
BLUE, VERMILION = (
    [int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (style.BLUE, style.VERMILION)
)
PALE = 0.4  # of a bit that is 0 and should be 1


def pixels(opacity: NDArray[np.floating], wrong: NDArray[np.bool_] | None = None) -> str:
    """(row, column) in [0, 1] as an image: blue, and vermilion where it is wrong."""
    image = np.empty((*opacity.shape, 4), dtype=np.uint8)
    image[..., :3] = BLUE
    alpha = opacity.astype(np.float64)
    if wrong is not None:
        image[wrong, :3] = VERMILION
        alpha = np.where(wrong, np.maximum(alpha, PALE), alpha)
    image[..., 3] = np.round(255 * alpha.clip(0, 1))
    return png(image)


class Layout:
    """Where everything stands, in pixels: three bands of panels over one axis of time."""

    def __init__(self, trace: MemoryTrace, room: Room) -> None:
        scale, self.length, self.width = room.scale, trace.length, trace.bits.shape[1]
        self.steps = 2 * self.length + 1
        self.places = told.places(trace)
        self.column = min((room.width - MARGIN * scale) / self.steps, COLUMN * scale)
        self.caption = CAPTION * scale
        rows = 2 * self.width + 1  # inputs with their end mark, outputs
        fixed = 4 * self.caption + TITLE * scale
        for height in room.heights(0):  # however long the pattern, it ends above the fold
            bit = max(min((height - fixed) * 0.4 / rows, BIT * scale), LEAST_BIT * scale)
            self.place = min((height - fixed - rows * bit) / 2 / len(self.places), PLACE * scale)
            if self.place >= TINY * scale:
                break
        self.bit = bit
        self.left = MARGIN * scale
        self.right = self.left + self.steps * self.column
        self.inputs = self.caption
        self.outputs = self.inputs + (self.width + 1) * bit + self.caption
        self.writes = self.outputs + self.width * bit + self.caption
        self.reads = self.writes + len(self.places) * self.place + self.caption
        self.bottom = self.reads + len(self.places) * self.place

    def at(self, step: float) -> float:
        return self.left + step * self.column

    def panels(self) -> pd.DataFrame:
        """The frames: inputs, targets, outputs, and the two weightings."""
        answer, end = self.at(self.length + 1), self.right
        tall, many = self.width * self.bit, len(self.places) * self.place
        boxes = [
            (self.left, self.at(self.length + 1), self.inputs, tall + self.bit),
            (answer, end, self.inputs, tall),
            (answer, end, self.outputs, tall),
            (self.left, end, self.writes, many),
            (self.left, end, self.reads, many),
        ]
        frame = pd.DataFrame(boxes, columns=["left", "right", "top", "high"])
        frame["bottom"] = frame["top"] + frame["high"]
        frame["centre"] = (frame["left"] + frame["right"]) / 2
        frame["middle"] = (frame["top"] + frame["bottom"]) / 2
        return frame


@drawn
def tape(
    trace: MemoryTrace, step: int | None = None, *, until: int | None = None, room: Room = PAGE
) -> style.AnyChart:
    """Inputs, targets and outputs, and below them the weightings: time across, places down.

    As in Graves et al. 2014, figure 6. Clicking sets the selection "cell" to {time, bit}; bit is -1
    where no input stands. `step` is framed; what comes after `until` is not drawn yet.
    """
    at, scale = Layout(trace, room), room.scale
    now = at.steps - 1 if until is None else until
    come = np.arange(at.steps) <= now
    said = come[trace.length + 1 :]
    weights = [(head[:, at.places] * come[:, None]).T for head in (trace.writes, trace.reads)]
    wrong = (trace.output != trace.bits) & said[:, None]
    panels = at.panels()
    ends = np.zeros((at.width + 1, trace.length + 1))
    ends[-1, -1] = 1  # the end mark; the inputs are cells of their own
    panels["picture"] = [
        pixels(ends),
        pixels(trace.bits.T),
        pixels((trace.probabilities * said[:, None]).T, wrong.T),
        *map(pixels, weights),
    ]
    wide, high = at.right, at.bottom
    box = {"x": x_at("left", wide), "x2": "right:Q", "y": y_at("top", high), "y2": "bottom:Q"}
    images = [
        alt.Chart(panels.iloc[[i]])
        .mark_image(
            width=panel.right - panel.left,
            height=panel.high,
            aspect=False,
            smooth=False,
            tooltip=None,
        )
        .encode(x=x_at("centre", wide), y=y_at("middle", high), url="picture:N")
        for i, panel in enumerate(panels.itertuples())
    ]
    outline: dict[str, Any] = {
        "fillOpacity": 0,
        "stroke": style.INK,
        "strokeOpacity": 0.35,
        "tooltip": None,
    }
    layers: list[Any] = [
        *images,
        alt.Chart(panels).mark_rect(strokeWidth=1, **outline).encode(**box),
        *_captions(trace, at, scale),
    ]
    if step is not None:  # a frame in every panel that the step has a part in
        x, part = at.at(step), panels[["left", "right", "top", "bottom"]]
        here = part[(part["left"] <= x + 1) & (part["right"] >= x + at.column - 1)]
        layers.append(
            alt.Chart(here.assign(left=x, right=x + at.column))
            .mark_rect(fillOpacity=0, stroke=style.VERMILION, strokeWidth=2 * scale, tooltip=None)
            .encode(**box)
        )
    cell = alt.selection_point(name="cell", fields=["time", "bit"], on="click", empty=False)
    layers += [_bands(trace, at, box), _inputs(trace, at, box).add_params(cell)]
    total = trace.writes.shape[1]
    rest = f"{len(at.places)} of {total} places: all others stay below {told.SEEN}"
    ring = "; after the last place comes place 1" if at.places[0] > at.places[-1] else ""
    note = rest + ring if len(at.places) < total else ""
    return style.layered(*layers).properties(
        autosize=style.PAD,
        width=wide,
        height=high,
        title=style.title(_title(trace, now), note, scale),
        description=f"{told.verdict(trace)}. {told.finding(trace)}",
    )


def _title(trace: MemoryTrace, now: int) -> str:
    """The verdict, once the whole answer is there."""
    if now == 2 * trace.length:
        return told.verdict(trace)
    return f"Step {now + 1} of {2 * trace.length + 1}: {steps(trace.length)[now]}"


def _captions(trace: MemoryTrace, at: Layout, scale: float) -> list[alt.Chart]:
    """What each panel is, over it; the first and the last place that it shows, beside it."""
    over = [
        ("inputs", at.left, at.inputs),
        ("targets", at.at(at.length + 1), at.inputs),
        ("outputs", at.at(at.length + 1), at.outputs),
        ("where it writes", at.left, at.writes),
        ("where it reads", at.left, at.reads),
    ]
    tall = at.place * len(at.places)
    beside = [("end mark", at.inputs + (at.width + 0.5) * at.bit)]
    for top in (at.writes, at.reads):
        first, last = int(at.places[0]) + 1, int(at.places[-1]) + 1
        beside += [(f"place {first}", top + 6 * scale), (f"place {last}", top + tall - 6 * scale)]
    size = style.font(scale, style.SMALL)
    words: dict[str, Any] = {
        "color": style.INK,
        "fontSize": size,
        "baseline": "middle",
        "tooltip": None,
    }

    def texts(rows: Sequence[tuple[Any, ...]], columns: list[str], **more: Any) -> alt.Chart:
        chart = alt.Chart(pd.DataFrame(rows, columns=columns)).mark_text(**words, **more)
        return chart.encode(x=x_at("left", at.right), y=y_at("top", at.bottom), text="text:N")

    named = texts(
        over, ["text", "left", "top"], align="left", dy=-at.caption / 2, fontWeight=600
    )  # fmt: skip
    sides = [(text, at.left, top) for text, top in beside]
    return [
        named,
        texts(sides, ["text", "left", "top"], align="right", dx=-7 * scale, opacity=0.8),
    ]


def _inputs(trace: MemoryTrace, at: Layout, box: dict[str, Any]) -> alt.Chart:
    """A cell for each bit that goes in: a click turns it."""
    time, bit = (index.ravel() for index in np.indices(trace.bits.shape))
    frame = pd.DataFrame({"time": time, "bit": bit, "value": trace.bits.ravel().astype(int)})
    frame["left"], frame["top"] = at.left + time * at.column, at.inputs + bit * at.bit
    frame["right"], frame["bottom"] = frame["left"] + at.column, frame["top"] + at.bit
    frame["input"], frame["click"] = frame["time"] + 1, "turns it"
    return (
        alt.Chart(frame)
        .mark_rect(
            fill=style.BLUE, stroke=style.INK, strokeOpacity=style.FAINT, strokeWidth=0.75,
            cursor="pointer",
        )
        .encode(
            **box,
            fillOpacity=alt.FillOpacity("value:Q", scale=None, legend=None),
            tooltip=["input:Q", "value:Q", "click:N"],
        )
    )  # fmt: skip


def _bands(trace: MemoryTrace, at: Layout, box: dict[str, Any]) -> alt.Chart:
    """Over each step a band to hover and to click: it tells where the heads are."""
    time = np.arange(at.steps)
    frame = pd.DataFrame({"time": time, "bit": -1, "step": time + 1, "at": steps(at.length)})
    for name, head in (("writes at", trace.writes), ("reads at", trace.reads)):
        frame[name] = [f"place {row.argmax() + 1}, weight {row.max():.2f}" for row in head]
    frame["left"] = at.left + time * at.column
    frame["right"] = frame["left"] + at.column
    frame["top"] = np.where(time < at.length, at.outputs, at.inputs)
    frame["bottom"] = at.bottom
    return (
        alt.Chart(frame)
        .mark_rect(fill=style.BLUE, fillOpacity=0, cursor="pointer")
        .encode(**box, tooltip=["step:Q", "at:N", "writes at:N", "reads at:N"])
    )

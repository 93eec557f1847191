"""A picture with light where a model looked: one map, or the strip of a whole caption.

As in Xu et al. 2015, figure 3, what is not looked at lies in the dark. Light and dark are told
apart by everybody, whatever colours they see.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from PIL import Image

from viz_core.analysis import image as told
from viz_core.charts.gaze_marks import Point, cells, points, squares
from viz_core.charts.kit import style
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.recurrent import x_at, y_at
from viz_core.traces.image import Caption
from viz_core.traces.photo import Photo

GAP, LINE, TITLE, SCALE_BAR = 8, 17, 54, 132  # pixels
DARK, GLOW = 0.22, 0.28  # of the picture where nothing is looked at; towards white in full light
SHARP = 1.5  # pixels of an image for one of the drawing
WIDEST = 300  # pixels of one picture
TIPS = {"label": "picture", "below": "note"}  # what a picture tells, unless it is of a word


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One picture of a strip: what stands below it, and where the light falls."""

    label: str
    below: str = ""
    weights: NDArray[np.floating] | None = None  # (row, column); None is the picture as it is
    place: tuple[int, int] | None = None  # the one that hard attention reads
    marked: bool = False
    photo: Photo | None = None  # another picture than the one of the others
    points: tuple[Point, ...] = ()


def lit(photo: Photo, size: tuple[int, int], light: NDArray[np.floating] | None) -> str:
    """The picture (width, height) as an address, bright where the light (row, column) is 1."""
    image = Image.fromarray(np.asarray(photo)).resize(size, Image.Resampling.BILINEAR)
    if light is not None:
        smooth = Image.fromarray(light.astype(np.float32)).resize(size, Image.Resampling.BICUBIC)
        level = np.asarray(smooth, dtype=np.float64).clip(0, 1)[..., None]
        pixels = np.asarray(image, dtype=np.float64)
        lighter = pixels * (DARK + (1 - DARK) * level) + GLOW * level * (255 - pixels)
        image = Image.fromarray(lighter.clip(0, 255).astype(np.uint8))
    file = io.BytesIO()
    image.save(file, "JPEG", quality=80)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode("ascii")


def layout(count: int, ratio: float, room: Room, bar: bool = True) -> tuple[int, float]:
    """Columns, and pixels of a picture's width, so that all are as large as they can be, beside
    the bar of the scale if there is one."""
    text, gap = 2 * LINE * room.scale, GAP * room.scale
    beside = SCALE_BAR * room.scale if bar else 0
    best = (1, 0.0)
    for columns in range(1, count + 1):
        rows = -(-count // columns)
        across = (room.width - beside - gap * (columns - 1)) / columns
        down = (room.height - TITLE * room.scale - gap * (rows - 1)) / rows - text
        width = min(across, down / ratio, WIDEST * room.scale)
        if width > best[1]:
            best = (columns, width)
    return best


@drawn
def pictures(
    photo: Photo,
    looks: Sequence[Look],
    *,
    title: str = "",
    said: str = "",
    chosen: int | None = None,
    count: int = 0,
    most: float = 0.0,
    places: tuple[int, int] | None = None,
    brightest: str = "",
    tips: Mapping[str, str] = TIPS,
    filled: bool = False,
    room: Room = PAGE,
) -> style.AnyChart:
    """Pictures side by side in rows, all with one scale of light, which ends at `most`, or at what
    is called `brightest` where each has a scale of its own.

    Clicking one sets the selection "look" to {number}. `count` pictures will be there in the end.
    Where `places` names a grid, a click on the first sets "place" to {row, column} of it. `tips`
    names what a picture tells when it is pointed at. `filled`
    is as wide as the room: a stage enlarges what is narrower, and two of a kind would differ.
    """
    scale, ratio = room.scale, photo.height / photo.width
    count = max(count, len(looks))
    bar = any(look.weights is not None for look in looks)
    columns, wide = layout(count, ratio, room, bar)
    high, gap, line = wide * ratio, GAP * scale, LINE * scale
    lights = [float(look.weights.max()) for look in looks if look.weights is not None]
    most = max(most, *lights, 1e-9)
    size = (max(round(SHARP * wide), 8), max(round(SHARP * high), 8))
    frame = pd.DataFrame(
        {
            "number": range(len(looks)),
            "label": [style.readable(look.label) for look in looks],
            "below": [look.below for look in looks],
            "marked": [look.marked for look in looks],
            "largest": ["" if k.weights is None else f"{k.weights.max():.2f}" for k in looks],
            "picture": [
                lit(
                    look.photo or photo,
                    size,
                    None if look.weights is None else np.sqrt(look.weights / most),
                )
                for look in looks
            ],
        }
    )
    frame["left"] = frame["number"] % columns * (wide + gap)
    frame["top"] = frame["number"] // columns * (high + 2 * line + gap)
    frame["right"], frame["bottom"] = frame["left"] + wide, frame["top"] + high
    frame["middle"], frame["centre"] = frame["left"] + wide / 2, frame["top"] + high / 2
    frame["first"], frame["second"] = frame["bottom"] + 0.6 * line, frame["bottom"] + 1.5 * line
    rows = -(-count // columns)
    across = columns * (wide + gap) - gap
    total_wide = max(across + (SCALE_BAR * scale if bar else 0), room.width if filled else 0)
    total_high = rows * (high + 2 * line + gap) - gap
    x, y = (lambda f: x_at(f, total_wide)), (lambda f: y_at(f, total_high))
    base = alt.Chart(frame)
    plain: dict[str, Any] = {"baseline": "middle", "tooltip": None}
    ink = alt.condition("datum.marked", alt.value(style.VERMILION), alt.value(style.INK))
    size_of_words = fitted([str(word) for word in frame["label"]], wide, room)
    look = alt.selection_point(name="look", fields=["number"], on="click", empty=False)
    box = {"x": x("left"), "x2": "right:Q", "y": y("top"), "y2": "bottom:Q"}
    layers: list[Any] = [
        base.mark_image(width=wide, height=high, aspect=False, tooltip=None).encode(
            x=x("middle"), y=y("centre"), url="picture:N"
        ),
        base.mark_text(fontSize=size_of_words, fontWeight=600, limit=wide + gap, **plain).encode(
            x=x("middle"), y=y("first"), text="label:N", color=ink
        ),
        base.mark_text(fontSize=room.least, limit=wide + gap, **plain).encode(
            x=x("middle"), y=y("second"), text="below:N", color=ink
        ),
        base.mark_rect(fill=style.BLUE, fillOpacity=0, cursor="pointer")
        .encode(
            **box,
            tooltip=[alt.Tooltip(f"{field}:N", title=name) for field, name in tips.items()],
        )
        .add_params(look),
    ]
    if chosen is not None:
        layers.append(
            alt.Chart(frame[frame["number"] == chosen])
            .mark_rect(fillOpacity=0, stroke=style.VERMILION, strokeWidth=2.5 * scale, tooltip=None)
            .encode(**box)
        )
    read = [(number, k) for number, k in enumerate(looks) if k.place is not None]
    if read:
        layers.append(
            squares(
                frame,
                [
                    (n, k.place, k.weights.shape)
                    for n, k in read
                    if k.place and k.weights is not None
                ],
                wide,
                high,
                x,
                y,
                scale,
            )
        )
    asking = [(number, point) for number, k in enumerate(looks) for point in k.points]
    if asking:
        layers.append(points(frame, asking, wide, high, x, y, scale))
    if places:
        layers.append(cells(places, wide, high, x, y))
    if bar:
        end = brightest or f"{most:.{2 if most >= 0.095 else 3}f} bright"
        layers += _scale_bar(across + 2.2 * gap, min(high, 110 * scale), end, x, y, room)
    chart = style.layered(*layers).properties(
        autosize=style.PAD,
        width=total_wide,
        height=total_high,
        description=said or title or ", ".join(look.label for look in looks),
    )
    return chart.properties(title=_title(title, room)) if title else chart


def _title(text: str, room: Room) -> alt.TitleParams:
    """In one line; what is too long for it goes on in smaller type."""
    most = int(room.width / (0.56 * style.font(room.scale, style.LARGE)))
    head = text if len(text) <= most else text[:most].rsplit(" ", 1)[0]
    return style.title(head, text[len(head) :].strip(), room.scale)


def fitted(words: Sequence[str], wide: float, room: Room) -> float:
    """Type in which the longest word still stands under its picture."""
    longest = max(map(len, words), default=1)
    return max(min(style.font(room.scale), wide / (0.6 * max(longest, 1))), room.least)


def _scale_bar(
    left: float, high: float, brightest: str, x: Any, y: Any, room: Room
) -> list[alt.Chart]:
    """From dark, weight 0, to the light of the largest weight; light is the root of the weight."""
    steps = 24
    wide, line = 14 * room.scale, LINE * room.scale
    top = 1.4 * line
    edges = np.linspace(0, max(high - 2 * line, 40 * room.scale), steps + 1)
    shades = (45 + 190 * np.sqrt(np.linspace(1, 0, steps))).round().astype(int)
    bar = pd.DataFrame(
        {
            "left": left,
            "right": left + wide,
            "top": top + edges[:-1],
            "bottom": top + edges[1:],
            "shade": [f"rgb({s},{s},{s})" for s in shades],
        }
    )
    words = pd.DataFrame(
        {
            "left": [left, left + 1.4 * wide, left + 1.4 * wide],
            "top": [top - 0.9 * line, top + 4, top + edges[-1] - 4],
            "text": ["weight", brightest, "0 dark"],
        }
    )
    return [
        alt.Chart(bar)
        .mark_rect(tooltip=None)
        .encode(
            x=x("left"),
            x2="right:Q",
            y=y("top"),
            y2="bottom:Q",
            color=alt.Color("shade:N", scale=None, legend=None),
        ),
        alt.Chart(words)
        .mark_text(
            align="left", baseline="middle", fontSize=room.least, color=style.INK, tooltip=None
        )
        .encode(x=x("left"), y=y("top"), text="text:N"),
    ]


def readings(
    photo: Photo, lights: Mapping[str, NDArray[np.floating]], room: Room = PAGE
) -> style.AnyChart:
    """The same picture once for each way of reading it, all with one scale of light."""
    looks = tuple(
        Look(
            label=title,
            below=f"{told.places(weights)} of {weights.size} places hold half",
            weights=weights,
        )
        for title, weights in lights.items()
    )
    said = "; ".join(f"{look.label}: {look.below} of the weight" for look in looks)
    return pictures(photo, looks, said=said, room=room)


def strip(
    photo: Photo,
    caption: Caption,
    *,
    name: str = "",
    doubtful: Sequence[int] = (),
    chosen: int | None = None,
    until: int | None = None,
    filled: bool = False,
    room: Room = PAGE,
) -> style.AnyChart:
    """The picture, then once more for each word, lit where it was looked at for this word.

    Words that are `doubtful` are marked; those after `until` are not written yet.
    """
    last = len(caption.tokens) if until is None else until + 1
    looks = [Look(label="", below="the picture")]
    for place, token in enumerate(caption.tokens[:last]):
        sure = caption.probabilities[place] if caption.probabilities else None
        looks.append(
            Look(
                label=f"{token}?" if place in doubtful else token,
                below="" if sure is None else f"{sure:.2f}",
                weights=caption.weights[place],
                place=caption.places[place] if caption.places else None,
                marked=place in doubtful,
            )
        )
    words = " ".join(caption.tokens[:last])
    title = f"{name}: “{words}”" if name else f"“{words}”"
    frame = None if chosen is None else min(chosen, last - 1) + 1
    said = f"{title}. {told.finding(caption)}"
    return pictures(
        photo,
        tuple(looks),
        title=title,
        said=said,
        chosen=frame,
        count=len(caption.tokens) + 1,
        most=float(caption.weights.max()) if len(caption.weights) else 0.0,
        tips={"label": "word", "below": "probability", "largest": "largest weight"},
        filled=filled,
        room=room,
    )

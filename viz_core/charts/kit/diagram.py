"""Boxes, arrows, words and small images at places in pixels: what a diagram is made of.

Written as Vega-Lite, so that a diagram is hovered, clicked, kept and shown as every other chart.
Marks that look alike become one layer.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from viz_core.charts.kit import style
from viz_core.charts.kit.vegalite import Written
from viz_core.charts.tiles import png

Align = Literal["left", "center", "right"]
Toward = Literal["up", "down", "left", "right"]
BLUE, VERMILION = (
    [int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (style.BLUE, style.VERMILION)
)
PIXELS = 8  # of a token in the image of a box
TURNED = {"up": 0, "right": 90, "down": 180, "left": 270}


def signed(values: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Numbers in [-1, 1] as pixels: vermilion below zero, nothing at zero, blue above it."""
    found = np.nan_to_num(np.asarray(values, dtype=float)).clip(-1, 1)
    pixels = np.empty((*found.shape, 4), dtype=np.uint8)
    pixels[..., :3] = np.where((found < 0)[..., None], VERMILION, BLUE)
    pixels[..., 3] = np.round(255 * np.abs(found))
    return pixels


def strip(
    values: NDArray[np.floating], cells: int, shown: slice, lit: NDArray[np.bool_], inset: int = 1
) -> NDArray[np.uint8]:
    """The first numbers of each token as a column of cells, the largest of the box in full."""
    unit = float(np.quantile(np.abs(values), 0.98)) or 1.0
    part = (values / unit * lit[:, None])[shown, :cells].T  # (cell, token)
    wide = np.repeat(part, PIXELS, axis=1)
    edge = np.arange(wide.shape[1]) % PIXELS
    wide[:, (edge < inset) | (edge >= PIXELS - inset)] = 0
    return signed(wide)


class Diagram:
    def __init__(self, width: float, height: float, scale: float) -> None:
        self.width, self.height, self.scale = width, height, scale
        self.rows: dict[tuple[Any, ...], list[dict[str, Any]]] = defaultdict(list)

    # ---- marks, in the order in which they lie upon each other ----------------------------------

    def line(self, *points: tuple[float, float], opacity: float = 0.45, wide: float = 1.2) -> None:
        """From point to point."""
        for (x, y), (x2, y2) in pairwise(points):
            self.rows[1, "line"].append(
                {"x": x, "y": y, "x2": x2, "y2": y2, "opacity": opacity, "wide": wide * self.scale}
            )

    def arrow(self, *points: tuple[float, float], opacity: float = 0.45, wide: float = 1.2) -> None:
        """A line with a head at its last point."""
        self.line(*points, opacity=opacity, wide=wide)
        (x, y), (x2, y2) = points[-2:]
        toward: Toward = "right" if x2 > x else "left"
        if abs(y2 - y) > abs(x2 - x):
            toward = "down" if y2 > y else "up"
        self.head(x2, y2, toward, opacity)

    def head(self, x: float, y: float, toward: Toward, opacity: float = 0.45) -> None:
        self.rows[2, "head"].append(
            {"x": x, "y": y, "angle": TURNED[toward], "opacity": min(opacity + 0.25, 1.0)}
        )

    def image(
        self, x: float, y: float, wide: float, high: float, pixels: NDArray[np.uint8]
    ) -> None:
        """Pixels (row, column, colour) in a box with this top left corner."""
        self.rows[3, "image", round(wide, 1), round(high, 1)].append(
            {"x": x + wide / 2, "y": y + high / 2, "picture": png(pixels)}
        )

    def frame(
        self, x: float, y: float, wide: float, high: float, *, now: bool = False, lit: bool = True
    ) -> None:
        """An outline; vermilion where something happens now, faint where nothing has yet."""
        self.rows[4, "frame", now, lit].append({"x": x, "y": y, "x2": x + wide, "y2": y + high})

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        align: Align = "center",
        upright: bool = False,
        bold: bool = False,
        size: float = style.SMALL,
        limit: float = 0.0,
        red: bool = False,
    ) -> None:
        kind = (5, "text", align, upright, bold, size, round(limit), red)
        self.rows[kind].append({"x": x, "y": y, "words": style.readable(words)})

    def hit(
        self, x: float, y: float, wide: float, high: float, part: str, **said: str | float
    ) -> None:
        """What catches the pointer: hovered it says so, clicked it is the selection "part"."""
        self.rows[6, "hit"].append(
            {"x": x, "y": y, "x2": x + wide, "y2": y + high, "part": part, **said}
        )

    # ---- the chart ------------------------------------------------------------------------------

    def chart(self, finding: str, title: dict[str, Any]) -> Written:
        layers, tables = [], {}
        for number, (kind, rows) in enumerate(sorted(self.rows.items(), key=lambda one: one[0][0])):
            name = f"{kind[1]}{number}"
            tables[name] = pa.Table.from_pylist(rows)
            layers.append({"data": {"name": name}, **self._layer(kind, rows)})
        return Written(
            {
                "layer": layers,
                "width": round(self.width, 1),
                "height": round(self.height, 1),
                "title": title,
                "description": finding,
                "autosize": {"type": "pad", "contains": "padding"},
                "view": {"stroke": None},
            },
            tables,
        )

    def _layer(self, kind: tuple[Any, ...], rows: list[dict[str, Any]]) -> dict[str, Any]:
        x, y = self._at("x", self.width), self._at("y", self.height, down=True)
        box = {"x": x, "y": y, "x2": {"field": "x2"}, "y2": {"field": "y2"}}
        ink: dict[str, Any] = {"color": style.INK, "tooltip": None}
        mark: dict[str, Any]
        shade = {"field": "opacity", "type": "quantitative", "scale": None}
        match kind[1:]:
            case ("line",):
                wide = {"field": "wide", "type": "quantitative", "scale": None}
                mark = {"type": "rule", **ink}
                return {"mark": mark, "encoding": {**box, "opacity": shade, "strokeWidth": wide}}
            case ("head",):
                turn = {"field": "angle", "type": "quantitative", "scale": None}
                size = 34 * self.scale**2
                mark = {"type": "point", "shape": "triangle-up", "filled": True, "size": size}
                encoding = {"x": x, "y": y, "angle": turn, "opacity": shade}
                return {"mark": {**mark, **ink}, "encoding": encoding}
            case ("image", wide, high):
                mark = {"type": "image", "width": wide, "height": high, "aspect": False}
                url = {"field": "picture", "type": "nominal"}
                more = {"smooth": False, "tooltip": None}
                return {"mark": {**mark, **more}, "encoding": {"x": x, "y": y, "url": url}}
            case ("frame", now, lit):
                mark = {
                    "type": "rect",
                    "fillOpacity": 0,
                    "stroke": style.VERMILION if now else style.INK,
                    "strokeWidth": (2.2 if now else 1) * self.scale,
                    "strokeOpacity": 1 if now else 0.5 if lit else 0.2,
                    "cornerRadius": 3 * self.scale,
                    "tooltip": None,
                }
                return {"mark": mark, "encoding": box}
            case ("text", align, upright, bold, size, limit, red):
                mark = {
                    "type": "text",
                    "align": align,
                    "baseline": "middle",
                    "angle": 270 if upright else 0,
                    "fontSize": style.font(self.scale, size),
                    "fontWeight": 600 if bold else 400,
                    "color": style.VERMILION if red else style.INK,
                    "tooltip": None,
                }
                if limit:
                    mark["limit"] = limit
                words = {"field": "words", "type": "nominal"}
                return {"mark": mark, "encoding": {"x": x, "y": y, "text": words}}
            case _:
                return self._hits(box, rows)

    def _hits(self, box: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
        places = {"x", "y", "x2", "y2"}
        told = [
            {"field": name, "type": "nominal"}
            for name in dict.fromkeys(name for row in rows for name in row if name not in places)
        ]
        select = {"type": "point", "fields": ["part"], "on": "click"}
        mark = {"type": "rect", "fill": style.BLUE, "fillOpacity": 0, "cursor": "pointer"}
        return {
            "params": [{"name": "part", "select": select}],
            "mark": mark,
            "encoding": {**box, "tooltip": told},
        }

    def _at(self, field: str, most: float, down: bool = False) -> dict[str, Any]:
        ends = [most, 0] if down else [0, most]
        scale = {"domain": ends, "nice": False, "zero": False}
        return {"field": field, "type": "quantitative", "scale": scale, "axis": None}

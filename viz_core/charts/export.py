"""A chart as files to keep: image, page that keeps its hover, and the numbers behind it."""

from __future__ import annotations

import html
import json
import re
import textwrap
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
import vl_convert

from viz_core.charts import plotly_svg
from viz_core.charts.kit import style
from viz_core.charts.numbers import Rows
from viz_core.charts.plotly_svg import PAPER, PRINT

LINE = 76  # characters of the caption in a line


def file_name(kind: str, *facts: str) -> str:
    """A name that says what is in the file: "alignment-rnn-additive-i-lost-my.png"."""
    plain = unicodedata.normalize("NFKD", " ".join(facts)).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.lower())
    return f"{'-'.join(words)[:90].strip('-') or 'attention-atlas'}.{kind}"


def is_plotly(chart: Any) -> bool:
    return hasattr(chart, "to_plotly_json")


def spec(chart: Any, caption: str) -> dict[str, Any]:
    """An Altair chart as Vega-Lite, dark on white, with its caption over it."""
    written = json.dumps(chart.to_dict()).replace(style.INK, PRINT)
    found: dict[str, Any] = json.loads(written)
    given = found.get("title", "")
    headline = given.get("text", "") if isinstance(given, dict) else given
    lines = textwrap.wrap(caption, LINE)
    found["title"] = {
        "text": headline or lines,
        "subtitle": lines if headline else [],
        "fontSize": 14 if headline else 12,
        "fontWeight": "bold" if headline else "normal",
        "anchor": "start",
        "subtitleColor": PRINT,
        "color": PRINT,
        "offset": 12,
    }
    found["background"] = PAPER
    found["padding"] = 16
    return found


def png(chart: Any, caption: str) -> bytes:
    """Twice the size on the screen, for slides."""
    drawn: bytes = vl_convert.vegalite_to_png(spec(chart, caption), scale=2)
    return drawn


def svg(chart: Any, caption: str) -> str:
    drawn: str = vl_convert.vegalite_to_svg(spec(chart, caption))
    return drawn


def pdf(chart: Any, caption: str) -> bytes:
    """Vector graphics with its own fonts, for a paper."""
    if is_plotly(chart):
        outlined: bytes = vl_convert.svg_to_pdf(plotly_svg.svg(chart, textwrap.wrap(caption, LINE)))
        return outlined
    drawn: bytes = vl_convert.vegalite_to_pdf(spec(chart, caption))
    return drawn


def page(chart: Any, caption: str) -> str:
    """One file with everything in it: it opens without a network and keeps its hover."""
    if not is_plotly(chart):
        found: str = vl_convert.vegalite_to_html(spec(chart, caption), bundle=True)
        found = found.replace("<head>", f"<head><title>{html.escape(caption)}</title>", 1)
        return _inert(found)
    drawn = chart.__class__(chart).update_layout(
        paper_bgcolor=PAPER, font={"color": PRINT}, title={"text": ""}
    )
    body = drawn.to_html(include_plotlyjs=True, full_html=False)
    said = html.escape(caption)
    return (
        f'<!doctype html><meta charset="utf-8"><title>{said}</title>'
        f'<p style="font:16px system-ui;color:{PRINT}">{said}</p>{body}'
    )


def _inert(written: str) -> str:
    """A typed "</script>" would end the script that holds the chart: it may hold no "<" at all.

    JSON has no line breaks inside, so the last such lines are the page's own.
    """
    before, begins, rest = written.rpartition("\n    const spec = ")
    chart, ends, after = rest.partition("\n    const opts = ")
    assert begins and ends, "vl-convert writes its pages in another way"
    return before + begins + chart.replace("<", "\\u003c") + ends + after


def numbers(chart: Any) -> list[list[dict[str, Any]]]:
    """The tables behind a chart without its pixels, the one with most to say first."""
    if is_plotly(chart):
        return sorted((table for table in _traces(chart) if table), key=len, reverse=True)
    tables = [_measured(table) for table in _datasets(chart.to_dict())]
    return sorted((table for table in tables if table), key=_weight, reverse=True)


def _weight(table: list[dict[str, Any]]) -> tuple[bool, bool, int]:
    """A table of labels says less than one of numbers, one without words less than one with."""
    return len(table[0]) > 1, "word" in table[0], len(table)


# Where a mark stands, if a table has all of the first part: then the rest of it is no number of
# the model either.
PIXELS = (
    ({"hit"}, {"x", "x2", "y", "y2", "tint", "edge", "said"}),
    ({"rise"}, {"x", "y"}),
    ({"left", "right"}, {"top", "room", "middle", "bottom", "centre", "foot", "picture", "angle"}),
    ({"begins"}, {"from", "to", "head"}),
    ({"at", "token"}, {"at"}),
    ({"linked"}, {"linked"}),
)


def _measured(table: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = set(table[0]) if table else set()
    gone: set[str] = set()
    for sign, more in PIXELS:
        if sign <= names:
            gone |= more | (sign - {"token"})
    kept = [{name: each for name, each in row.items() if name not in gone} for row in table]
    if {"panel", "row", "column", "text"} <= names:  # numbers as they are written in their cells
        for row in kept:
            row["row"], row["column"] = row["row"] + 1, row["column"] + 1
            row["value"] = row.pop("text").replace("\N{MINUS SIGN}", "-")
    return [row for row in kept if row]


def _datasets(found: Mapping[str, Any]) -> Iterator[list[dict[str, Any]]]:
    yield from found.get("datasets", {}).values()


def _traces(figure: Any) -> Iterator[list[dict[str, Any]]]:
    """A row for each mark of a Plotly figure: a matrix by its row and column, others by point."""
    for trace in figure.data:
        if getattr(trace, "z", None) is not None:
            rows, columns = np.nonzero(np.ones_like(np.asarray(trace.z, dtype=float)))
            values = np.asarray(trace.z, dtype=float)[rows, columns]
            cells = zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True)
            yield [
                {"panel": trace.name or "", "row": r + 1, "column": c + 1, "value": v}
                for r, c, v in cells
            ]
            continue
        if trace.x is None or trace.y is None:
            continue
        words = trace.text if isinstance(trace.text, (list, tuple)) else [""] * len(trace.x)
        points = zip(trace.x, trace.y, words, strict=False)
        yield [
            {"series": trace.name or "", "x": _plain(x), "y": _plain(y), "text": str(word)}
            for x, y, word in points
            if x is not None
        ]


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def csv(chart: Any, caption: str, rows: Rows | None = None) -> str:
    """The numbers of a chart under its caption: those given, or those that it was drawn from.

    Panels of one kind stand under each other.
    """
    if rows is None:
        tables = numbers(chart)
        alike = [t for t in tables if is_plotly(chart) or list(t[0]) == list(tables[0][0])]
        rows = [row for table in alike for row in table]
    said = " ".join(caption.split())
    return f"# {said}\n{pd.DataFrame(rows).drop_duplicates().to_csv(index=False)}"


def written(chart: Any, caption: str, rows: Rows | None = None) -> str:
    """The numbers of a chart as JSON, with the caption."""
    tables = numbers(chart) if rows is None else [rows]
    return json.dumps({"caption": caption, "tables": tables}, ensure_ascii=False, indent=1)

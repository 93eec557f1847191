"""A chart whose Vega-Lite is written out, for pictures that are redrawn at every keystroke.

Altair builds and checks a layered chart in a tenth of a second, longer than the model needs to run.
The tests check a written chart against the same schema instead, once and for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pyarrow as pa

from viz_core.charts.kit import style

SCHEMA: str = alt.SCHEMA_URL


def title(text: str, subtitle: Sequence[str] = (), scale: float = 1.0) -> dict[str, Any]:
    """style.title, written out."""
    return {
        "text": text,
        "subtitle": [line for line in subtitle if line],
        "anchor": "start",
        "frame": "group",
        "fontSize": style.font(scale, style.LARGE),
        "fontWeight": 600,
        "subtitleFontSize": style.font(scale, style.SMALL),
        "subtitleColor": style.INK,
        "subtitlePadding": 4 * scale,
        "offset": 10 * scale,
    }


class Written(alt.LayerChart):
    """Behaves as the Altair chart that it spells out; a layer names one of the tables."""

    def __init__(self, spec: dict[str, Any], tables: dict[str, pa.Table]) -> None:
        super().__init__(layer=[])
        # Altair keeps ordinary attributes as part of the chart's spec.
        object.__setattr__(self, "written", spec)
        object.__setattr__(self, "tables", tables)

    def copy(self, *_: Any, **__: Any) -> Written:
        return Written(self.written, self.tables)

    def properties(self, **settings: Any) -> Written:
        plain = {k: v.to_dict() if hasattr(v, "to_dict") else v for k, v in settings.items()}
        return Written(self.written | plain, self.tables)

    @property
    def finding(self) -> str:
        """What the chart says in words."""
        return str(self.written.get("description", ""))

    @property
    def narrow(self) -> bool:
        """Whether a phone can show it whole at once if it is shrunk, its type still legible."""
        return bool(self.written.get("usermeta", {}).get("narrow"))

    def hushed(self) -> Written:
        """The chart without its words, for a host that says them: marks are not read out either."""
        spec = {key: value for key, value in self.written.items() if key != "description"}
        config = spec.get("config", {})
        return Written(spec | {"config": config | {"mark": {"aria": False}}}, self.tables)

    def to_dict(self, *_: Any, **__: Any) -> dict[str, Any]:
        """The spec, its data in whatever form Altair is told to hand data over."""
        send = alt.data_transformers.get()
        assert send is not None, "Altair has a data transformer as long as none is taken away"
        data: dict[str, Any] = {}
        datasets: dict[str, Any] = {}
        for name, table in self.tables.items():
            data[name] = send(table)
            if "values" in data[name]:  # the plain way; Streamlit's way keeps the data itself
                datasets[name] = data[name]["values"]
                data[name] = {"name": name}
        layers = [
            layer | {"data": data.get(layer["data"].get("name"), layer["data"])}
            for layer in self.written["layer"]
        ]
        return {"$schema": SCHEMA, **self.written, "layer": layers, "datasets": datasets}

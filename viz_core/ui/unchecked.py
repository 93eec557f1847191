"""Altair without its checks, while visitors wait.

Altair holds every piece of a chart against the schema when it is made and once more when it is
sent, builds its table of a thousand schema classes anew for each condition, and copies all data
with every method call: together most of the time that a page takes. The tests check the charts;
they have no server, so none of this happens there. On the server the same specs go out unchecked.
"""

from __future__ import annotations

import functools
from typing import Any

import altair as alt
from altair.utils import schemapi
from streamlit import runtime


def unchecked() -> None:
    """Turn the checks off for this process; a second call changes nothing."""
    if getattr(alt.TopLevelMixin.to_dict, "is_unchecked", False):
        return
    schemapi.disable_debug_mode()
    table = functools.cache(lambda: converter(alt.VegaLiteSchema._default_wrapper_classes()))
    converter = schemapi._FromDict
    schemapi._FromDict = lambda _: table()  # type: ignore[assignment, misc]
    for data in (alt.Data, alt.InlineData):  # rows are never changed: a reference will do
        data.__deepcopy__ = lambda self, _: self  # type: ignore[union-attr]
    checked = alt.TopLevelMixin.to_dict

    @functools.wraps(checked)
    def to_dict(self: Any, validate: bool = False, **settings: Any) -> dict[str, Any]:
        return checked(self, validate=False, **settings)

    to_dict.is_unchecked = True  # type: ignore[attr-defined]
    alt.TopLevelMixin.to_dict = to_dict  # type: ignore[method-assign]


if runtime.exists():
    unchecked()

"""Altair without its checks, while visitors wait.

Altair holds every piece of a chart against the schema when it is made and once more when it is
sent, looks for the class of each condition among a thousand, copies everything with every method
call, and prints tables to name a view after them: together most of the time that a page takes. The
tests check the charts; they have no server, so none of this happens there. On the server the same
specs go out unchecked.
"""

from __future__ import annotations

import functools
import hashlib
from typing import Any

import altair as alt
import pandas as pd
from altair.utils import schemapi

# What Altair changes after it was made, so that a copy must be one. All else is never changed.
CHANGED: tuple[type[Any], ...] = (
    alt.TopLevelMixin,
    alt.TopLevelSelectionParameter,
    alt.SelectionParameter,
    alt.VariableParameter,
)


def _deep_copy(found: Any, by_ref: set[str]) -> Any:
    """Altair's own copies every option of every axis, and makes each layer of a chart anew."""
    if isinstance(found, CHANGED):
        new = object.__new__(type(found))
        parts = {
            name: part if name in by_ref else _deep_copy(part, by_ref)
            for name, part in found._kwds.items()
        }
        object.__setattr__(new, "_args", found._args)
        object.__setattr__(new, "_kwds", parts)
        return new
    if isinstance(found, list):
        return [_deep_copy(each, by_ref) for each in found]
    return dict(found) if isinstance(found, dict) else found


def _compute_hash(self: Any) -> str:
    """The name of a view, the same for the same view: from the table's values, not its print."""
    known: str | None = self._kwds.get("_cached_hash")
    if known is not None:
        return known
    data = self._kwds.get("data")
    held = (list(data), data.to_numpy().tolist()) if isinstance(data, pd.DataFrame) else data
    parts = [self._kwds.get(part) for part in ("mark", "encoding", "transform")]
    return f"view_{hashlib.sha256(repr((held, parts)).encode()).hexdigest()[:16]}"


PLAIN = frozenset((str, int, float, bool, type(None)))
_convert = schemapi._todict


def _todict(obj: Any, context: Any, np_opt: Any, pd_opt: Any) -> Any:
    """Altair's own asks eight questions about a word or a number before it leaves it alone."""
    return obj if type(obj) in PLAIN else _convert(obj, context, np_opt, pd_opt)


class _FromDict:
    """Altair's own holds a condition against every schema that may fit; here it stays a dict."""

    def __init__(self, _: Any) -> None:
        pass

    def from_dict(self, found: Any, kind: Any) -> Any:
        return found if isinstance(found, schemapi.SchemaBase) else kind(**found)


def unchecked() -> None:
    """Turn the checks off for this process; a second call changes nothing."""
    if getattr(alt.TopLevelMixin.to_dict, "is_unchecked", False):
        return
    schemapi.disable_debug_mode()
    schemapi.validate_jsonschema = lambda *_, **__: None  # type: ignore[assignment]
    schemapi._FromDict = _FromDict  # type: ignore[assignment, misc]
    schemapi._deep_copy = _deep_copy  # type: ignore[assignment]
    schemapi._todict = _todict
    alt.Chart._compute_hash = _compute_hash  # type: ignore[method-assign]
    checked = alt.TopLevelMixin.to_dict

    @functools.wraps(checked)
    def to_dict(self: Any, validate: bool = False, **settings: Any) -> dict[str, Any]:
        return checked(self, validate=False, **settings)

    to_dict.is_unchecked = True  # type: ignore[attr-defined]
    alt.TopLevelMixin.to_dict = to_dict  # type: ignore[method-assign]

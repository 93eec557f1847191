"""The same picture for the same records: drawn once for all visitors, the last few hundred kept.

A chart is a function of its records, and a class looks at the same example at the same time. So
what is drawn is not to be changed any more; Altair's own methods return a changed copy.
"""

from __future__ import annotations

import functools
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd

KEPT = 400  # charts, tens of megabytes
P = ParamSpec("P")
T = TypeVar("T")

_kept: OrderedDict[Hashable, Any] = OrderedDict()


def drawn(draw: Callable[P, T]) -> Callable[P, T]:
    """A chart function that remembers what it drew."""

    @functools.wraps(draw)
    def found(*args: P.args, **settings: P.kwargs) -> T:
        key = (draw.__module__, draw.__name__, content(args), content(settings))
        chart = _kept.pop(key, None)
        if chart is None:
            chart = draw(*args, **settings)
        _kept[key] = chart  # the newest is last
        while len(_kept) > KEPT:
            try:
                _kept.popitem(last=False)
            except KeyError:  # another visitor's thread was faster
                break
        return chart

    return found


def forget() -> None:
    """Draw everything anew, for whoever changes how something is drawn."""
    _kept.clear()


def content(value: Any) -> Hashable:
    """What a record holds, in a form that is equal exactly if the records are."""
    if isinstance(value, str | int | float | bool | bytes | None):
        return type(value), value  # 1, 1.0 and True are equal, and not drawn alike
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return content(value.tolist())
        whole = np.ascontiguousarray(value)  # read where it is: a long text weighs 75 MB
        return value.shape, value.dtype.str, hashlib.blake2b(whole.data).digest()
    if isinstance(value, pd.DataFrame):
        return content({str(name): value[name].to_numpy() for name in value})
    if is_dataclass(value):
        return type(value), tuple(content(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, Mapping):
        return tuple((content(name), content(part)) for name, part in value.items())
    if isinstance(value, Set):
        return frozenset(content(part) for part in value)
    if isinstance(value, Sequence):
        return type(value), tuple(content(part) for part in value)
    return type(value), value  # hashable, or Python says so

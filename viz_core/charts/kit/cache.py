"""The same picture for the same records: drawn once for all visitors, the last few hundred kept.

A chart is a function of its records, and a class looks at the same example at the same time. So
what is drawn is not to be changed any more; Altair's own methods return a changed copy.
"""

from __future__ import annotations

import functools
import hashlib
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd

KEPT = 400  # charts
BYTES = 100_000_000  # of all of them: most have some kilobytes, those of a long text a megabyte
CELL = 64  # bytes in a table, whether number or word
P = ParamSpec("P")
T = TypeVar("T")


class Key:
    """What was asked for. Python hashes a tuple anew each time it is looked up: this one once."""

    __slots__ = ("asked", "hashed")

    def __init__(self, *asked: Hashable) -> None:
        self.asked, self.hashed = asked, hash(asked)

    def __hash__(self) -> int:
        return self.hashed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self.asked == other.asked


class Kept(OrderedDict[Key, tuple[Any, int]]):
    """Charts and their bytes, the one that was asked for last at the end."""

    held = 0  # bytes; counted along, as a walk over all at every chart is half of a server's work

    def add(self, key: Key, kept: tuple[Any, int]) -> None:
        self.held += kept[1] - self.pop(key, (None, 0))[1]
        self[key] = kept
        while len(self) > KEPT or self.held > BYTES:
            self.held -= self.popitem(last=False)[1][1]

    def clear(self) -> None:
        super().clear()
        self.held = 0


_kept = Kept()
_lock = threading.Lock()
_turns: dict[Key, threading.RLock] = {}  # of charts that are being drawn


def drawn(draw: Callable[P, T]) -> Callable[P, T]:
    """A chart function that remembers what it drew; whoever asks meanwhile waits for the first."""

    @functools.wraps(draw)
    def drawn_once(*args: P.args, **settings: P.kwargs) -> T:
        key = Key(draw.__module__, draw.__name__, content(args), content(settings))
        with _lock:
            turn = _turns.setdefault(key, threading.RLock())
        with turn:
            with _lock:
                kept = _kept.get(key)
            try:
                if kept is None:
                    chart = draw(*args, **settings)
                    kept = chart, weight(chart)
                with _lock:
                    _kept.add(key, kept)
            finally:
                with _lock:
                    _turns.pop(key, None)
        picture: T = kept[0]
        return picture

    return drawn_once


def forget() -> None:
    """Draw everything anew, for whoever changes how something is drawn."""
    with _lock:
        _kept.clear()


def weight(chart: Any) -> int:
    """About how many bytes a chart takes, with what will be sent of it: the same once more."""
    size, rest, seen = 0, [chart], set[int]()
    while rest:
        one = rest.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, pd.DataFrame):  # asked itself, it would count every letter
            size += CELL * one.size
            continue
        size += sys.getsizeof(one, 0)
        if isinstance(one, Mapping):
            rest.extend(one.values())
        elif isinstance(one, list | tuple):
            rest.extend(one)
        else:  # Altair keeps its parts here, Plotly there
            rest.extend(getattr(one, part, None) for part in ("_kwds", "_data", "_layout"))
    return 2 * size


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

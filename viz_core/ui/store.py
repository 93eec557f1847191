"""Results kept for everyone, bounded by their bytes; each is computed once, however many ask."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future, TimeoutError as NotYet
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np
from torch import Tensor, nn

LOOK_UP = 0.1  # seconds: how often a waiting visitor is asked whether it is still there
WHOLE = (list, tuple, set, frozenset)


class Abandoned(Exception):
    """Who computed it has left: somebody else who waits must begin anew."""


class Store:
    """The last results, as many as fit into `most` bytes. Safe to share between threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.held = 0  # bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._flights: dict[Hashable, Future[Any]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def once(
        self, key: Hashable, compute: Callable[[], Any], wait: Callable[[Callable[[], bool]], None]
    ) -> Any:
        """What is kept under the key, or what compute returns.

        While one thread computes, the others wait for it: `wait(arrived)` returns when arrived()
        is true, and raises for a visitor who left. They get the same answer, and the same
        ValueError, but that is never kept.
        """
        while True:
            with self._lock:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    return self._kept[key][0]
                flight = self._flights.get(key)
                is_mine = flight is None
                if flight is None:
                    flight = self._flights[key] = Future()
            if is_mine:
                return self._compute(key, compute, flight)
            wait(partial(_arrived, flight))
            try:
                return flight.result()
            except Abandoned:
                continue

    def peek(self, key: Hashable) -> Any:
        """What is kept under the key, or None."""
        with self._lock:
            return self._kept.get(key, (None, 0))[0]

    def _compute(self, key: Hashable, compute: Callable[[], Any], flight: Future[Any]) -> Any:
        try:
            value = compute()
            self._keep(key, value, settle(value) + settle(key))
        except BaseException as error:  # a visitor who leaves is one: the others must not wait
            self._landed(key)
            ours = isinstance(error, Exception)
            flight.set_exception(error if ours else Abandoned())
            raise
        self._landed(key)
        flight.set_result(value)
        return value

    def _landed(self, key: Hashable) -> None:
        with self._lock:
            del self._flights[key]

    def _keep(self, key: Hashable, value: Any, size: int) -> None:
        if size > self.most:
            return
        with self._lock:
            self.held += size - self._kept.pop(key, (None, 0))[1]
            self._kept[key] = value, size
            while self.held > self.most:
                _, (_, freed) = self._kept.popitem(last=False)
                self.held -= freed

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self.held = 0


def _arrived(flight: Future[Any]) -> bool:
    try:
        flight.exception(timeout=LOOK_UP)
    except NotYet:
        return False
    return True


def settle(value: Any) -> int:
    """Bytes of a result with all that hangs on it; its arrays can be written to no more."""
    seen: set[int] = set()  # words and reasons are shared by many records
    size, rest = 0, [value]
    while rest:
        one = rest.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        size += sys.getsizeof(one, 0)
        if isinstance(one, np.ndarray):
            one.setflags(write=False)
            size += _beyond(one)
        elif isinstance(one, WHOLE):
            rest.extend(one)
        elif isinstance(one, Mapping):
            rest.extend(one.keys())
            rest.extend(one.values())
        elif isinstance(one, Tensor):
            size += one.untyped_storage().nbytes()
        elif isinstance(one, nn.Module):
            rest.extend(one.parameters())
            rest.extend(one.buffers())
        elif is_dataclass(one) and not isinstance(one, type):
            rest.extend(getattr(one, field.name) for field in fields(one))
    return size


def _beyond(array: Any) -> int:
    """Bytes of what a view looks at: it keeps the whole of it alive."""
    base = array.base
    while isinstance(base, np.ndarray) and base.base is not None:
        base = base.base
    if isinstance(base, Tensor):
        return int(base.untyped_storage().nbytes())
    return int(getattr(base, "nbytes", 0))

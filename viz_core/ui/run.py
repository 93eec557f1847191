"""The one cached call: what a model does, computed once for all visitors.

    trace = ui.run(probe.translate, "rnn-additive", text, beam=5)

is `probe.translate(checkpoints.load("rnn-additive"), text, beam=5)`, typed alike, and

    moments = ui.once(probe.lesson, word, seed)

is the same for a function without a checkpoint. To know before you call:

- The function is a named one of a module. No lambda, partial or function inside another: what they
  hold beside their arguments would not be part of the key.
- Arguments are plain: text, numbers, None, tuples of these, frozen dataclasses of these. For a
  tensor or an array write a function in the probe that makes it from plain ones.
- What comes back is shared by all visitors and must not be changed: its arrays are read-only.
- A ValueError is passed on, never kept. A checkpoint that cannot be used is a CheckpointError,
  which is one too.
- The first who asks computes, in its own thread; all others who ask for the same wait for it.
- Work is dear when its text is long or when it has taken a quarter of a second already. It then
  runs one at a time in this process, first come first served, with a notice while it waits, and
  pauses now and then for those who ask for less. Loops in probe and decoding call
  `interruption.point()`: there it ends when the visitor left, moved a control, or when it took
  longer than LIMIT.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner_utils.script_run_context import get_run_yield_check

from viz_core import checkpoints, interruption
from viz_core.cards import Card
from viz_core.checkpoints import Bundle, CheckpointError
from viz_core.ui.store import LOOK_UP, Store
from viz_core.ui.turns import Turns

RESULTS = 256_000_000  # bytes: a thousand sentences of a class, or three of 512 tokens
MODELS = 800_000_000  # bytes: all checkpoints at once are a third of it
DEAR = 0.25  # seconds of processor time: a translation takes a tenth
REST = 0.5  # dear work pauses half as long as it computed: Python runs one thread at a time
LIMIT = 20.0  # the same: longer than anything a page asks for by itself
LONG = 600  # characters: more is read by 512-token models only
PATIENCE = 0.01  # seconds between two looks at the clock of this thread: a look is a system call

P = ParamSpec("P")
R = TypeVar("R")

results, models, turns = Store(RESULTS), Store(MODELS), Turns()
_last_good: dict[Hashable, Hashable] = {}  # what was read, from where -> its key in models


@dataclass(frozen=True, slots=True)
class Loaded:
    bundle: Bundle
    digest: str  # of the card, which holds those of the weights


def run(
    function: Callable[Concatenate[Bundle, P], R], name: str, /, *args: P.args, **kwargs: P.kwargs
) -> R:
    """function(bundle of this checkpoint, *args, **kwargs), once for all who ask."""
    loaded = _loaded(name)
    key = (name, loaded.digest, *call_key(function, (None, *args), kwargs))
    found: R = result(key, lambda: function(loaded.bundle, *args, **kwargs))
    return found


def once(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """function(*args, **kwargs) of plain arguments alone, once for all who ask."""
    found: R = result(call_key(function, args, kwargs), lambda: function(*args, **kwargs))
    return found


def loaded(name: str) -> Bundle:
    """A model ready to run, loaded once and kept while there is room."""
    return _loaded(name).bundle


def known(name: str) -> Card:
    """The card of a checkpoint, read again only when it has changed."""
    path = checkpoints.place(name) / checkpoints.CARD
    found: Card = _newest(("card", name), path, lambda: checkpoints.card(name))
    return found


def forget() -> None:
    """Drop all results and models; for tests."""
    results.clear()
    models.clear()


def _loaded(name: str) -> Loaded:
    card = checkpoints.place(name) / checkpoints.CARD
    found: Loaded = _newest(name, card, lambda: _load(name, card))
    return found


def _newest(what: Hashable, card: Path, read: Callable[[], Any]) -> Any:
    """What is read from a checkpoint's folder, again when its card has changed.

    A folder that goes away or breaks while the app runs does not stop a lecture: what was read last
    is still there.
    """
    key = (what, *_version(card))
    try:
        newest = models.once(key, read, wait_for_others)
    except CheckpointError:
        last = models.peek(_last_good.get((what, str(card))))
        if last is None:
            raise
        return last
    _last_good[what, str(card)] = key
    return newest


def _version(card: Path) -> tuple[Hashable, ...]:
    """A new card means new weights; reading it each time would take longer than a small model."""
    try:
        known = card.stat()
    except (OSError, ValueError):
        return (str(card), None)  # load says what is wrong
    return (str(card), known.st_mtime_ns, known.st_size)


def _load(name: str, card: Path) -> Loaded:
    bundle = checkpoints.load(name)
    return Loaded(bundle, hashlib.sha256(card.read_bytes()).hexdigest())


# ---- keys -------------------------------------------------------------------------------------


def call_key(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Hashable, ...]:
    """Name and arguments, defaults included: one call written in two ways is one key."""
    name: str = getattr(function, "__qualname__", "<nameless>")
    if "<" in name:  # all lambdas have one name
        raise TypeError(f"{name} cannot be kept: give a function that a module names.")
    bound = _signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    given = tuple(plain(value) for value in bound.arguments.values())
    return (f"{function.__module__}.{name}", given)


@functools.cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def plain(value: Any) -> Hashable:
    """The value as part of a key; with its type, since 1, 1.0 and True are equal to Python."""
    if value is None or isinstance(value, str | int | float | bool | bytes):
        return (type(value), value)
    if isinstance(value, tuple):
        return (type(value), tuple(plain(each) for each in value))
    if isinstance(value, dict):  # **kwargs of a function
        return (dict, tuple((key, plain(each)) for key, each in sorted(value.items())))
    if is_dataclass(value) and not isinstance(value, type) and isinstance(value, Hashable):
        parts = tuple(plain(getattr(value, field.name)) for field in fields(value))
        return (type(value), parts)
    raise TypeError(f"{type(value).__name__} is no plain argument: give text, numbers or tuples.")


def _text(key: Hashable) -> int:
    """Characters in a key."""
    if isinstance(key, tuple):
        return sum(_text(part) for part in key)
    return len(key) if isinstance(key, str) else 0


# ---- computing --------------------------------------------------------------------------------


def result(key: tuple[Hashable, ...], compute: Callable[[], Any], is_dear: bool = False) -> Any:
    """What is kept under the key; the arguments are the last part of it."""
    dear = is_dear or _text(key[-1]) > LONG
    return results.once(key, lambda: watched(compute, dear), wait_for_others)


def watched(compute: Callable[[], Any], is_dear: bool) -> Any:
    """Run it, in line if it is dear, as long as its visitor is there and LIMIT is not reached."""
    began = asked = time.thread_time()
    due = time.monotonic() + PATIENCE

    def question() -> None:
        nonlocal asked, due
        if time.monotonic() < due:
            return
        stop_if_left()
        now = time.thread_time()
        taken, since, asked = now - began, now - asked, now
        if taken > LIMIT:
            raise ValueError(
                f"This takes more than {LIMIT:.0f} seconds of computing: ask for less, or shorten "
                "the text."
            )
        if taken > DEAR and not turns.has_turn():
            turns.take(_wait_in_line)
        if turns.has_turn():
            time.sleep(REST * since)
        due = time.monotonic() + PATIENCE

    try:
        if is_dear and not turns.has_turn():
            turns.take(_wait_in_line)
        with interruption.watched_by(question):
            return compute()
    finally:
        turns.give_back()


def stop_if_left() -> None:
    """End this run as Streamlit would at the next element, if its visitor left or moved on."""
    check = get_run_yield_check()
    if check is not None:
        check()


def wait_for_others(arrived: Callable[[], bool]) -> None:
    if arrived():
        return
    turns.give_back()  # they may need it first
    with st.spinner("The same is being computed for somebody else: one moment ..."):
        while not arrived():
            stop_if_left()


def _wait_in_line(before: Callable[[], int]) -> None:
    while ahead := before():
        many = "One is" if ahead == 1 else f"{ahead} are"
        with st.spinner(f"Long computations run one after the other. {many} before yours ..."):
            while before() == ahead:
                turns.moved(LOOK_UP)
                stop_if_left()

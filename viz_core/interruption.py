"""Long work asks, now and then, whether it is still wanted.

A visitor closes the tab, a slider moves on, a search takes longer than a hall can wait: whoever
starts the work knows, the loop that does it does not. So the loop calls `point()`, which costs
nothing when nobody watches, and the caller says in `watched_by` what is to be asked there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Question = Callable[[], None]  # returns to go on, raises to end the work

_asked: ContextVar[Question | None] = ContextVar("asked", default=None)


def point() -> None:
    """A place inside a loop where the work may end."""
    question = _asked.get()
    if question is not None:
        question()


@contextmanager
def watched_by(question: Question) -> Iterator[None]:
    """What `point` asks in this thread until the block ends."""
    token = _asked.set(question)
    try:
        yield
    finally:
        _asked.reset(token)

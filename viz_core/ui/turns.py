"""Dear work runs one at a time, first come first served, so that cheap pages stay quick."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable


class Turns:
    """One queue for the whole process.

    A visitor computes one thing at a time, so who asks again and again stands behind all others
    each time.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._line: deque[int] = deque()  # threads; the first one is at work

    def before(self) -> int:
        """How many are before this thread; it has to be in the line."""
        with self._changed:
            return self._line.index(threading.get_ident())

    def has_turn(self) -> bool:
        with self._changed:
            return bool(self._line) and self._line[0] == threading.get_ident()

    def take(self, wait: Callable[[Callable[[], int]], None]) -> None:
        """Stand in line. wait(before) returns when nobody is before this thread any more."""
        with self._changed:
            self._line.append(threading.get_ident())
        try:
            wait(self.before)
        except BaseException:  # who leaves the hall leaves the line
            self.give_back()
            raise

    def give_back(self) -> None:
        """Leave the line, at work or not; nothing happens to who is not in it."""
        with self._changed:
            if threading.get_ident() in self._line:
                self._line.remove(threading.get_ident())
            self._changed.notify_all()

    def moved(self, seconds: float) -> None:
        """Sleep until the line has moved, or for so many seconds."""
        with self._changed:
            self._changed.wait(seconds)

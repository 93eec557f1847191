"""A visitor whose connection broke comes back without making everyone else wait.

Streamlit resumes the session, and with it the watching of source files, even where
`server.fileWatcherType` is "none": it then resolves the path of every loaded module, thousands with
torch, on the one thread that talks to all visitors. A weak network in a full hall made a process
silent for half a minute. Where nothing is to be watched, nothing is.
"""

from __future__ import annotations

import functools

from streamlit import config
from streamlit.runtime.app_session import AppSession


def unwatched() -> None:
    """Keep to the setting in this process; a second call changes nothing."""
    watch = AppSession.register_file_watchers
    if getattr(watch, "is_unwatched", False):
        return

    @functools.wraps(watch)
    def register_file_watchers(self: AppSession) -> None:
        if config.get_option("server.fileWatcherType") != "none":
            watch(self)

    register_file_watchers.is_unwatched = True  # type: ignore[attr-defined]
    AppSession.register_file_watchers = register_file_watchers  # type: ignore[method-assign]

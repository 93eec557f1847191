"""A session that is resumed watches files only where the server is to watch them."""

from unittest.mock import patch

import pytest
from streamlit.runtime.app_session import AppSession

from viz_core.ui.patches import file_watch

OPTION = "viz_core.ui.patches.file_watch.config.get_option"


@pytest.mark.parametrize(("setting", "watched"), [("none", 0), ("auto", 1), ("poll", 1)])
def test_files_are_watched_only_where_the_setting_says_so(monkeypatch, setting, watched):
    calls: list[AppSession] = []
    monkeypatch.setattr(AppSession, "register_file_watchers", calls.append)
    file_watch.unwatched()
    file_watch.unwatched()
    with patch(OPTION, lambda name: {"server.fileWatcherType": setting}[name]):
        AppSession.register_file_watchers(object.__new__(AppSession))
    assert len(calls) == watched


def test_streamlit_still_calls_what_is_mended_here():
    """When this fails, Streamlit has changed: see whether the mending is still needed."""
    import inspect

    from streamlit.runtime import websocket_session_manager

    assert "register_file_watchers()" in inspect.getsource(websocket_session_manager)

"""What nobody foresaw: the place that Streamlit has for it is filled, with a sentence."""

from types import SimpleNamespace

import pytest
from streamlit import error_util, runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.testing.v1 import AppTest

from viz_core.ui import unforeseen


def broken() -> None:
    from streamlit import error_util

    from viz_core.ui import unforeseen

    error_util.handle_user_script_exception(RuntimeError("shape (3, 4)"), unforeseen.tell)


def test_the_visitor_reads_a_sentence_and_finds_a_way_back():
    app = AppTest.from_function(broken).run()
    assert not app.exception
    assert app.error[0].value == unforeseen.SAID
    assert "shape" not in app.error[0].value
    assert "Open this page as it begins" in str(app.get("html")[0].proto)


def test_the_traceback_is_in_the_log(monkeypatch):
    told = []
    monkeypatch.setattr(error_util, "_log_uncaught_app_exception", told.append)
    AppTest.from_function(broken).run()
    assert [str(error) for error in told] == ["shape (3, 4)"]


def test_open_sessions_and_those_to_come_have_the_place_filled(monkeypatch):
    session = SimpleNamespace(_on_script_error=None)
    listed = [SimpleNamespace(session=session)]
    sessions = SimpleNamespace(_on_script_error=None, list_sessions=lambda: listed)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(_session_mgr=sessions))
    monkeypatch.setattr(runtime, "exists", lambda: True)
    unforeseen.install.__wrapped__()
    assert sessions._on_script_error is session._on_script_error is unforeseen.tell


@pytest.mark.parametrize("place", [AppSession.__init__, ScriptRunContext])
def test_streamlit_still_has_the_place(place):
    import inspect

    assert "on_script_error" in inspect.signature(place).parameters

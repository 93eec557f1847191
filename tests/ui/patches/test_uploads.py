"""Uploads are bounded by the server, not by the browser alone, and are freed."""

import asyncio
import urllib.error
import urllib.request
import uuid

import pytest
from starlette.exceptions import HTTPException
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from tests.ui import live
from viz_core.ui.patches import uploads


@pytest.fixture
def manager(monkeypatch):
    """Streamlit's own, mended; the mending ends with the test."""
    for kind, name in (
        (MemoryUploadedFileManager, "add_file"),
        (WebsocketSessionManager, "disconnect_session"),
    ):
        monkeypatch.setattr(kind, name, getattr(kind, name))
    uploads.bounded()
    uploads.bounded()
    return MemoryUploadedFileManager("/upload")


def send(manager, session, size=10):
    file = UploadedFileRec(file_id=str(uuid.uuid4()), name="a", type="b", data=b"x" * size)
    manager.add_file(session, file)
    return file.file_id


def test_a_session_keeps_its_newest_files_only(manager):
    sent = [send(manager, "mine") for _ in range(uploads.FILES + 3)]
    other = send(manager, "theirs")
    assert list(manager.file_storage["mine"]) == sent[-uploads.FILES :]
    assert list(manager.file_storage["theirs"]) == [other]


def test_all_sessions_together_are_bounded(manager, monkeypatch):
    monkeypatch.setattr(uploads, "TOTAL", 100)
    for number in range(9):
        send(manager, f"session {number}")
    with pytest.raises(HTTPException) as refused:
        send(manager, "one more", 11)
    assert refused.value.status_code == 413
    manager.remove_session_files("session 0")
    send(manager, "one more", 11)


def test_streamlit_alone_still_keeps_whatever_it_is_sent():
    """When this fails, Streamlit has changed: see whether the mending is still needed."""
    alone = MemoryUploadedFileManager("/upload")
    for _ in range(uploads.FILES + 3):
        send(alone, "mine")
    assert len(alone.file_storage["mine"]) == uploads.FILES + 3


class Hall:
    """A session manager that knows who is there, and the files."""

    def __init__(self, files, *active):
        self._uploaded_file_mgr, self.active = files, active

    def is_active_session(self, session_id):
        return session_id in self.active


def test_what_a_session_sent_is_freed_unless_it_came_back(manager):
    send(manager, "left")
    back = send(manager, "back")
    for session in ("left", "back"):
        uploads.forget(Hall(manager, "back"), session)
    assert "left" not in manager.file_storage
    assert list(manager.file_storage["back"]) == [back]


# ---- a real server ------------------------------------------------------------------------------


SCRIPT = """
import streamlit as st
from streamlit.runtime import get_instance
from viz_core.ui import patches
patches.uploads.GRACE = 0
patches.apply()
st.text(f"held {get_instance()._uploaded_file_mgr._total_bytes}")
"""


async def visited(url):
    """A session: its connection, its name, and the bytes that the server holds for all."""
    line, name, texts = await live.opened(url)
    return line, name, int(texts[0].split()[1])


def put(url, session, megabytes):
    """Send a file past the browser; the status of the answer."""
    edge = "edge"
    body = (
        f'--{edge}\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'.encode()
        + b"x" * int(megabytes * 2**20)
        + f"\r\n--{edge}--\r\n".encode()
    )
    request = urllib.request.Request(
        f"{url}/_stcore/upload_file/{session}/{uuid.uuid4()}", data=body, method="PUT",
        headers={"Content-Type": f"multipart/form-data; boundary={edge}"},
    )  # fmt: skip
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:  # the server hung up while we were still sending
        return 413


def test_the_server_refuses_large_files_and_frees_those_of_who_left(tmp_path):
    async def visit(server):
        line, name, _ = await visited(server)
        statuses = [await asyncio.to_thread(put, server, name, size) for size in (150, 11, 5, 5)]
        _, _, held = await visited(server)
        await line.close()
        await asyncio.sleep(3)
        _, _, after = await visited(server)
        return statuses, held, after

    options = ("--server.disconnectedSessionTTL=1", "--server.enableXsrfProtection=false")
    with live.served(SCRIPT, tmp_path, *options) as server:
        statuses, held, after = live.visited(visit(server))
    assert statuses == [413, 413, 204, 204]
    assert held == 10 * 2**20
    assert after == 0

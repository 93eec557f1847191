"""Uploads are bounded by the server, not by the browser alone, and are freed."""

import asyncio
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from viz_core.ui.patches import uploads

websockets = pytest.importorskip("websockets")
ROOT = Path(__file__).parents[3]


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


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """An app with our settings, and sessions that can be resumed for one second."""
    script = tmp_path_factory.mktemp("app") / "app.py"
    script.write_text(
        "import streamlit as st\nfrom streamlit.runtime import get_instance\n"
        "from viz_core.ui import patches\npatches.uploads.GRACE = 0\npatches.apply()\n"
        "st.text(f'held {get_instance()._uploaded_file_mgr._total_bytes}')\n"
    )
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}"]
    command += ["--server.disconnectedSessionTTL=1", "--server.enableXsrfProtection=false"]
    process = subprocess.Popen(
        command, cwd=ROOT, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    url = f"http://localhost:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{url}/_stcore/health", timeout=5).close()
                break
            except OSError:
                time.sleep(0.2)
        yield url
    finally:
        process.terminate()
        process.wait(30)


async def opened(url):
    """A session: its connection, its name, and the bytes that the server holds for all."""
    line = await websockets.connect(
        url.replace("http", "ws", 1) + "/_stcore/stream", subprotocols=["streamlit"]
    )
    message = BackMsg()
    message.rerun_script.query_string = ""
    await line.send(message.SerializeToString())
    name, held = "", -1
    while True:
        found = ForwardMsg.FromString(await asyncio.wait_for(line.recv(), 60))
        kind = found.WhichOneof("type")
        if kind == "new_session":
            name = found.new_session.initialize.session_id
        elif kind == "delta" and found.delta.new_element.text.body.startswith("held"):
            held = int(found.delta.new_element.text.body.split()[1])
        elif kind == "script_finished":
            return line, name, held


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


def test_the_server_refuses_large_files_and_frees_those_of_who_left(server):
    async def visit():
        line, name, _ = await opened(server)
        statuses = [await asyncio.to_thread(put, server, name, size) for size in (150, 11, 5, 5)]
        _, _, held = await opened(server)
        await line.close()
        await asyncio.sleep(3)
        _, _, after = await opened(server)
        return statuses, held, after

    statuses, held, after = asyncio.run(visit())
    assert statuses == [413, 413, 204, 204]
    assert held == 10 * 2**20
    assert after == 0

"""A small app in a process of its own, and a visitor without a browser who can leave."""

import asyncio
import os
import socket
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).parents[2]


@contextmanager
def served(script: str, folder: Path, *options: str):
    """The address of an app of this one page, with our settings."""
    (folder / "app.py").write_text(script)
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(folder / "app.py"), *options]
    process = subprocess.Popen(
        [*command, f"--server.port={port}"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
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


async def asked(url: str):
    """A session that has asked for the page and not yet read the answer."""
    line = await websockets.connect(
        url.replace("http", "ws", 1) + "/_stcore/stream",
        subprotocols=[websockets.Subprotocol("streamlit")],
    )
    message = BackMsg()
    message.rerun_script.query_string = ""
    await line.send(message.SerializeToString())
    return line


async def opened(url: str):
    """A finished page: its connection, the session's name, and what its lines and boxes say."""
    line, name, texts = await asked(url), "", list[str]()
    while True:
        found = ForwardMsg.FromString(await asyncio.wait_for(line.recv(), 60))
        kind = found.WhichOneof("type")
        if kind == "new_session":
            name = found.new_session.initialize.session_id
        elif kind == "delta":
            element = found.delta.new_element
            said = (element.text.body, element.alert.body, element.exception.message)
            texts += filter(None, said)
        elif kind == "script_finished":
            return line, name, texts


def visited(visit):
    """asyncio.run in a thread of its own: a browser of another test may have a loop here."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, visit).result()

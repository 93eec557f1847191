"""The app, or an empty page, in a process of its own for as long as something is measured."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Server:
    url: str
    process: subprocess.Popen[bytes]
    started: float  # time.perf_counter() when the process was started


@contextmanager
def serve(script: str | Path = "app.py", patience: float = 120, port: int = 0) -> Iterator[Server]:
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = port or free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}"]
    started = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://localhost:{port}"
    try:
        _wait(url, process, patience)
        yield Server(url, process, started)
    finally:
        process.terminate()
        process.wait(30)


def _wait(url: str, process: subprocess.Popen[bytes], patience: float) -> None:
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5):
                return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"The app at {url} did not start.")

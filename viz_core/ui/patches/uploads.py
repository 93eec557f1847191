"""What visitors upload stays small: in one session, in the whole process, and after they left.

Streamlit bounds each file (`server.maxUploadSize`), not how many a session sends; and it keeps what
a closed session sent until Python happens to collect it.
"""

from __future__ import annotations

import asyncio
import functools

from starlette.exceptions import HTTPException
from streamlit import config
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

FILES = 4  # of one session: a talk, a picture, and what they replaced
TOTAL = 200_000_000  # bytes of all sessions
GRACE = 5  # seconds after a session can be resumed no more


def bounded() -> None:
    """Keep uploads small in this process; a second call changes nothing."""
    add, disconnect = MemoryUploadedFileManager.add_file, WebsocketSessionManager.disconnect_session
    if getattr(add, "is_bounded", False):
        return

    @functools.wraps(add)
    def add_file(self: MemoryUploadedFileManager, session_id: str, file: UploadedFileRec) -> None:
        sent = list(self.file_storage.get(session_id, ()))
        for oldest in sent[: max(0, len(sent) + 1 - FILES)]:
            self.remove_file(session_id, oldest)
        if self._total_bytes + len(file.data) > TOTAL:
            raise HTTPException(status_code=413, detail="All visitors together sent too much")
        add(self, session_id, file)

    @functools.wraps(disconnect)
    def disconnect_session(self: WebsocketSessionManager, session_id: str) -> None:
        disconnect(self, session_id)
        seconds = config.get_option("server.disconnectedSessionTTL") + GRACE
        asyncio.get_running_loop().call_later(seconds, forget, self, session_id)

    add_file.is_bounded = True  # type: ignore[attr-defined]
    MemoryUploadedFileManager.add_file = add_file  # type: ignore[method-assign]
    WebsocketSessionManager.disconnect_session = disconnect_session  # type: ignore[method-assign]


def forget(manager: WebsocketSessionManager, session_id: str) -> None:
    """Free what a session sent, unless it came back."""
    if not manager.is_active_session(session_id):
        manager._uploaded_file_mgr.remove_session_files(session_id)

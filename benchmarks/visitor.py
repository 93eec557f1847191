"""A visitor without a browser: Streamlit's own protocol over a websocket.

A browser asks for a run of the script and gets messages until the script has finished. So does a
Visitor; it reads of each message what it needs to press the page's buttons, and throws it away.
As a browser it fetches the page before it opens the websocket, keeps the cookies of both, and when
the connection is lost asks for its old session: so a proxy can bring it back to its process.
"""

from __future__ import annotations

import asyncio
import time
import urllib.request
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from urllib.parse import quote

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection
from websockets.typing import Subprotocol

LARGEST = 64 * 2**20  # bytes of one message
PROCESS = "atlas"  # the cookie in which deploy/start names the process that answered
NO_TOKEN = "PLACEHOLDER_AUTH_TOKEN"  # Streamlit's word where a browser has no token of its own


class PageError(Exception):
    """What a visitor would have complained about."""


@dataclass
class Answer:
    """What came back for one action."""

    seconds: float = 0.0
    bytes: int = 0
    charts: int = 0
    sentences: list[str] = field(default_factory=list)  # of st.error
    texts: list[str] = field(default_factory=list)  # in the page's boxes
    widgets: dict[str, WidgetState] = field(default_factory=dict)  # key -> state with its id


class Visitor:
    """async with Visitor(url) as visitor: await visitor.open("alignment")"""

    def __init__(self, url: str, patience: float = 60.0) -> None:
        self.url = url.rstrip("/")
        self.patience = patience
        self.cookies: dict[str, str] = {}
        self.session = ""  # Streamlit's name of it
        self.connections = 0  # that were made, one after the other
        self.page = ""
        self.query = ""
        self.state: dict[str, WidgetState] = {}
        self.known: dict[str, str] = {}  # key of a widget -> its id
        self.socket: ClientConnection | None = None

    async def __aenter__(self) -> Visitor:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()
            self.socket = None

    def drop(self) -> None:
        """The network fails: nobody says goodbye."""
        if self.socket is not None:
            self.socket.transport.abort()
            self.socket = None

    @property
    def process(self) -> str:
        """Which process serves this visitor: the proxy says so in a cookie."""
        return self.cookies.get(PROCESS, "the only one")

    async def connect(self) -> None:
        """The page and then its websocket, or after a loss health and then the same session."""
        await asyncio.to_thread(self.fetch, "/_stcore/health" if self.session else "/")
        entries = ["streamlit", NO_TOKEN, self.session] if self.session else ["streamlit"]
        self.socket = await websockets.connect(
            self.url.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=[Subprotocol(entry) for entry in entries],
            additional_headers=self._sent_cookies(),
            max_size=LARGEST,
            open_timeout=self.patience,
            ping_interval=None,
        )
        self.connections += 1
        assert self.socket.response is not None
        self._keep(self.socket.response.headers.get_all("Set-Cookie"))

    def fetch(self, path: str) -> bytes:
        request = urllib.request.Request(self.url + path, headers=self._sent_cookies())
        with urllib.request.urlopen(request, timeout=self.patience) as response:
            self._keep(response.headers.get_all("Set-Cookie") or [])
            content: bytes = response.read()
        return content

    def _sent_cookies(self) -> dict[str, str]:
        sent = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": sent} if sent else {}

    def _keep(self, headers: list[str]) -> None:
        for header in headers:
            for name, morsel in SimpleCookie(header).items():
                self.cookies[name] = morsel.value

    async def pause(self, seconds: float) -> None:
        """Look at the page; as in a browser a lost connection is noticed at once."""
        assert self.socket is not None
        try:
            async with asyncio.timeout(seconds):
                await self.socket.wait_closed()
        except TimeoutError:
            return
        raise ConnectionError("the connection was closed")

    async def open(self, page: str, **query: str) -> Answer:
        """Go to a page, as a click in the navigation does, or with inputs as a slide does."""
        self.page, self.state, self.known = page, {}, {}
        self.query = "&".join(f"{name}={quote(value)}" for name, value in query.items())
        answer = await self.run(arrives=bool(query))
        if query.get("text", "") not in ["", *answer.texts]:
            raise PageError(f"{page} did not read the text of its address")
        return answer

    async def type(self, text: str, key: str = "text") -> Answer:
        self.state[key] = WidgetState(id=self.known[key], string_value=text)
        return await self.run()

    async def press(self, key: str) -> Answer:
        pressed = WidgetState(id=self.known[key], trigger_value=True)
        return await self.run(pressed)

    async def slide(self, key: str, value: float) -> Answer:
        moved = WidgetState(id=self.known[key])
        moved.double_array_value.data.append(value)
        self.state[key] = moved
        return await self.run()

    async def run(self, *pressed: WidgetState, arrives: bool = False) -> Answer:
        assert self.socket is not None
        message = BackMsg()
        client = message.rerun_script
        client.page_name, client.query_string = self.page, self.query
        # Otherwise Streamlit drops what the page before had as well, and a long text is never read.
        client.is_history_navigation = arrives
        client.widget_states.widgets.extend([*self.state.values(), *pressed])
        start = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        answer = Answer()
        async with asyncio.timeout(self.patience):
            while not self._read(await self.socket.recv(), answer):
                pass
        answer.seconds = time.perf_counter() - start
        return answer

    def _read(self, raw: str | bytes, answer: Answer) -> bool:
        """One message into the answer; True when it was the last one."""
        assert isinstance(raw, bytes)
        answer.bytes += len(raw)
        message = ForwardMsg.FromString(raw)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.session = message.new_session.initialize.session_id
        if kind == "script_finished":
            if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                raise PageError(f"{self.page}: the script does not compile")
            return message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        if kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._look(message.delta.new_element, answer)
        return False

    def _look(self, element: object, answer: Answer) -> None:
        kind = element.WhichOneof("type")  # type: ignore[attr-defined]
        part = getattr(element, kind)
        if kind == "exception":
            raise PageError(f"{self.page}: {part.type} {part.message}")
        if kind == "alert" and part.format == part.ERROR:
            answer.sentences.append(part.body)
        if kind in ("text_input", "text_area"):
            answer.texts.append(part.value if part.set_value else part.default)
        answer.charts += kind in ("vega_lite_chart", "plotly_chart")
        name = getattr(part, "id", "")
        if getattr(part, "disabled", False):  # nobody can press it
            return
        if name.startswith("$$") and name.count("-") >= 2:
            key = name.split("-", 2)[2]  # $$ID-<hash>-<key>
            self.known[key] = name

"""Streamlit asks before it sends an element, so that a page can hold its answer back.

Streamlit has no way to run a page and to send a part of it: what is left out must not be computed,
and an input that is not drawn in a run forgets its value. So everything is computed and drawn, and
what may not go yet leaves an empty place.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from streamlit.delta_generator import DeltaGenerator
from streamlit.proto.Empty_pb2 import Empty
from streamlit.runtime.scriptrunner import get_script_run_ctx


def asked(may_go: Callable[[str, Any], bool]) -> None:
    """Ask may_go(kind, element) first; a second call changes nothing."""
    send = DeltaGenerator._enqueue
    if getattr(send, "is_asked", False):
        return

    @functools.wraps(send)
    def enqueue(self: Any, delta_type: str, element_proto: Any, *rest: Any, **more: Any) -> Any:
        if get_script_run_ctx(suppress_warning=True) and not may_go(delta_type, element_proto):
            return send(self, "empty", Empty())
        return send(self, delta_type, element_proto, *rest, **more)

    enqueue.is_asked = True  # type: ignore[attr-defined]
    DeltaGenerator._enqueue = enqueue  # type: ignore[method-assign]

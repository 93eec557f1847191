"""A field to draw on. What was drawn is text, so that the address bar can hold it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from viz_core.ui.page import ASSETS

HTML = """<canvas width="224" height="224" role="img" aria-label="A field to draw on"></canvas>
<button type="button">Clear</button>"""
CSS = """
:host { display: block; }
canvas { display: block; width: 224px; height: 224px; max-width: 100%; touch-action: none;
  cursor: crosshair; border: 1px solid var(--st-border-color); border-radius: 6px;
  image-rendering: pixelated; }
button { margin-top: 6px; padding: 4px 14px; font: inherit; font-size: 14px; cursor: pointer;
  color: var(--st-text-color); background: none; border: 1px solid var(--st-border-color);
  border-radius: 6px; }
"""
_canvas = st.components.v2.component(
    "atlas_canvas", html=HTML, css=CSS, js=(ASSETS / "canvas.js").read_text()
)


def canvas(drawing: str, key: str, changed: Callable[[str], None]) -> None:
    """Shows a drawing as text.ink writes it; `changed` is told of every new one, "" when cleared,
    before the page runs again."""

    def told() -> None:
        changed(str(st.session_state[key].get("ink") or ""))

    _canvas(key=key, data={"ink": drawing}, default={"ink": drawing}, on_ink_change=told)

"""Keep a picture: the small menu under every chart."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.elements import vega_charts

from viz_core.charts import export
from viz_core.charts.numbers import Numbers
from viz_core.ui import address
from viz_core.ui.prediction import concealed

FACTS = ("model", "text", "target", "layer", "head", "heads", "level", "view")

# Plotly draws in the browser only, so the browser makes its images, as they stand there: the layers
# of the drawing are laid on each other and, for PNG, painted at twice the size. No browser writes
# vectors as PDF; those are drawn on the server.
DRAW = """
const layers = (key) => [...document.querySelectorAll(`.st-key-${CSS.escape(key)} svg.main-svg`)];
function drawing({ key, caption }) {
  const all = layers(key), box = all[0].getBoundingClientRect(), line = 18;
  const words = caption.match(/.{1,90}(\\s|$)/g) ?? [caption], top = 14 + line * words.length;
  const text = new XMLSerializer();
  const said = words.map((w, i) => {
    const t = document.createElementNS("http://www.w3.org/2000/svg", "text");
    t.setAttribute("x", 12); t.setAttribute("y", line * (i + 1)); t.textContent = w;
    return text.serializeToString(t);
  });
  const parts = all.map((svg) => `<g transform="translate(0 ${top})">`
    + text.serializeToString(svg) + "</g>");
  const look = getComputedStyle(document.querySelector('[data-testid="stApp"]'));
  const paper = look.backgroundColor, ink = look.color;
  const size = { width: box.width, height: box.height + top };
  return { ...size, svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" `
    + `height="${size.height}" font-family="system-ui, sans-serif" font-size="13" fill="${ink}">`
    + `<rect width="100%" height="100%" fill="${paper}"/>`
    + [...said, ...parts].join("") + "</svg>" };
}
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob); link.download = name; link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
export default function ({ parentElement, data }) {
  const [png, svg] = parentElement.querySelectorAll("button");
  const image = () => new Blob([drawing(data).svg], { type: "image/svg+xml" });
  svg.onclick = () => save(image(), data.name + ".svg");
  png.onclick = async () => {
    const { width, height } = drawing(data), picture = new Image();
    picture.src = URL.createObjectURL(image()); await picture.decode();
    const canvas = new OffscreenCanvas(2 * width, 2 * height);
    canvas.getContext("2d").drawImage(picture, 0, 0, 2 * width, 2 * height);
    save(await canvas.convertToBlob({ type: "image/png" }), data.name + ".png");
  };
}
"""
BUTTONS = "<button type='button'>PNG</button> <button type='button'>SVG</button>"
LOOK = """
button { font: inherit; color: var(--st-text-color); cursor: pointer; padding: 0.4rem 0.8rem;
  background: var(--st-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-button-radius); }"""

_drawn = st.components.v2.component("atlas_drawn", html=BUTTONS, css=LOOK, js=DRAW)


def facts() -> list[str]:
    """What this picture shows: the page and those of its inputs that name sentence and model."""
    state = st.session_state
    found = [address.page()]
    for key in FACTS:
        value = state.get(key, state.get(f"page_{key}"))
        if value or value == 0:
            plain = " ".join(map(str, value)) if isinstance(value, list) else str(value)
            found.append(plain if key in {"model", "text"} else f"{key} {plain}")
    return [fact[:300] for fact in found]


def menu(chart: Any, key: str, finding: str, numbers: Numbers | None = None) -> None:
    """Images, a page that keeps its hover, and the numbers. Made when asked for, not before."""
    if concealed():  # its key may name the answer
        return
    label = re.sub(r"[^a-zA-Z0-9_-]", "-", key)  # as Streamlit turns keys into classes
    with st.container(key=f"keep_{label}"):
        opened = st.popover(
            "Keep",
            type="tertiary",
            icon=":material/download:",
            key=f"kept {key}",
            on_change="rerun",  # a page has many menus, and nearly all of them stay closed
        )
    if opened.open:
        with opened, st.container(horizontal=True, gap="small"):
            _kinds(chart, key, label, finding, numbers)


class Plain:
    """A chart with its data inside. How Altair hands data over is a setting of the whole process,
    which Streamlit changes under a lock while it sends somebody's chart."""

    def __init__(self, chart: Any) -> None:
        with vega_charts._altair_globals_lock:
            self.spec: dict[str, Any] = chart.to_dict()

    def to_dict(self) -> dict[str, Any]:
        return self.spec


def _kinds(chart: Any, key: str, label: str, finding: str, numbers: Numbers | None) -> None:
    if not export.is_plotly(chart):
        chart = Plain(chart)
    known = facts()
    caption = " · ".join([finding, *known] if finding else known) + " · Attention Atlas"
    name = export.file_name("x", *known)[:-2]
    kinds: dict[str, tuple[Callable[[], str | bytes], str]] = {
        "PNG": (lambda: export.png(chart, caption), "png"),
        "SVG": (lambda: export.svg(chart, caption), "svg"),
        "PDF": (lambda: export.pdf(chart, caption), "pdf"),
        "HTML, keeps its hover": (lambda: export.page(chart, caption), "html"),
        "CSV": (lambda: export.csv(chart, caption, numbers and numbers()), "csv"),
        "JSON": (lambda: export.written(chart, caption, numbers and numbers()), "json"),
    }
    if export.is_plotly(chart):
        _drawn(key=f"drawn {key}", data={"key": label, "caption": caption, "name": name})
        del kinds["PNG"], kinds["SVG"]
    for kind, (make, ending) in kinds.items():
        file = f"{name}.{ending}"
        st.download_button(kind, make, file, key=f"{kind} {key}", on_click="ignore")

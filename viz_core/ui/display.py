"""What a page shows: charts, translations, formulas, tables and where they come from."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st
from streamlit.elements import vega_charts

from viz_core.analysis import hypotheses
from viz_core.analysis.hypotheses import Output
from viz_core.atlas.pages import Page
from viz_core.charts import export
from viz_core.charts.kit.style import readable
from viz_core.charts.kit.vegalite import Written
from viz_core.charts.numbers import Numbers, search
from viz_core.charts.thumbnail import Small
from viz_core.text import CONTINUED
from viz_core.traces import Translation
from viz_core.traces.search import BeamTrace
from viz_core.ui import keep
from viz_core.ui.cards import card
from viz_core.ui.inputs import stepper
from viz_core.ui.markdown import escape

TILE = 124  # pixels of a tile's picture, there before it is drawn: nothing jumps
QUIET = {"displaylogo": False, "displayModeBar": False}


def show(
    chart: Any,
    key: str,
    alt_text: str = "",
    select: str = "",
    choose: Callable[[Any], None] | None = None,
    moving: bool = False,
    numbers: Numbers | None = None,
) -> Any:
    """Draw a chart with its finding as alternative text; select names what a click chooses.

    choose is told of a click before the page runs again, so that it can set the inputs. A moving
    picture is drawn again and again under one key, so it has no menu. numbers are kept in place of
    those it is drawn from.
    """

    def told() -> None:
        points = st.session_state[key]["selection"].get(select)
        if points and choose:
            choose(points[0])

    mode: Any = (told if choose else "rerun") if select else "ignore"
    with frame(chart, key):
        if export.is_plotly(chart):
            said = alt_text or (chart.layout.meta or {}).get("description", "")
            fixed: Any = "stretch" if chart.layout.width is None else "content"
            chosen: Any = st.plotly_chart(
                chart, key=key, on_select=mode, alt=said or None, config=QUIET, width=fixed
            )
        else:
            said = alt_text or described(chart)
            # Its other selections, such as the hovered row, stay in the browser.
            chosen = st.altair_chart(
                as_picture(chart),
                key=key,
                on_select=mode,
                selection_mode=[select] if select else None,
                alt=said or None,
                width="content",
            )
        if not moving:
            keep.menu(chart, key, said, numbers)
    return chosen


def frame(chart: Any, key: str) -> Any:
    """The place of a chart and its menu; the style shrinks a narrow one to the width of a phone."""
    narrow = isinstance(chart, Written) and chart.narrow
    return st.container(gap=None, key=f"narrow_{key}" if narrow else None)


def described(chart: Any) -> str:
    """The finding of an Altair chart, which it carries as its description."""
    said = chart.finding if isinstance(chart, Written) else getattr(chart, "description", None)
    return said if isinstance(said, str) else ""


class Sent:
    """A chart in the form in which Streamlit sends it, made once however often it is shown.

    One picture with one description: a screen reader would else read hundreds of marks. The
    description goes to Streamlit, which complains of a second one inside the chart.
    """

    def __init__(self, chart: Any) -> None:
        if isinstance(chart, Written):
            picture: Any = chart.hushed()
        else:
            picture = chart.configure_mark(aria=False)
            picture.description = alt.Undefined
        spec = vega_charts._convert_altair_to_vega_lite_spec(picture)
        # Streamlit would draw more than 2,000 marks on a canvas, where "currentColor" is black
        # whatever the theme.
        spec["usermeta"] = {**spec.get("usermeta", {}), "embedOptions": {"renderer": "svg"}}
        self.tables = spec.pop("datasets", {})
        self.spec = json.dumps(spec)

    def to_dict(self) -> dict[str, Any]:
        """Streamlit's to change, as an Altair chart's is."""
        return {**json.loads(self.spec), "datasets": dict(self.tables)}


def as_picture(chart: Any) -> Any:
    if "sent" not in vars(chart):
        object.__setattr__(chart, "sent", Sent(chart))  # Altair's own would put it into the spec
    return vars(chart)["sent"]


def growing(
    found: BeamTrace,
    key: str,
    draw: Callable[[int], Any],
    choose: Callable[[int], None] | None = None,
) -> None:
    """A search tree and a stepper that makes it grow; choose gets the number of a clicked node."""

    def picked() -> None:
        points = st.session_state[key]["selection"]["points"]
        if points and choose:
            choose(int(np.ravel(points[0]["customdata"])[0]))

    canvas, steps = st.container(key=f"{key}_canvas"), hypotheses.tally(found)
    chart = draw(stepper("Step of the search", steps, f"{key}_step", at_end=True))
    with canvas:
        # Streamlit squeezes a chart into a narrow page: let it scroll there instead.
        wide = f"[data-testid=stElementContainer] {{ min-width: {chart.layout.width}px; }}"
        st.html(f"<style>.st-key-{key}_canvas {{ overflow: auto hidden; & {wide} }}</style>")
        st.plotly_chart(
            chart,
            key=key,
            on_select=picked if choose else "ignore",
            selection_mode="points",
            alt=chart.layout.meta["description"],
            config=QUIET,
            width="content",
        )
        keep.menu(chart, key, chart.layout.meta["description"], lambda: search(found))
    if chart.layout.meta["note"]:
        canvas.caption(chart.layout.meta["note"])


def compare(outputs: Mapping[str, Output]) -> None:
    """Outputs of several searches side by side; the best of them is marked."""
    best = max((each.score for each in outputs.values() if each.finished), default=None)
    for column, (name, each) in zip(st.columns(len(outputs)), outputs.items(), strict=True):
        mark = " ★ best" if best is not None and each.score > best - 1e-4 else ""
        column.markdown(f"**{name}**{mark}  \n{escape(each.text) or '(the empty output)'}")
        chance = f"P = **{each.probability:.3f}**, " if each.probability > 0.001 else ""
        length = "1 token" if each.length == 1 else f"{each.length} tokens"
        score = "" if each.score == each.log_prob else f", score **{each.score:.3f}**"
        column.markdown(f"{chance}log P = **{each.log_prob:.2f}**, {length}{score}")
        column.caption(escape(each.note))


def download(rows: Sequence[Mapping[str, Any]], name: str) -> None:
    """A table, and its rows as CSV and JSON files."""
    st.dataframe(pd.DataFrame(rows), hide_index=True, key=f"{name}_table")
    kinds = {"CSV": pd.DataFrame(rows).to_csv(index=False), "JSON": json.dumps(rows, indent=1)}
    with st.container(horizontal=True):
        for kind, content in kinds.items():
            file = f"{name}.{kind.lower()}"
            st.download_button(kind, content, file, key=f"{name}_{kind}", on_click="ignore")


def table(cells: Mapping[str, Sequence[str]] | Sequence[Mapping[str, Any]]) -> None:
    """Typed and written words in columns or rows; it wraps where a dataframe would cut them."""
    st.table(pd.DataFrame(cells).map(escape), hide_index=True)


def formulas(lines: Iterable[str]) -> None:
    """Steps of one calculation, one below the other."""
    for line in lines:
        st.latex(line)


def clicked(selection: Any, name: str, *fields: str) -> tuple[int, ...] | None:
    """The fields of the clicked mark, or None while nothing is chosen."""
    points = selection.get("selection", {}).get(name) if selection else None
    if not points or not all(field in points[0] for field in fields):
        return None
    return tuple(int(points[0][field]) for field in fields)


def tile(page: Page, text: str = "", high: int = TILE) -> Any:
    """A tile that opens its page as a whole, and the place for its picture, high pixels high.

    text is the visitor's own sentence, for a page that takes one.
    """
    with st.container(border=True, height="stretch", key=f"tile_{page.stem}"):
        st.caption(page.part)
        place = st.container(height=high, border=False)
        params = {"text": text} if text and page.takes_sentence else {}
        st.page_link(f"pages/{page.stem}.py", label=f"**{page.title}**", query_params=params)
        st.caption(page.line)
    return place


def show_small(picture: Any, key: str) -> None:
    """A picture on a tile: no menu, nothing to click."""
    if isinstance(picture, Small):
        said = html.escape(picture.finding)
        st.html(f'<img class="small" alt="{said}" src="{picture.address}">')
    else:  # the largest one has words to be read
        st.altair_chart(as_picture(picture), key=key, alt=described(picture), width="content")


def quote(text: str) -> None:
    """A translation, large, as text and never as markup."""
    st.subheader(escape(text) or "(the model says nothing)", anchor=False)


def notices(found: Translation) -> None:
    """What the visitor should know about this translation before believing it."""
    if not found.complete:
        st.warning("The model did not stop by itself, so its translation was cut here.")


def pieces(tokens: Iterable[str]) -> None:
    """What the dot before a token means, where there is one."""
    if any(token.startswith(CONTINUED) for token in tokens):
        st.caption("A dot before a piece (·) means that it goes on with the word before it.")


SCORES = {
    "search": r"v^\top \tanh(W s_{i-1} + U h_j)",
    "additive": r"v^\top \tanh(W s_i + U h_j)",
    "dot": r"s_i^\top h_j",
    "scaled-dot": r"s_i^\top h_j / \sqrt{n}",
    "general": r"s_i^\top W h_j",
    "content": r"\beta \cos(s_i, h_j)",
    "location": r"(W s_i)_j",
}


def score_formula(
    name: str, found: Translation, query: int, key: int, heat: float, words: tuple[str, str]
) -> None:
    """The score of one cell and the softmax of its row, with this cell's own numbers.

    query and key are places of pieces, words what the visitor chose.
    """
    if found.scores is None:
        return
    row = found.scores[query] / heat
    score, total = float(row[key]), float(np.exp(row - row.max()).sum())
    kind = card(name).config.get("attention", "search")  # RNNsearch has no other
    heated = "" if heat == 1 else rf"\,/\,{heat:g}"
    pieces = found.target[query], found.source[key]
    ends = (
        f"**{escape(word)}**" + ("" if piece == word else f" (its piece {escape(piece)})")
        for word, piece in zip(map(readable, words), map(readable, pieces), strict=True)
    )
    st.markdown(f"From {' to '.join(ends)}:")
    st.latex(rf"e_{{ij}} = {SCORES[kind]}{heated} = {score:.2f}")
    largest = float(row.max())
    st.latex(
        rf"a_{{ij}} = \frac{{e^{{{score:.2f}}}}}{{\sum_k e^{{e_{{ik}}}}}}"
        rf" = \frac{{e^{{{score - largest:.2f}}}}}{{{total:.2f}}}"
        rf" = {np.exp(score - largest) / total:.3f}"
    )

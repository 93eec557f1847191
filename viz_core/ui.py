"""The only Streamlit file of the core: header, inputs, cached traces, and showing a chart."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from viz_core import checkpoints, hypotheses, probe, worked_beam
from viz_core.checkpoints import Bundle, Card, CheckpointError
from viz_core.hypotheses import Output
from viz_core.models.rnn import Look
from viz_core.traces import (
    AttentionTrace,
    BeamTrace,
    GateTrace,
    LearningTrace,
    LocalTrace,
    StreamTrace,
    Translation,
    Vectors,
)
from viz_core.typed import read_matrix, write_matrix
from viz_core.worked import VectorTrace

TRACES = 512  # cached traces: the last few hundred sentences of a class, some megabytes
SHORTENED = 1500  # characters of a typed text that are read; the rest gets a notice

alt.data_transformers.disable_max_rows()  # Streamlit sends the data apart from the spec


STYLE = """
/* The picture stands above the fold: no empty band over the title. */
[data-testid="stMainBlockContainer"] { padding-top: 3.6rem; padding-bottom: 4rem; }
[data-testid="stMainBlockContainer"] h1 { padding: 0.2rem 0; }
/* A chart wider than its column scrolls; it never covers its neighbour. */
[data-testid="stVegaLiteChart"], [data-testid="stPlotlyChart"] { overflow-x: auto; }
"""


# ---- the frame of a page ----------------------------------------------------------------------


def header(title: str, lead: str = "") -> None:
    """Every page begins here, because every page may be the first one opened."""
    if PagesManager.uses_pages_directory:
        # A deep link on a cold server: Streamlit took pages/ for its old kind of app and ran this
        # file without app.py. Turn that off and start again, now with the navigation.
        PagesManager.uses_pages_directory = False
        st.rerun()
    st.set_page_config(page_title=f"{title} · Attention Atlas", page_icon="🧭", layout="wide")
    st.html(f"<style>{STYLE}</style>")
    st.title(title, anchor=False)
    if lead:
        st.markdown(lead)


@contextmanager
def sentences() -> Iterator[None]:
    """A ValueError below is a sentence for the visitor: show it, and let the page go on."""
    try:
        yield
    except CheckpointError as error:
        st.error(str(error))
    except ValueError as error:
        st.info(str(error))


def scale() -> float:
    """How much larger than on a desk type and marks are drawn."""
    return 1.0


# ---- inputs: every one has a key, and the address bar holds them all --------------------------


def text(label: str, default: str, key: str = "text", help: str | None = None) -> str:
    """A typed sentence. What is too long is kept in the box, and read up to the limit."""
    typed = st.text_input(label, value=default, key=key, bind="query-params", help=help) or ""
    if len(typed) > SHORTENED:
        st.warning(
            f"This text has {len(typed):,} characters; the first {SHORTENED:,} were read. "
            "The models know sentences, not pages."
        )
    return typed[:SHORTENED]


def examples(sentences: Sequence[str], key: str = "text", label: str = "Examples") -> None:
    """Sentences to click. Choosing one writes it into the text box."""
    name = f"{key}_example"

    def choose() -> None:
        if st.session_state[name]:
            st.session_state[key] = st.session_state[name]
            st.session_state[name] = None

    st.pills(label, sentences, key=name, on_change=choose, selection_mode="single")


def numbered(words: Sequence[str]) -> Callable[[int], str]:
    """Names for positions to choose from: a repeated word keeps its own number."""
    return lambda position: f"{position + 1} {escape(words[position][:20])}"


def presets(label: str, settings: Mapping[str, Mapping[str, Any]], key: str) -> None:
    """Settings to click: choosing one sets several inputs at once."""

    def choose() -> None:
        chosen = st.session_state[key]
        st.session_state.update(settings[chosen] if chosen else {})
        st.session_state[key] = None

    st.pills(label, list(settings), key=key, on_change=choose, selection_mode="single")


def matrix(label: str, default: str, key: str) -> str:
    """Numbers to edit in a grid, and as the text that the address bar holds: "1 0; 0 2"."""
    typed = text(label, default, key)
    if st.session_state.get(f"{key}_edited") != typed:  # typed or linked: a new grid begins
        st.session_state[f"{key}_base"] = typed
    base = st.session_state[f"{key}_base"]
    name = f"{key}_grid {base}"

    def edit() -> None:
        values = read_matrix(base, label)
        for row, entries in st.session_state[name]["edited_rows"].items():
            for column, value in entries.items():
                values[int(row), int(column) - 1] = np.nan if value is None else value
        edited = write_matrix(values)
        st.session_state[key] = st.session_state[f"{key}_edited"] = edited

    with suppress(ValueError):  # numbers that cannot be read get their sentence beside the picture
        values = read_matrix(base, label)
        column = st.column_config.NumberColumn(required=True, width=52, format="%g")
        config: Any = {str(i + 1): column for i in range(values.shape[1])}
        table = pd.DataFrame(values, columns=list(config))
        st.data_editor(table, key=name, on_change=edit, hide_index=True, column_config=config)
    return typed


def chances(label: str, default: worked_beam.Table, key: str) -> str:
    """A table of next-word probabilities to edit, and as the text that the address bar holds."""
    grid = st.container()
    typed = text(label, worked_beam.write(default), key)
    if st.session_state.get(f"{key}_edited") != typed:  # typed or linked: a new grid begins
        st.session_state[f"{key}_base"] = typed
    base = st.session_state[f"{key}_base"]
    name = f"{key}_grid {base}"

    def edit() -> None:
        rows = [[*row.after, *row.probabilities] for row in worked_beam.read(base)[0].rows]
        for place, entries in st.session_state[name]["edited_rows"].items():
            for word, value in entries.items():
                at = worked_beam.WORDS.index(word) - len(worked_beam.WORDS)
                rows[int(place)][at] = np.nan if value is None else value
        edited = "; ".join(
            " ".join(part if isinstance(part, str) else f"{part:.6g}" for part in row)
            for row in rows
        )
        st.session_state[key] = st.session_state[f"{key}_edited"] = edited

    with grid, suppress(ValueError):  # what cannot be read gets its sentence beside the picture
        rows = worked_beam.read(base)[0].rows
        table = pd.DataFrame([row.probabilities for row in rows], columns=worked_beam.WORDS)
        table.insert(0, "after", [row.name for row in rows])
        config: Any = {"after": st.column_config.TextColumn(disabled=True)}
        for word in worked_beam.WORDS:
            config[word] = st.column_config.NumberColumn(
                min_value=0.0, max_value=1.0, step=0.01, format="%.2f", required=True
            )
        st.data_editor(table, key=name, on_change=edit, hide_index=True, column_config=config)
    return typed


def choice(
    label: str,
    options: Sequence[Any],
    key: str,
    default: Any = None,
    format: Callable[[Any], str] = str,
    help: str | None = None,
) -> Any:
    """One of a few, side by side. A value in the link that does not exist gets the default."""
    notice_unknown(key, [str(format(option)) for option in options])
    found = st.segmented_control(
        label,
        options,
        default=options[0] if default is None else default,
        key=key,
        format_func=format,
        help=help,
        required=True,
        bind="query-params",
    )
    return found


def model(names: Sequence[str], key: str = "model", label: str = "Model") -> str:
    """One of the checkpoints that are there, by name."""
    there = [name for name in names if name in checkpoints.names()]
    if not there:
        st.error(f"No checkpoint is there for this page. It shows: {', '.join(names)}.")
        st.stop()
    notice_unknown(key, there)
    found: str = st.selectbox(label, there, key=key, bind="query-params")
    return found


def several(label: str, options: Sequence[Any], key: str, default: Any = None) -> list[Any]:
    """Any number of a few; all of them unless told."""
    notice_unknown(key, [str(option) for option in options])
    chosen = st.pills(
        label,
        options,
        selection_mode="multi",
        default=options if default is None else default,
        key=key,
        bind="query-params",
    )
    return list(chosen or [])


def word(label: str, words: Sequence[str], key: str, default: int = 0) -> int:
    """One word of the sentence, by its position."""
    if isinstance(st.session_state.get(key), int):  # a shorter sentence has fewer words
        st.session_state[key] = min(st.session_state[key], len(words) - 1)
    at: int = st.selectbox(
        label,
        range(len(words)),
        default,
        format_func=lambda i: f"{i + 1}: {words[i]}",
        key=key,
        bind="query-params",
    )
    return at


def slider(label: str, low: Any, high: Any, value: Any, key: str, **more: Any) -> Any:
    return st.slider(label, low, high, value, key=key, bind="query-params", **more)


def toggle(label: str, key: str, value: bool = False, help: str | None = None) -> bool:
    return st.toggle(label, value=value, key=key, help=help, bind="query-params")


def tabs(names: Sequence[str], key: str) -> Sequence[Any]:
    """Tabs of which only the open one is computed: test `.open`."""
    return st.tabs(names, key=key, on_change="rerun", bind="query-params")


def pick_words(words: Sequence[str], defaults: Sequence[str]) -> tuple[int, ...]:
    """One word of the sentence for each default, as positions; two must differ."""
    if len(words) < len(defaults) + 1:
        raise ValueError("This sentence is too short: it needs two nouns to tell apart.")
    found = []
    columns = st.columns(len(defaults))
    for number, default in enumerate(defaults):
        at = words.index(default) if default in words else number
        with columns[number]:
            found.append(word(f"Word {number + 1}", words, f"word{number + 1}", at))
    if len(set(found)) < len(found):
        raise ValueError("Choose two different words.")
    return tuple(found)


def notice_unknown(key: str, allowed: Sequence[str]) -> None:
    """Links travel and get mangled: say so, then go on with the default."""
    given = st.query_params.get_all(key)
    if given and key not in st.session_state and any(value not in allowed for value in given):
        st.warning(f"The link asked for a {key} that is not here, so you see the default.")


def stepper(label: str, names: Sequence[str], key: str, at_end: bool = False) -> int:
    """A slider through steps that can also be played or moved with the arrow keys.

    With at_end it begins at the last step, and stays there when another sentence has more steps.
    """
    last = len(names) - 1
    if last < 1:
        return 0
    pending = st.session_state.pop(f"{key}_pending", None)
    if pending is not None:  # a widget's value can only be set before it is drawn
        st.session_state[key] = pending
    elif at_end and st.session_state.get(key, -1) == st.session_state.get(f"{key}_last"):
        st.session_state[key] = last
    st.session_state[f"{key}_last"] = last
    if isinstance(st.session_state.get(key), int):  # a shorter sentence has fewer steps
        st.session_state[key] = min(st.session_state[key], last)

    def move(by: int) -> None:
        at = st.session_state.get(key, 0) + by
        st.session_state[key] = min(max(at, 0), last)

    back, track, on, play = st.columns([1, 8, 1, 1], vertical_alignment="bottom")
    back.button("◀", key=f"{key}_back", on_click=move, args=(-1,), shortcut="left", help="Back")
    on.button("▶", key=f"{key}_on", on_click=move, args=(1,), shortcut="right", help="On")
    playing = play.toggle("Play", key=f"{key}_play")
    at: int = track.slider(label, 0, last, last if at_end else 0, key=key, bind="query-params")
    track.caption(f"{at + 1} of {last + 1}: **{escape(names[at])}**")
    if playing:
        _tick(key, at, last)
    return at


@st.fragment(run_every=1.2)
def _tick(key: str, at: int, last: int) -> None:
    """Moves the stepper on once a second; the first run is the one that draws the page."""
    if st.session_state.get(f"{key}_ticked") == at:
        st.session_state[f"{key}_pending"] = 0 if at >= last else at + 1
        st.session_state[f"{key}_ticked"] = None
        st.rerun()
    st.session_state[f"{key}_ticked"] = at


# ---- models and traces, computed once for all visitors ----------------------------------------


@st.cache_resource(max_entries=20, show_spinner="Loading the model ...")
def _load(name: str) -> Bundle:
    return checkpoints.load(name)


def bundle(name: str) -> Bundle:
    """A model for a page that cannot go on without it: what is wrong is said, and that is all."""
    try:
        return _load(name)
    except CheckpointError as error:
        st.error(str(error))
        st.stop()


@st.cache_data(max_entries=TRACES, show_spinner=False)
def translation(
    name: str, text: str, beam: int = 1, length_penalty: float = 0.0, temperature: float = 1.0
) -> Translation:
    options = probe.Options(look=Look(temperature=temperature))
    return probe.translate(_load(name), text, beam, length_penalty, options)


@st.cache_data(max_entries=TRACES, show_spinner=False)
def aligned(name: str, source: str, target: str, temperature: float = 1.0) -> Translation:
    options = probe.Options(look=Look(temperature=temperature))
    return probe.align(_load(name), source, target, options)


@st.cache_data(max_entries=TRACES, show_spinner=False)
def ablated(name: str, text: str, off: tuple[tuple[str, int, int], ...]) -> Translation:
    """The translation while some heads, (part, layer, head), are silent."""
    keep = probe.silence(_load(name), off)
    return probe.translate(_load(name), text, options=probe.Options(keep=keep))


@st.cache_data(max_entries=TRACES, show_spinner=False)
def ablated_along(
    name: str, text: str, target: str, off: tuple[tuple[str, int, int], ...]
) -> Translation:
    """A given French sentence, followed while some heads are silent."""
    keep = probe.silence(_load(name), off)
    return probe.align(_load(name), text, target, probe.Options(keep=keep))


@st.cache_data(max_entries=TRACES, show_spinner=False)
def stream(name: str, text: str) -> StreamTrace:
    return probe.stream(_load(name), probe.read(_load(name), text))


@st.cache_data(max_entries=TRACES, show_spinner=False)
def encoded(name: str, text: str) -> AttentionTrace:
    """The Transformer encoder's self-attention, between words."""
    return probe.encoded(_load(name), text).words()


@st.cache_data(max_entries=TRACES, show_spinner=False)
def beam_search(
    name: str,
    text: str,
    size: int,
    length_penalty: float = 0.0,
    prefix: tuple[int, ...] = (),
    normalisation: Any = "plain",
    limit: int | None = None,
) -> BeamTrace:
    return probe.beam(
        _load(name), text, size, length_penalty, prefix, normalisation=normalisation, limit=limit
    )


@st.cache_data(max_entries=TRACES, show_spinner=False)
def exhaustive_search(
    name: str,
    text: str,
    length_penalty: float = 0.0,
    prefix: tuple[int, ...] = (),
    normalisation: Any = "plain",
    limit: int | None = None,
) -> Output:
    return probe.exhaustive(
        _load(name), text, length_penalty, prefix, normalisation=normalisation, limit=limit
    )


@st.cache_data(max_entries=64, show_spinner="Looking for sentences on which greedy loses ...")
def greedy_losses(name: str, texts: Sequence[str], size: int) -> dict[str, float]:
    """The sentences on which greedy search finds less than the beam: clearest first, in nats."""
    found = {}
    for text in texts:
        greedy, wide = (beam_search(name, text, width) for width in (1, size))
        gap = wide.nodes[wide.best].log_prob - greedy.nodes[greedy.best].log_prob
        if greedy.complete and wide.complete and gap > 0.005:
            found[text] = gap
    return dict(sorted(found.items(), key=lambda item: -item[1]))


@st.cache_data(max_entries=TRACES, show_spinner=False)
def local(
    name: str,
    text: str,
    target: str | None = None,
    reach: float | None = None,
    sigma: float | None = None,
) -> LocalTrace:
    look = Look(reach=reach, sigma=sigma)
    return probe.local(_load(name), text, target, probe.Options(look=look))


@st.cache_data(max_entries=TRACES, show_spinner=False)
def unplaced(name: str, text: str) -> Translation:
    """The translation when the model is not told where each word stands."""
    return probe.translate(_load(name), text, options=probe.Options(place=False))


@st.cache_data(max_entries=TRACES, show_spinner=False)
def vectors(name: str, text: str, layer: int, head: int) -> VectorTrace:
    return probe.vectors(_load(name), text, layer, head)


@st.cache_data(max_entries=4, show_spinner=False)
def learned_positions(name: str) -> Vectors:
    return probe.learned_positions(_load(name))


@st.cache_data(max_entries=64, show_spinner=False)
def gates(name: str, text: str) -> GateTrace:
    return probe.gates(_load(name), text)


@st.cache_data(max_entries=64, show_spinner=False)
def lesson(word: str, seed: int, updates: int) -> list[LearningTrace]:
    return list(probe.learn_hello(seed, updates, word=word))


def learning(word: str, seed: int, updates: int, seen: int, live: bool) -> Iterator[LearningTrace]:
    """A network that learns to spell a word: all moments live, or the one after update `seen`."""
    if not live:
        yield next(m for m in lesson(word, seed, updates) if m.updates >= seen)
        return
    for moment in probe.learn_hello(seed, updates, word=word):
        if moment.updates <= 25 or moment.updates % 25 == 0:  # most happens at first
            yield moment
            time.sleep(0.05)  # training is faster than the eye


@st.cache_data(max_entries=32, show_spinner=False)
def evolution(name: str, sentence: int) -> tuple[list[int], list[AttentionTrace]]:
    return probe.evolution(_load(name), sentence)


@st.cache_data(max_entries=64, show_spinner=False)
def _card(name: str) -> Card:
    return checkpoints.card(name)


def card(name: str) -> Card:
    """What is known of a checkpoint; like bundle, the page ends here without it."""
    try:
        return _card(name)
    except CheckpointError as error:
        st.error(str(error))
        st.stop()


# ---- showing ----------------------------------------------------------------------------------


def show(chart: Any, key: str, alt_text: str = "", select: str = "") -> Any:
    """Draw a chart with its finding as alternative text; select names what a click chooses."""
    mode: Any = "rerun" if select else "ignore"
    if not hasattr(chart, "to_plotly_json"):
        # An Altair chart carries its finding as its description already. Its other selections,
        # such as the hovered row, stay in the browser.
        chosen = [select] if select else None
        return st.altair_chart(
            chart,
            key=key,
            on_select=mode,
            selection_mode=chosen,
            alt=alt_text or None,
            width="content",
        )
    quiet = {"displaylogo": False, "displayModeBar": False}
    fixed: Any = "stretch" if chart.layout.width is None else "content"
    said = alt_text or (chart.layout.meta or {}).get("description")
    return st.plotly_chart(chart, key=key, on_select=mode, alt=said, config=quiet, width=fixed)


def unread(signs: Sequence[str]) -> None:
    """Which typed characters a translator has never seen."""
    if signs:
        named = escape(", ".join(dict.fromkeys(signs))[:80])
        st.warning(f"The model has never seen {named}: it reads a blank there.")


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
    chart.update_layout(font={"color": ink()})
    with canvas:
        # Streamlit squeezes a chart into a narrow page. Below this width let it scroll instead.
        least = min(chart.layout.width, round(58 * scale() * (len(steps) + 1)))
        wide = f"[data-testid=stElementContainer] {{ min-width: {least}px; }}"
        st.html(f"<style>.st-key-{key}_canvas {{ overflow-x: auto; & {wide} }}</style>")
        st.plotly_chart(
            chart,
            key=key,
            on_select=picked if choose else "ignore",
            selection_mode="points",
            alt=chart.layout.meta["description"],
            config={"displaylogo": False, "displayModeBar": False},
            width="content",
        )
    if chart.layout.meta["note"]:
        canvas.caption(chart.layout.meta["note"])


def ink() -> str | None:
    """The text colour of the theme: Plotly cannot take it from the page by itself."""
    colour: str | None = st.get_option(f"theme.{st.context.theme.type or 'light'}.textColor")
    return colour


def compare(outputs: Mapping[str, Output]) -> None:
    """Outputs of several searches side by side; the best of them is marked."""
    best = max((each.score for each in outputs.values() if each.finished), default=None)
    for column, (name, each) in zip(st.columns(len(outputs)), outputs.items(), strict=True):
        mark = " ★ best" if best is not None and each.score > best - 1e-4 else ""
        column.markdown(f"**{name}**{mark}  \n{escape(each.text) or '(the empty output)'}")
        chance = f"P = **{each.probability:.3f}**, " if each.probability > 0.001 else ""
        score = "" if each.score == each.log_prob else f", score **{each.score:.3f}**"
        column.markdown(f"{chance}log P = **{each.log_prob:.2f}**, {each.length} tokens{score}")
        column.caption(escape(each.note))


def download(rows: Sequence[Mapping[str, Any]], name: str) -> None:
    """A table, and its rows as CSV and JSON files."""
    st.dataframe(pd.DataFrame(rows), hide_index=True, key=f"{name}_table")
    kinds = {"CSV": pd.DataFrame(rows).to_csv(index=False), "JSON": json.dumps(rows, indent=1)}
    with st.container(horizontal=True):
        for kind, content in kinds.items():
            file = f"{name}.{kind.lower()}"
            st.download_button(kind, content, file, key=f"{name}_{kind}", on_click="ignore")


def clicked(selection: Any, name: str, *fields: str) -> tuple[int, ...] | None:
    """The fields of the clicked mark, or None while nothing is chosen."""
    points = selection.get("selection", {}).get(name) if selection else None
    if not points or not all(field in points[0] for field in fields):
        return None
    return tuple(int(points[0][field]) for field in fields)


def escape(text: str) -> str:
    """Typed text inside Markdown stays text."""
    for sign in "\\`*_{}[]()#+-!|<>~$:":
        text = text.replace(sign, "\\" + sign)
    return text


def tile(title: str, line: str, page: str, chart: Any, **params: str) -> None:
    """A small live picture that opens its page with the same example."""
    with st.container(border=True, height="stretch"):
        st.altair_chart(chart, key=f"tile_{page}", width="content")
        st.page_link(f"pages/{page}.py", label=f"**{title}**", query_params=params)
        st.caption(line)


def quote(text: str) -> None:
    """A translation, large, as text and never as markup."""
    st.subheader(escape(text) or "(the model says nothing)", anchor=False)


def notices(found: Translation) -> None:
    """What the visitor should know about this translation before believing it."""
    if found.unknown:
        signs = ", ".join(dict.fromkeys(found.unknown))
        st.warning(f"The model has never seen {escape(signs[:80])}: it reads a blank there.")
    if not found.complete:
        st.warning("The translation was cut at the length limit: the model did not stop by itself.")


def rare_characters(found: GateTrace) -> None:
    """Which typed characters a character model does not know."""
    if found.unknown:
        signs = " ".join(dict.fromkeys(found.unknown))
        st.warning(f"Not in the model's alphabet: {escape(signs[:80])}. It reads a blank there.")


SCORES = {
    "additive": r"v^\top \tanh(W s_i + U h_j)",
    "dot": r"s_i^\top h_j",
    "scaled-dot": r"s_i^\top h_j / \sqrt{n}",
    "general": r"s_i^\top W h_j",
    "content": r"\gamma \cos(s_i, h_j)",
    "location": r"(W s_i)_j",
}


def score_formula(name: str, found: Translation, query: int, key: int, heat: float = 1.0) -> None:
    """The score of one cell and the softmax of its row, with this cell's own numbers."""
    if found.scores is None:
        return
    row = found.scores[query] / heat
    score, total = float(row[key]), float(np.exp(row - row.max()).sum())
    kind = card(name).config["attention"]
    heated = "" if heat == 1 else rf"\,/\,{heat:g}"
    st.markdown(f"From **{escape(found.target[query])}** to **{escape(found.source[key])}**:")
    st.latex(rf"e_{{ij}} = {SCORES[kind]}{heated} = {score:.2f}")
    largest = float(row.max())
    st.latex(
        rf"a_{{ij}} = \frac{{e^{{{score:.2f}}}}}{{\sum_k e^{{e_{{ik}}}}}}"
        rf" = \frac{{e^{{{score - largest:.2f}}}}}{{{total:.2f}}}"
        rf" = {np.exp(score - largest) / total:.3f}"
    )


def paper(citation: str, name: str) -> None:
    """Where the picture comes from, and how good the model behind it is."""
    st.caption(f"{citation} {card_line(card(name))}")


def card_line(found: Card) -> str:
    """A checkpoint in one line: size, and what was measured."""
    figures = [
        f"{measure} {value:.2f} ({split})"
        for split, measures in found.metrics.items()
        for measure, value in measures.items()
        if measure in {"BLEU", "AER", "bits per character"}
    ]
    size = f"{found.parameters / 1e6:.1f} million parameters, trained {found.steps:,} steps"
    return f"Model {found.name}: {', '.join([size, *figures])}."


def card_table() -> pd.DataFrame:
    """All checkpoints with their size and what was measured on data they have not seen."""
    rows = []
    for found in checkpoints.cards():
        rows.append(
            {
                "model": found.name,
                "what it is": found.title,
                "parameters (million)": round(found.parameters / 1e6, 1),
                "megabytes": checkpoints.megabytes(found.name),
                "measured on held-out data": "; ".join(
                    f"{split}: " + ", ".join(f"{m} {v:.4g}" for m, v in measures.items())
                    for split, measures in found.metrics.items()
                ),
            }
        )
    return pd.DataFrame(rows)

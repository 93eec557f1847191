"""Inputs: every one has a key, and the address bar holds them all."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Literal

import streamlit as st

from viz_core import checkpoints
from viz_core.charts.kit.style import readable
from viz_core.ui.languages import named
from viz_core.ui.markdown import escape
from viz_core.ui.page import presenting, warn

BUBBLES = ("stSliderThumbValue", "stSliderTickBar")  # what a slider says of itself
SHORTENED = 1500  # characters of a typed text that are read; the rest gets a notice
LONG = 4000  # where a model reads a whole paragraph: more than the 512 tokens of a BERT


def text(
    label: str,
    default: str,
    key: str = "text",
    help: str | None = None,
    most: int = SHORTENED,
) -> str:
    """A typed sentence. What is too long is kept in the box, and read up to the limit."""
    typed = st.text_input(label, value=default, key=key, bind="query-params", help=help) or ""
    return _cut(typed, most, "The models know sentences, not pages.")


def paragraph(label: str, default: str, key: str, *, most: int = LONG) -> str:
    """A typed paragraph; what is too long is kept in the box, and read up to the limit."""
    typed = st.text_area(label, value=default, key=key, height=140, bind="query-params") or ""
    return _cut(typed, most)


def _cut(typed: str, most: int, why: str = "") -> str:
    if len(typed) > most:
        read = f"This text has {len(typed):,} characters; the first {most:,} were read."
        warn(f"{read} {why}".strip(), f"The first {most:,} of {len(typed):,} characters are read.")
    return typed[:most]


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
    held = st.session_state.get(key)
    if held is not None and held not in options:  # another model has other layers and heads
        del st.session_state[key]
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


def one_layer(layers: int, last: bool = False) -> int:
    """One of the layers, counted from 0; it begins at the first one, or at the last."""
    numbers = range(1, layers + 1)
    chosen: int = choice("Layer", numbers, "layer", default=numbers[-1] if last else numbers[0])
    return chosen - 1


def one_head(heads: int) -> int | None:
    """One of the heads, counted from 0; None is their mean."""
    chosen = choice("Head", ["mean", *map(str, range(1, heads + 1))], "head")
    return None if chosen == "mean" else int(chosen) - 1


def layer_and_head(
    layers: int, heads: int, last: bool = False, gap: Literal["small", "medium"] = "small"
) -> tuple[int, int | None]:
    """Both beside each other, for a picture of one head at a time."""
    left, right = st.columns(2, gap=gap)
    with left:
        layer = one_layer(layers, last)
    with right:
        return layer, one_head(heads)


def sets(key: str, field: str) -> Callable[[Mapping[str, Any]], None]:
    """What a click on a picture does: an input takes over this field of the clicked mark."""

    def choose(point: Mapping[str, Any]) -> None:
        clicked = point[field]
        st.session_state[key] = int(clicked) if isinstance(clicked, float) else clicked

    return choose


def model(names: Sequence[str], key: str = "model", label: str = "Model") -> str:
    """One of the checkpoints that are there, by name."""
    there = checkpoints.present(names)
    if not there:
        st.error(f"No checkpoint is there for this page. It shows: {', '.join(names)}.")
        st.stop()
    notice_unknown(key, list(map(named, there)))
    found: str = st.selectbox(label, there, key=key, bind="query-params", format_func=named)
    return found


def several(
    label: str, options: Sequence[Any], key: str, default: Any = None, help: str | None = None
) -> list[Any]:
    """Any number of a few; all of them unless told."""
    notice_unknown(key, [str(option) for option in options])
    held = st.session_state.get(key)
    if isinstance(held, list) and not set(held) <= set(options):
        st.session_state[key] = [option for option in held if option in options]
    chosen = st.pills(
        label,
        options,
        selection_mode="multi",
        default=options if default is None else default,
        key=key,
        help=help,
        bind="query-params",
    )
    return list(chosen or [])


def word(label: str, words: Sequence[str], key: str, default: int = 0) -> int:
    """One word of the sentence, by its position."""
    if not words:
        raise ValueError("There is no word to choose from: type a sentence.")
    within(key, 0, len(words) - 1)  # a shorter sentence has fewer words
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
    if low >= high:  # nothing to choose
        return low
    notice_outside(key, low, high)
    within(key, low, high)
    value = min(max(value, low), high)
    return st.slider(label, low, high, value, key=key, bind="query-params", **more)


def weight(label: str, own: float, key: str, of: Hashable) -> float | None:
    """A weight to drag. None while it is the model's own, to which it returns for another `of`."""
    start = round(own, 2)
    if st.session_state.get(f"{key}_of", of) != of:
        st.session_state[key] = start
    st.session_state[f"{key}_of"] = of
    moved: float = slider(escape(label), 0.0, 1.0, start, key, step=0.01)
    return None if moved == start else moved


def within(key: str, low: Any, high: Any) -> None:
    """Keep a number where this model, or this sentence, has one."""
    held = st.session_state.get(key)
    if isinstance(held, int | float) and not low <= held <= high:
        st.session_state[key] = type(low)(min(max(held, low), high))


def toggle(
    label: str, key: str, value: bool = False, help: str | None = None, disabled: bool = False
) -> bool:
    return st.toggle(label, value, key, help, bind="query-params", disabled=disabled)


def tabs(names: Sequence[str], key: str, default: str | None = None) -> Sequence[Any]:
    """Tabs of which only the open one is computed: test `.open`. The first opens unless told."""
    notice_unknown(key, names)
    return st.tabs(names, key=key, default=default, on_change="rerun", bind="query-params")


def section(title: str, key: str) -> Any:
    """A part of a page that is computed, sent and drawn when it is opened: test `.open`."""
    return st.expander(title, key=key, on_change="rerun", bind="query-params")


def pick_words(words: Sequence[str], defaults: Sequence[int]) -> tuple[int, ...]:
    """One word of the sentence for each default, as positions; two must differ. Another sentence
    brings its own defaults."""
    if len(words) < 3 or len(defaults) < 2:
        raise ValueError("This sentence is too short: it needs two nouns to tell apart.")
    found = []
    columns = st.columns(len(defaults))
    known = st.session_state.get("words_of", words)
    st.session_state["words_of"] = words
    for number, at in enumerate(defaults):
        if known != words:
            st.session_state[f"word{number + 1}"] = at
        with columns[number]:
            found.append(word(f"Word {number + 1}", words, f"word{number + 1}", at))
    if len(set(found)) < len(found):
        raise ValueError("Choose two different words.")
    return tuple(found)


def notice_unknown(key: str, allowed: Sequence[str]) -> None:
    """Links travel and get mangled: say so, then go on with the default."""
    _notice(key, lambda given: given in allowed)


def notice_outside(key: str, low: float, high: float) -> None:
    """The same for a number, which then is the nearest that there is."""
    _notice(key, lambda given: low <= float(given) <= high)


def _notice(key: str, known: Callable[[str], bool]) -> None:
    given = st.query_params.get_all(key)
    if not given or key in st.session_state:
        return
    try:
        sound = all(map(known, given))
    except ValueError:  # no number
        sound = False
    if not sound:
        asked = escape(f"{key} {', '.join(given)}"[:60].strip())
        warn(f"The link asks for {asked}, which is not here: you see what is.")


def stepper(
    label: str, names: Sequence[str], key: str, at_end: bool = False, start: int = 0
) -> int:
    """A slider through steps that can also be played or moved with the arrow keys.

    It begins at start; with at_end at the last step, where it stays when another sentence has more
    steps.
    """
    last = len(names) - 1
    if last < 1:
        return 0
    notice_outside(key, 0, last)
    entering = presenting() and not st.session_state.get(f"{key}_presented")
    pending = st.session_state.pop(f"{key}_pending", None)
    if pending is not None:  # a widget's value can only be set before it is drawn
        st.session_state[key] = pending
    elif at_end and entering and key not in st.query_params:
        st.session_state[key] = 0  # on the stage the picture grows from the beginning
    elif at_end and st.session_state.get(key, -1) == st.session_state.get(f"{key}_last"):
        st.session_state[key] = last
    st.session_state[f"{key}_presented"] = presenting()
    st.session_state[f"{key}_last"] = last
    if isinstance(st.session_state.get(key), int):  # a shorter sentence has fewer steps
        st.session_state[key] = min(st.session_state[key], last)

    def move(by: int) -> None:
        at = st.session_state.get(key, 0) + by
        st.session_state[key] = min(max(at, 0), last)

    begins = min(start, last)
    if at_end:
        begins = 0 if presenting() else last
    back, track, on, play = st.columns([1, 8, 1, 1], vertical_alignment="bottom")
    at: int = track.slider(
        label,
        0,
        last,
        begins,
        key=key,
        bind="query-params",
        label_visibility="collapsed",  # it is said below: the stepper must be low
    )
    # Counted from one there, so the slider's own numbers, from zero, are left to screen readers.
    bubbles = ", ".join(f".st-key-{key} [data-testid={part}]" for part in BUBBLES)
    track.html(f"<style>{bubbles} {{ visibility: hidden; }}</style>")
    track.caption(f"{label} {at + 1} of {last + 1}: **{escape(readable(names[at]))}**")
    # The keys of the stage press these two: a page's first stepper is what its arrow keys move.
    first, end = at == 0, at == last
    back.button("◀", f"step_back_{key}", "Back", on_click=move, args=(-1,), disabled=first)
    on.button("▶", f"step_on_{key}", "On", on_click=move, args=(1,), disabled=end)
    playing = play.toggle("Play", key=f"{key}_play")
    if playing:
        _tick(key, at, last)
    return at


def steps(states: Sequence[Mapping[str, Any]], key: str = "state") -> None:
    """What the arrow keys go through on a page without a stepper: settings of its inputs."""
    state = st.session_state
    matching = (all(state.get(k) == v for k, v in each.items()) for each in states)
    now = next((place for place, same in enumerate(matching) if same), -1)

    def go(place: int) -> None:
        state.update(states[place])

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("◀", f"step_back_{key}", on_click=go, args=(now - 1,), disabled=now < 1)
        last = now == len(states) - 1
        st.button("▶", f"step_on_{key}", on_click=go, args=(now + 1,), disabled=last)
        st.caption("or the arrow keys: step through")


@st.fragment(run_every=1.2)
def _tick(key: str, at: int, last: int) -> None:
    """Moves the stepper on once a second; the first run is the one that draws the page."""
    if st.session_state.get(f"{key}_ticked") == at:
        st.session_state[f"{key}_pending"] = 0 if at >= last else at + 1
        st.session_state[f"{key}_ticked"] = None
        st.rerun()
    st.session_state[f"{key}_ticked"] = at

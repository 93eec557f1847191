"""All heads of a model in linked views, and the words of a sentence to click."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from viz_core import checkpoints
from viz_core.analysis import selection
from viz_core.analysis.selection import Look
from viz_core.charts import head_grid, heads, matrix, numbers, tiles
from viz_core.charts.kit import style
from viz_core.charts.kit.room import Room
from viz_core.traces import AttentionTrace
from viz_core.ui import inputs, keep
from viz_core.ui.cards import card
from viz_core.ui.display import as_picture, described, frame, show
from viz_core.ui.markdown import escape
from viz_core.ui.page import room, scale

LINES, TILES = 7, 6  # how the width is shared
BESIDE = 16  # words of a matrix that leave room for the tiles beside it
SIDE = 40  # words along a matrix that can still be read
PILLS = 60  # words that can be clicked: more of them are a wall
NO_FOCUS = -1
LIGHT = "The link keeps these. Over the lines, a click on a number lights that head at once."
Labels = Sequence[Sequence[str]]


def look(
    layers: int,
    count: int,
    start: tuple[int, int] = (0, 0),
    *,
    under: Any,
    paired: bool = False,
    special: Sequence[str] = ("[CLS]", "[SEP]"),
) -> Look:
    """The controls over all views; special are the tokens that are no words. The buttons that step
    through the layers stand under the picture."""
    first, second, third, fourth = st.columns(4)
    with first:
        view = inputs.choice("View", [selection.LINES, selection.MATRIX], "view")
    with second:
        level = inputs.choice("Level", [selection.WORDS, selection.PIECES], "level")
    lines = view == selection.LINES  # a matrix has all of its squares
    with third:
        threshold = inputs.slider(
            "Hide lines below", 0.0, 0.9, 0.1, "threshold", disabled=not lines
        )
    with fourth:
        named = escape(" and ".join(special))
        bare = bool(special) and inputs.toggle(f"Hide {named}", "bare", disabled=not lines)
    first, second = st.columns(2)
    with first:
        layer = _layer(layers, start[0], under)
        summary = inputs.choice("Sum up", list(selection.SUMMARIES), "summary")
    with second:
        numbers = list(range(1, count + 1))
        chosen = inputs.several("Heads", numbers, "heads", default=[start[1] + 1], help=LIGHT)
        block = selection.WHOLE
        if paired:
            block = inputs.choice("Between", [selection.WHOLE, *selection.BLOCKS], "block")
    return Look(
        layer=layer,
        heads=tuple(head - 1 for head in chosen),
        summary=summary,
        level=level,
        block=block,
        view=view,
        threshold=threshold,
        hide=frozenset(special) if bare else frozenset(),
    )


def lines_of(name: str, under: Any) -> tuple[int, list[int]]:
    """A layer of a model, the last one first, and any of its heads, for a picture of lines."""
    config = card(name).config
    depth, count = config["layers"], config["heads"]
    first, second = st.columns([3, 5])
    with first:
        layer = _layer(depth, depth - 1, under)
    with second:
        chosen = inputs.several("Heads", list(range(1, count + 1)), "heads", help=LIGHT)
    return layer, [head - 1 for head in chosen]


def one_of_all(measured: NDArray[np.floating], title: str, under: Any) -> tuple[int, int]:
    """A head by what was measured of all, the best one first; arrow keys and tiles open others."""
    count = measured.shape[1]
    names = [f"layer {layer + 1} head {head + 1}" for layer, head in np.ndindex(measured.shape)]
    with under:
        place = inputs.stepper("Head shown", names, "head", start=int(measured.argmax()))

    def choose(tile: dict[str, int]) -> None:
        st.session_state["head"] = tile["layer"] * count + tile["head"]

    layer, head = divmod(place, count)
    grid = head_grid.head_grid(measured, title, chosen=(layer, head), scale=scale())
    show(grid, f"grid {place}", select="tile", choose=choose)
    return layer, head


def _layer(count: int, start: int, under: Any) -> int:
    """One of the layers, which the arrow keys step through."""
    numbers = list(range(1, count + 1))
    layer: int = inputs.choice("Layer", numbers, "layer", default=start + 1)
    with under:
        inputs.steps([{"layer": number} for number in numbers])
    return layer - 1


def attention(
    trace: AttentionTrace, look: Look, names: Labels = (), first: str = "it", lines: int = 0
) -> tuple[int, int]:
    """Lines or a matrix beside all heads. A click on a tile opens it, one on a word focuses it.

    lines is how many lines of text the page has over them.

    Returns the token and the token it looks at most, as positions in the whole trace.
    """
    seen = selection.shown(trace, look)
    beside = look.view == selection.LINES or len(seen.keys) <= BESIDE
    left, right = (
        st.columns([LINES, TILES], gap="medium") if beside else (st.container(), st.container())
    )
    with right:
        tiled = st.container()
        at = _focus(trace, look, seen, first)
    layer, chosen = look.at
    row = np.nan_to_num(seen.weights[layer, (chosen or (0,))[0]])
    if look.view == selection.LINES:  # a key without lines is not what a word looks at
        row = row * [token not in look.hide for token in seen.keys]
    with left:
        told = room(LINES / (LINES + TILES) if beside else 1.0, lines)
        _opened(seen, look, at, told)
        count, most = max(len(seen.queries), len(seen.keys)), SIDE
        if look.view == selection.LINES:
            most = heads.fit_words(told, min(count, style.LIMIT))[1]
            _missing(seen, look, at, most)
        if look.summary == selection.ROLLOUT:
            st.caption("Rollout goes through all layers: another layer or head changes nothing.")
        if count > most:
            st.caption(
                f"A text of {len(trace.queries)} tokens: {most} of them are drawn here, around "
                "the focused one. Choose another to move on."
            )
    with tiled:  # sent last: the browser draws what comes first while it waits for the rest
        _all_heads(trace, seen, look, names, room(TILES / (LINES + TILES), lines))
    query = int(row.max(axis=1).argmax()) if at == NO_FOCUS else at
    return selection.origin(trace, look, query, int(row[query].argmax()))


def _all_heads(
    trace: AttentionTrace, seen: AttentionTrace, look: Look, names: Labels, given: Room
) -> None:
    """A tile a head; a click opens it."""
    framed = []
    if look.summary == selection.HEADS:
        framed = [(look.layer, head) for head in look.heads]
    else:
        seen = selection.shown(trace, Look(level=look.level, block=look.block))
    chart = tiles.tiles(seen, labels=names, chosen=framed, room=given)
    kept = partial(numbers.attention, seen)
    show(chart, "tiles", select="tile", choose=open_tile, numbers=kept)


def _missing(seen: AttentionTrace, look: Look, at: int, most: int) -> None:
    """Why there are no lines, where there are none."""
    layer, chosen = look.at
    focus = None if at == NO_FOCUS else at
    rows, columns = (style.part(len(t), most, focus) for t in (seen.queries, seen.keys))
    rows = rows if focus is None else slice(focus, focus + 1)
    drawn = np.nan_to_num(seen.weights[layer][list(chosen)][:, rows, columns])
    drawn = drawn * [token not in look.hide for token in seen.keys[columns]]
    if drawn.size and drawn.max() < look.threshold:
        whose = "here" if focus is None else f"of {escape(seen.queries[at])}"
        st.caption(
            f"No weight {whose} reaches {look.threshold:g}: lower “Hide lines below”, or focus "
            "another token."
        )


def _opened(seen: AttentionTrace, look: Look, at: int, told: Room) -> None:
    """The chosen heads as lines, or the first of them as a matrix."""
    key = f"{look.view} {' '.join(seen.queries)}"  # pins belong to a sentence
    if look.view == selection.MATRIX:
        _cells(seen, look, key, None if at == NO_FOCUS else at, told)
        return
    layer, lit = look.at

    def draw(focus: int) -> Any:
        return heads.head_view(
            seen,
            layer,
            range(seen.heads),
            lit=lit,
            threshold=look.threshold,
            hide=look.hide,
            focus=None if focus == NO_FOCUS else focus,
            title=selection.title(look),
            room=told,
        )

    def pin() -> None:
        points = st.session_state[key]["selection"].get("pin") or [{}]
        _focus_on(points[-1])
        st.session_state["pinned"] = st.session_state["focus"]

    drawn_at = _drawn_at(key, look, at)
    chart = draw(drawn_at)
    kept = chart if drawn_at == at else draw(at)
    with frame(chart, "lines"):
        st.altair_chart(
            as_picture(chart),
            key=key,
            on_select=pin,
            selection_mode=["pin"],
            alt=described(chart),
            width="content",
        )
        keep.menu(kept, key, described(kept), partial(numbers.attention, seen, [layer]))


def _drawn_at(key: str, look: Look, at: int) -> int:
    """The focus that the lines are drawn with.

    A word pinned in them is there already. Sent again with it, they would be drawn anew, and the
    heads that were lit in the browser would go out.
    """
    known = st.session_state.get("drawn_at")
    if st.session_state.get("pinned") == at and known and known[:2] == (key, look):
        return int(known[2])
    st.session_state.update(drawn_at=(key, look, at), pinned=None)
    return at


def _cells(seen: AttentionTrace, look: Look, key: str, focus: int | None, told: Room) -> None:
    """One head as a matrix; of a long text the part around the focus."""
    layer, chosen = look.at
    rows, columns = (style.part(len(side), SIDE, focus) for side in (seen.queries, seen.keys))
    row = None if focus is None else focus - rows.start
    part = selection.window(seen, rows, columns)
    head = None if look.summary == selection.MEAN else (chosen or (0,))[0]
    cells = matrix.matrix(
        part,
        layer,
        head,
        title=selection.title(look),
        highlight_row=row,
        room=told,
    )

    def choose(point: dict[str, int]) -> None:
        _focus_on({"query": point["query"] + rows.start})

    show(cells, key, select="cell", choose=choose)


def open_tile(point: dict[str, int]) -> None:
    st.session_state.update(layer=point["layer"] + 1, heads=[point["head"] + 1])
    st.session_state["summary"] = selection.HEADS


def _focus_on(point: dict[str, int]) -> None:
    st.session_state["focus"] = point.get("query", NO_FOCUS)


def _focus(trace: AttentionTrace, look: Look, seen: AttentionTrace, first: str) -> int:
    """The token in focus, by position; another sentence starts with its own.

    Cut in another way, into words, sub-words or a block, the same sentence keeps its focus.
    """
    places = [i for i, word in enumerate(seen.queries) if word.casefold() == first]
    default = places[-1] if places else NO_FOCUS
    pieces = selection.pieces(trace, look)
    if st.session_state.get("focus_in", seen.queries) != seen.queries:
        text, token = st.session_state.get("focused", ((), NO_FOCUS))
        same = [i for i, group in enumerate(pieces) if token in group and text == trace.queries]
        st.session_state["focus"] = same[0] if same else default
    st.session_state["focus_in"] = seen.queries
    # Streamlit keeps what names the options for as long as the visit: no trace may hang on it.
    named = ("all", *(f"{number}: {word}" for number, word in enumerate(seen.queries, 1)))
    at: int = st.selectbox(
        "Focused token",
        range(NO_FOCUS, len(seen.queries)),
        default + 1,
        format_func=lambda i: named[i - NO_FOCUS],
        key="focus",
        bind="query-params",
    )
    if at != NO_FOCUS:
        st.session_state["focused"] = (trace.queries, pieces[at][0])
    return at


def trained(name: str, shows: str) -> bool:
    """Whether a checkpoint is there; if not, one sentence says what it would show."""
    there = name in checkpoints.names()
    if not there:
        st.info(f"The checkpoint {name} is not trained yet: with it you will see {shows} here.")
    return there


def words(label: str, given: Sequence[str], key: str, default: Sequence[int]) -> list[int]:
    """Words to click, by position; the first and the last, [CLS] and [SEP], are not among them."""
    last = min(len(given) - 2, PILLS)
    start = sorted({min(word, last) for word in default})
    if st.session_state.get(f"{key}_in", given) != given:  # another sentence, other words
        st.session_state[key] = start
    st.session_state[f"{key}_in"] = given
    chosen = st.pills(
        label,
        range(1, last + 1),
        selection_mode="multi",
        default=start,
        format_func=_told_apart(given).__getitem__,
        key=key,
        bind="query-params",
    )
    return sorted(chosen)


def _told_apart(given: Sequence[str]) -> list[str]:
    """Words as labels: the second "the" of a sentence is "the 2"."""
    short = [word[:20] for word in given]
    times = [short[: i + 1].count(word) for i, word in enumerate(short)]
    return [
        escape(word) + (f" {count}" if count > 1 else "")
        for word, count in zip(short, times, strict=True)
    ]

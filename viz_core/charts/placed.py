"""A word and its place added up, number by number; the same as one product with one-hot vectors."""

from __future__ import annotations

from collections.abc import Sequence

from viz_core.by_hand import Placed
from viz_core.charts.kit import panels, style
from viz_core.charts.kit.arithmetic import added, number
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.panel_layout import Panel, Part


def finding(found: Placed, word: int, words: Sequence[str]) -> str:
    """The chosen word before and after its place was added."""
    name, place = style.readable(words[word]), found.first + word
    before = ", ".join(f"{value:.2f}" for value in found.words[word])
    after = ", ".join(f"{value:.2f}" for value in found.sums[word])
    return f"{name} at place {place}: [{before}] becomes [{after}]"


def _wave(place: int, dimension: int, width: int, value: float) -> str:
    wave, rate = "cos" if dimension % 2 else "sin", 10_000 ** (2 * (dimension // 2) / width)
    under = "" if rate == 1 else f" / {number(rate)}"
    return f"{wave}({place}{under}) = {number(value)}"


@drawn
def placed(found: Placed, word: int, words: Sequence[str], *, scale: float = 1.0) -> style.AnyChart:
    """e, p and e + p of every word; below them W [x; p] of the chosen one."""
    rows, width = tuple(style.shown(words)), found.words.shape[1]
    one_hot, weight = found.one_hot(word, word), found.weight
    places = tuple(str(found.first + row) for row in range(len(rows)))
    columns = (*rows, *(f"p{place}" for place in places))
    product = weight @ one_hot
    told = [
        Panel(
            name="e",
            formula="a row a word",
            values=found.words,
            said=lambda row, column: f"{rows[row]}, number {column + 1}",
            rows=rows,
        ),
        Panel(
            name="p",
            formula="sin, cos, sin, cos of the place",
            values=found.codes,
            said=lambda row, column: _wave(
                found.first + row, column, width, float(found.codes[row, column])
            ),
            rows=tuple(f"place {place}" for place in places),
        ),
        Panel(
            name="e′",
            formula="e + p",
            values=found.sums,
            said=lambda row, column: (
                f"{number(float(found.words[row, column]))} + "
                f"{number(float(found.codes[row, column]))}"
                f" = {number(float(found.sums[row, column]))}"
            ),
            made_from=lambda row, column: (
                Part("e", row, column),
                Part("p", row, column, "key"),
            ),
            rows=rows,
        ),
        Panel(
            name="W",
            formula="[W_I, W_P]: a column a word, a column a place",
            values=weight,
            said=lambda row, column: f"column of {columns[column]}",
            columns=columns,
            bars=(len(rows),),
            breaks=True,
        ),
        Panel(
            name="[x; p]",
            formula="one-hot",
            values=one_hot[None],
            said=lambda row, column: f"{number(float(one_hot[column]))} for {columns[column]}",
            columns=columns,
            bars=(len(rows),),
        ),
        Panel(
            name="W [x; p]",
            formula="= e′",
            values=product[:, None],
            said=lambda row, column: added(weight[row], one_hot),
            made_from=lambda row, column: (
                Part("W", row),
                Part("[x; p]", 0, side="key"),
                Part("e′", word, row),
            ),
        ),
    ]
    return panels.picture(told, finding(found, word, words), start=("W [x; p]", 0, 0), scale=scale)


def formula(found: Placed, query: int, key: int) -> str:
    """What one word's score with another is made of: added, and joined."""
    parts = found.score(query, key)
    i, j = query + 1, key + 1
    shown = [f"({part:.2f})" if part < 0 else f"{part:.2f}" for part in parts]
    return (
        rf"\begin{{aligned}} \text{{added: }} & (e_{{{i}}}+p_{{{i}}})\cdot(e_{{{j}}}+p_{{{j}}}) = "
        rf"e_{{{i}}}\!\cdot e_{{{j}}} + e_{{{i}}}\!\cdot p_{{{j}}} + p_{{{i}}}\!\cdot e_{{{j}}} + "
        rf"p_{{{i}}}\!\cdot p_{{{j}}} = {' + '.join(shown)} = {sum(parts):.2f} \\ "
        rf"\text{{joined: }} & [e_{{{i}}};p_{{{i}}}]\cdot[e_{{{j}}};p_{{{j}}}] = "
        rf"e_{{{i}}}\!\cdot e_{{{j}}} + p_{{{i}}}\!\cdot p_{{{j}}} = "
        rf"{shown[0]} + {shown[3]} = {parts[0] + parts[3]:.2f} \end{{aligned}}"
    )


def said(found: Placed, query: int, key: int, words: Sequence[str]) -> str:
    """What adding does that joining does not, in this example."""
    _, first, second, _ = found.score(query, key)
    one, two = style.readable(words[query]), style.readable(words[key])
    width = found.words.shape[1]
    return (
        f"the lower row: W [x; p] is e + p again, so adding a code is the same as one matrix for "
        f"word and place. Added, {one} and {two} also compare word with place, here "
        f"{first + second:+.2f} in all, and the vector keeps its {width} numbers. Joined, word and "
        f"place stay apart, and it has {2 * width}."
    )

"""Small matrices: what is drawn where, and what lights up."""

import json

import numpy as np
import pytest
import vl_convert

from viz_core.charts.kit import panel_layout, panels
from viz_core.charts.kit.arithmetic import number
from viz_core.charts.kit.panel_layout import Panel, Part

A, B = np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(3, 2) - 3


def product(rows=("one", "two")):
    return [
        Panel(name="a", formula="", values=A, said=lambda i, j: f"a {i} {j}", rows=rows),
        Panel(name="b", formula="", values=B, said=lambda i, j: f"b {i} {j}"),
        Panel(
            name="ab",
            formula="a · b",
            values=A @ B,
            said=lambda i, j: f"row {i} times column {j}",
            made_from=lambda i, j: (Part("a", i), Part("b", None, j, "key")),
            rows=rows,
        ),
    ]


def tables(chart):
    """Cells, frames and words of a picture, told apart by their columns."""
    found = {}
    for rows in chart.to_dict()["datasets"].values():
        columns = set(rows[0]) if rows else set()
        if "said" in columns:
            found["cells"] = rows
        elif "side" in columns:
            found.setdefault("frames", []).extend(rows)
        elif "hit" in columns:
            found["words"] = rows
        elif "rise" in columns:
            found.setdefault("headings", []).extend(rows)
    return found


def test_every_number_is_drawn_once_with_its_arithmetic():
    cells = tables(panels.picture(product(), "found"))["cells"]
    assert len(cells) == A.size + B.size + 4
    texts = [c["text"] for c in cells if c["panel"] == "ab"]
    assert texts == [number(v, 2) for v in (A @ B).ravel()]
    assert {c["said"] for c in cells if c["panel"] == "ab"} == {
        f"row {i} times column {j}" for i in (0, 1) for j in (0, 1)
    }


def test_no_two_cells_overlap():
    cells = tables(panels.picture(product(), "found"))["cells"]
    for i, a in enumerate(cells):
        for b in cells[:i]:
            apart = a["x"] >= b["x2"] or b["x"] >= a["x2"] or a["y"] >= b["y2"] or b["y"] >= a["y2"]
            assert apart


def test_a_number_lights_up_the_row_and_the_column_it_was_made_from():
    found = tables(panels.picture(product(), "found"))
    cell = next(c for c in found["cells"] if (c["panel"], c["row"], c["column"]) == ("ab", 1, 0))
    lit = [f for f in found["frames"] if f["hit"] == cell["hit"]]
    boxes = {f["side"]: (f["x"], f["x2"], f["y"], f["y2"]) for f in lit}
    row = [c for c in found["cells"] if c["panel"] == "a" and c["row"] == 1]
    column = [c for c in found["cells"] if c["panel"] == "b" and c["column"] == 0]
    for side, part in (("query", row), ("key", column)):
        assert boxes[side] == (
            min(c["x"] for c in part),
            max(c["x2"] for c in part),
            min(c["y"] for c in part),
            max(c["y2"] for c in part),
        )


def test_a_word_lights_up_its_rows_everywhere_and_its_column_where_it_is_a_key():
    words = ("I", "you")
    square = Panel(
        name="scores",
        formula="",
        values=np.eye(2),
        said=lambda i, j: "",
        rows=words,
        columns=words,
    )
    found = tables(panels.picture([*product(words), square], "found"))
    word = next(w for w in found["words"] if w["text"] == "you")
    lit = [f["side"] for f in found["frames"] if f["hit"] == word["hit"]]
    assert sorted(lit) == ["key", "query", "query", "query"]  # a, ab and scores; b has no words


def test_words_stand_at_the_left_once_unless_they_change():
    found = tables(panels.picture(product(), "found"))
    assert [w["text"] for w in found["words"]] == ["one", "two", "one", "two"]  # b has none between
    same = [p for p in product() if p.name != "b"]
    same[1] = Panel(name="c", formula="", values=A, said=lambda i, j: "", rows=("one", "two"))
    assert [w["text"] for w in tables(panels.picture(same, "found"))["words"]] == ["one", "two"]


def test_panels_are_broken_into_rows_that_fit_a_page():
    wide = [
        Panel(name=f"p{i}", formula="", values=np.ones((2, 8)), said=lambda i, j: "")
        for i in range(5)
    ]
    chart = panels.picture(wide, "found").to_dict()
    assert chart["width"] <= panel_layout.WIDEST
    tops = {c["y"] for c in tables(panels.picture(wide, "found"))["cells"]}
    assert len(tops) > 2


def test_the_first_explained_number_is_chosen_and_the_finding_is_the_description():
    chart = panels.picture(product(), "the finding", start=("ab", 1, 1)).to_dict()
    assert chart["description"] == "the finding"
    assert chart["params"][0]["value"] == [{"hit": 15}]


@pytest.mark.parametrize("word", ["</script><b>", "a\x00b", 'q"uo\\te', "سلام", "🙂", "x" * 300])
def test_any_word_is_data_and_the_picture_still_draws(word):
    chart = panels.picture(product((word, "two")), "found", scale=1.8)
    json.loads(chart.to_json())
    assert "<svg" in vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4")

"""Models side by side: one set of words, one hovered row."""

import json
import re

import numpy as np
import pytest
import vl_convert

from viz_core.charts import side_by_side
from viz_core.traces import AttentionTrace

KEYS = ("the", "the", "</s>")


def trace(shift=0, queries=("le", "le", "</s>"), keys=KEYS):
    table = np.roll(np.eye(len(queries), len(keys)), shift, axis=1).astype(np.float32)
    return AttentionTrace(kind="alignment", queries=queries, keys=keys, weights=table[None, None])


def drawn(count=5, **options):
    traces = {f"m{i}": trace(i) for i in range(count)}
    return side_by_side.side_by_side(traces, **options).to_dict()


def test_hovering_a_row_is_one_selection_over_every_panel():
    chart = drawn(5, row=1)
    (row,) = [param for param in chart["params"] if param["name"] == "row"]
    assert row["views"] == [f"panel_{i}" for i in range(5)]
    assert row["select"]["fields"] == ["query"] and row["select"]["on"] == "pointerover"
    assert row["value"] == 1 or row["value"] == [{"query": 1}]
    filters = json.dumps(chart["concat"]).count('"param": "row"')
    assert filters == 2 * 5  # in each panel the frame and the numbers follow it


def test_words_stand_only_over_the_first_row_and_left_of_the_first_column():
    panels = drawn(5, columns=4)["concat"]
    axes = [
        (panel["layer"][0]["encoding"]["x"]["axis"], panel["layer"][0]["encoding"]["y"]["axis"])
        for panel in panels
    ]
    assert [x is not None for x, _ in axes] == [True] * 4 + [False]
    assert [y is not None for _, y in axes] == [True, False, False, False, True]


def test_a_repeated_word_keeps_its_own_row():
    data = max(drawn(1)["datasets"].values(), key=len)
    assert len({(cell["query"], cell["key"]) for cell in data}) == 9


def test_names_and_notes_stand_over_their_panels():
    chart = drawn(2, notes={"m0": "s · h"})
    titles = [(panel["title"]["text"], panel["title"]["subtitle"]) for panel in chart["concat"]]
    assert titles == [("m0", ["s · h"]), ("m1", [])]
    assert "s · h" in vl_convert.vegalite_to_svg(chart, vl_version="6.4")


def test_the_description_says_where_each_model_looks():
    assert drawn(2, row=1)["description"] == (
        "m0: le attends most to the, 1.00; m1: le attends most to </s>, 1.00"
    )


def test_models_on_other_words_are_refused():
    other = trace(keys=("a", "b", "c"))
    with pytest.raises(ValueError, match="same words"):
        side_by_side.side_by_side({"a": trace(), "b": other})


def test_nothing_gives_a_sentence_and_a_long_text_a_part():
    assert "no words" in side_by_side.side_by_side({}).to_dict()["description"]
    many = tuple(f"w{i}" for i in range(80))
    chart = side_by_side.side_by_side({"a": trace(queries=many, keys=many)}, row=60).to_dict()
    data = max(chart["datasets"].values(), key=len)
    assert len(data) == 40 * 40 and {cell["query"] for cell in data} >= {60}


def test_a_picture_of_some_of_the_words_says_which():
    words = tuple(f"word{number}" for number in range(60))
    told = side_by_side.side_by_side({"long": trace(0, words, words)}, row=50).to_dict()
    note = told["title"]["text"]
    first, last, total = map(int, re.findall(r"\d+", note.split(",")[0]))
    assert note.startswith("target words") and "source words" in note
    assert total == 60 and first <= 51 <= last
    assert "title" not in drawn(2)

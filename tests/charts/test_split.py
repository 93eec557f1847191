"""The picture of split and merge: it fits, and a number is met in every block."""

import altair as alt
import numpy as np
import pytest

from tests import tiny
from viz_core import by_hand, probe
from viz_core.analysis import split as told
from viz_core.by_hand.numbers import read_matrix
from viz_core.charts import split, split_by_hand
from viz_core.charts.kit.room import PAGE, Room

STAGE = Room(1810, 720, 720, 1.5)
CAT = tiny.PAIRS[0][0]


def trace(text=CAT):
    return probe.split_heads(tiny.translator("transformer"), text)


@pytest.mark.parametrize("room", [PAGE, STAGE], ids=["page", "stage"])
@pytest.mark.parametrize("text", ["a", CAT, CAT * 3])
def test_any_sentence_fits_and_can_be_read(text, room):
    chart = split.split(trace(text), 4, room=room).to_dict()
    alt.LayerChart.validate(chart)
    assert chart["width"] <= room.width and chart["height"] + 46 * room.scale <= room.height + 1
    sizes = [each["mark"]["fontSize"] for each in chart["layer"] if "fontSize" in each["mark"]]
    assert min(sizes) >= room.least


def test_a_number_is_framed_in_every_block_that_is_there_by_now():
    found = trace()
    for step, blocks in enumerate((1, 2, 4, 5, 6)):
        tables = split.split(found, step).to_dict()["datasets"]
        own = [row for row in tables["numbers"] if (row["word"], row["column"]) == (1, 8)]
        assert len(own) == blocks
        assert len([row for row in tables["said"] if row["word"] == 1 and row["column"] == 8]) == (
            step + 1
        )


def test_the_first_number_that_is_followed_exists():
    for text in ("a", CAT):
        chart = split.split(trace(text), 4).to_dict()
        (param,) = [p for each in chart["layer"] for p in each.get("params", [])]
        (start,) = param["value"]
        rows = chart["datasets"]["numbers"]
        assert any({k: row[k] for k in start} == start for row in rows)


def test_two_heads_by_hand_show_every_matrix_with_its_arithmetic():
    halves = np.split(np.eye(4), 2, axis=1)
    inputs = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
    found = by_hand.split_heads(
        ("I", "love", "you"), inputs, [np.eye(4)] * 3, [[half] * 3 for half in halves], np.eye(4)
    )
    chart = split_by_hand.by_hand(found, np.eye(4), halves).to_dict()
    cells = [row for rows in chart["datasets"].values() for row in rows if "said" in row]
    panels = list(dict.fromkeys(row["panel"] for row in cells))
    assert panels == ["q", "q1", "q2", "weights 1", "b1", "weights 2", "b2", "[b1; b2]", "b"]
    last = next(row for row in cells if row["panel"] == "q2" and row["row"] == 1)
    assert last["said"] == "q2 of love, number 1: 0·0 + 2·0 + 0·1 + 2·0 = 0"


def test_both_ways_of_counting_name_the_same_place_in_memory():
    found = trace()
    width, (first, second, third) = found.strides[0], found.split_strides
    written = told.formula(found)
    assert rf"{width} i + c \quad" in written and rf"{first} h + {second} i + {third} j" in written
    column = first * 2 + 1  # c = first h + j, with h = 2 and j = 1
    assert found.place(3, column) == found.split_place(2, 3, 1)


def test_the_numbers_by_hand_begin_as_a_split_and_nothing_more():
    texts = {key: typed for column in split_by_hand.EXAMPLE for key, (_, typed) in column.items()}
    assert split_by_hand.PICKING.items() <= texts.items()
    assert split_by_hand.MIXING.keys() <= split_by_hand.PICKING.keys()
    given = {key: read_matrix(typed, key) for key, typed in texts.items()}
    whole, *heads = ([given[f"w{of}{head}"] for of in "qkv"] for head in ("", 1, 2))
    found = by_hand.split_heads(("I", "love", "you"), given["a"], whole, heads, given["wo"])
    halves = np.concatenate([head.queries for head in found.heads], axis=1)
    np.testing.assert_array_equal(halves, found.whole[0])

"""The pictures of a machine: they fit, they are legible, and they show what is there by now."""

import altair as alt
import numpy as np
import pytest

from tests import tiny
from viz_core import probe
from viz_core.analysis import machine as told
from viz_core.charts import machine, machine_inside
from viz_core.charts.kit import diagram
from viz_core.charts.kit.room import PAGE, Room
from viz_core.charts.machine_layout import TITLE

STAGE = Room(1810, 720, 720, 1.5)
CAT = tiny.PAIRS[0][0]
LONG = "the cat sees the dog and my red umbrella " * 3  # a vocabulary of letters: many tokens
NAMES = ("rnn-none", "rnn-additive", "rnn-search", "transformer", "bert-mini", "gpt")


def bundle_of(name):
    if name == "gpt":
        return tiny.gpt()
    return tiny.bert(name) if name.startswith("bert") else tiny.translator(name)


def trace_of(name, text=CAT):
    return probe.machine(bundle_of(name), text[:50] if name in ("bert-mini", "gpt") else text)


def tables(chart, start):
    found = chart.to_dict()["datasets"]
    return [row for name, rows in found.items() if name.startswith(start) for row in rows]


def sizes(chart):
    return [
        layer["mark"]["fontSize"]
        for layer in chart.to_dict()["layer"]
        if layer["mark"]["type"] == "text"
    ]


@pytest.mark.parametrize("room", [PAGE, STAGE], ids=["page", "stage"])
@pytest.mark.parametrize("text", [CAT, LONG], ids=["short", "long"])
@pytest.mark.parametrize("name", NAMES)
def test_any_sentence_fits_and_can_be_read(name, text, room):
    trace = trace_of(name, text)
    for step in {0, len(told.moments(trace)) // 2, len(told.moments(trace)) - 1}:
        chart = machine.machine(trace, step, room=room)
        spec = chart.to_dict()
        alt.LayerChart.validate(spec)
        assert spec["width"] <= room.width + 0.1
        assert spec["height"] + TITLE * room.scale <= room.height + 0.1
        assert min(sizes(chart)) >= room.least
        assert sum(map(len, spec["datasets"].values())) < 2000  # drawn as vectors


@pytest.mark.parametrize("room", [PAGE, STAGE], ids=["page", "stage"])
@pytest.mark.parametrize("name", NAMES)
def test_every_opened_box_fits_and_can_be_read(name, room):
    bundle = bundle_of(name)
    for box in trace_of(name).boxes:
        chart = machine_inside.inside(probe.inside(bundle, CAT, "", box.name), room=room)
        spec = chart.to_dict()
        alt.LayerChart.validate(spec)
        assert spec["width"] <= room.width + 0.1
        assert spec["height"] + TITLE * room.scale <= room.height + 0.1
        assert min(sizes(chart)) >= room.least


def test_every_box_can_be_clicked_and_tells_its_shape():
    trace = trace_of("transformer")
    hits = tables(machine.machine(trace, len(told.moments(trace)) - 1), "hit")
    assert [row["part"] for row in hits] == [box.name for box in trace.boxes]
    shapes = {row["part"]: row["shape"] for row in hits}
    assert shapes["Encoder 1"] == f"{len(trace.reader.tokens)} × 16"


def test_words_that_are_not_written_yet_are_not_in_the_picture():
    trace = trace_of("rnn-additive")
    first = len(trace.reader.tokens)
    words = [row["words"] for row in tables(machine.machine(trace, first), "text")]
    shown = [word for word in trace.said[1:] if word in words]
    assert trace.said[0] in words
    assert set(shown) <= {*trace.reader.tokens, trace.said[0]}


def test_a_strip_shows_the_first_numbers_of_each_lit_token():
    values = np.array([[1.0, -1.0, 0.5], [0.25, 0.0, 1.0]])
    pixels = diagram.strip(values, 2, slice(0, 2), np.array([True, False]))
    assert pixels.shape == (2, 2 * diagram.PIXELS, 4)
    assert pixels[0, 4].tolist() == [*diagram.BLUE, 255]
    assert pixels[1, 4].tolist() == [*diagram.VERMILION, 255]
    assert not pixels[:, diagram.PIXELS :, 3].any()
    assert not pixels[:, 0, 3].any()  # a gap between two tokens


def test_all_heads_are_tiles_of_one_image():
    weights = np.zeros((6, 3, 3))
    weights[5, 2, 1] = 1.0
    pixels = machine_inside.tiles(weights)[..., 3]
    assert pixels.shape == (7, 15)
    assert pixels[6, 5] == 255 and np.count_nonzero(pixels == 255) == 1


def test_of_split_vectors_the_first_number_of_every_head_is_shown():
    opened = probe.inside(tiny.translator("transformer"), CAT, "", "Encoder 1")
    query = opened.rows[0].columns[2][0]
    np.testing.assert_array_equal(machine_inside.picked(query, 4), query.values[:, ::4])

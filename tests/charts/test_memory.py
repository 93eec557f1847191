"""The picture of a memory over time."""

from dataclasses import replace

import numpy as np
import pytest
import vl_convert

from tests import tiny
from viz_core import probe
from viz_core.analysis import memory as told
from viz_core.charts import memory
from viz_core.charts.kit.room import PAGE, Room

STAGE = Room(1810, 720, 720, 1.5)


def trace(length=4):
    bits = np.random.default_rng(length).integers(2, size=(length, 8))
    return probe.copy(tiny.ntm(), bits)


def rows(chart, field):
    """The rows of every table that has this field."""
    tables = chart.to_dict()["datasets"].values()
    return [row for table in tables for row in table if field in row]


@pytest.mark.parametrize("room", [PAGE, STAGE], ids=["page", "stage"])
@pytest.mark.parametrize("length", [1, 10, 20, 120])
def test_any_pattern_fits_into_its_room(length, room):
    chart = memory.tape(trace(length), 1, room=room).to_dict()
    assert chart["width"] <= room.width
    assert chart["height"] + memory.TITLE * room.scale <= room.heights(0)[-1] + 1
    assert "<svg" in vl_convert.vegalite_to_svg(chart, vl_version="6.4")


def test_marks_stay_so_few_that_the_longest_pattern_is_drawn_as_vectors():
    tables = memory.tape(trace(120), 1).to_dict()["datasets"].values()
    assert sum(map(len, tables)) < 2000


def test_every_input_and_every_step_can_be_clicked():
    found = trace(3)
    chart = memory.tape(found)
    cells = rows(chart, "bit")
    assert {(row["time"], row["bit"]) for row in cells if row["bit"] >= 0} == {
        (time, bit) for time in range(3) for bit in range(8)
    }
    assert [row["time"] for row in cells if row["bit"] < 0] == list(range(7))
    values = {(row["time"], row["bit"]): row["value"] for row in cells if row["bit"] >= 0}
    assert all(values[place] == found.bits[place] for place in values)
    (param,) = [param for param in chart.to_dict()["params"] if param["name"] == "cell"]
    assert param["select"]["fields"] == ["time", "bit"]


def test_hovering_a_step_tells_where_the_heads_stand():
    found = trace(3)
    step = next(row for row in rows(memory.tape(found), "reads at") if row["time"] == 4)
    place = int(found.reads[4].argmax())
    assert step["reads at"] == f"place {place + 1}, weight {found.reads[4, place]:.2f}"
    assert step["at"] == "output 1"


def test_the_title_is_the_verdict_once_the_answer_is_complete():
    found = trace(3)
    assert memory.tape(found).to_dict()["title"]["text"] == told.verdict(found)
    grown = memory.tape(found, 4, until=4).to_dict()
    assert grown["title"]["text"] == "Step 5 of 7: output 1"


def test_what_is_still_to_come_is_not_drawn(monkeypatch):
    images = []
    monkeypatch.setattr(memory, "png", lambda pixels: images.append(pixels) or "data:,")
    memory.tape(trace(3), 4, until=4, room=replace(PAGE, width=1000))
    _, targets, outputs, writes, reads = (image[..., 3] for image in images)
    assert targets[:, 1:].any() and not outputs[:, 1:].any()
    assert not writes[:, 5:].any() and not reads[:, 5:].any()
    assert writes[:, :5].any() and reads[:, :5].any()


def test_a_wrong_bit_is_vermilion_whether_it_is_0_or_1():
    image = []
    wrong = np.array([[True, True, False]])
    memory_png, memory.png = memory.png, lambda pixels: image.append(pixels) or "data:,"
    try:
        memory.pixels(np.array([[0.0, 1.0, 1.0]]), wrong)
    finally:
        memory.png = memory_png
    colours = [tuple(pixel[:3]) for pixel in image[0][0].tolist()]
    assert colours == [tuple(memory.VERMILION)] * 2 + [tuple(memory.BLUE)]
    assert image[0][0, 0, 3] > 0


def test_a_step_is_framed_in_its_own_panels_only():
    def framed(step):
        layers = memory.tape(trace(3), step).to_dict()
        return layers["layer"][-3]["data"]["name"], layers["datasets"]

    for step, panels in ((0, 3), (3, 3), (4, 4)):  # inputs or targets and outputs; two weightings
        name, tables = framed(step)
        assert len(tables[name]) == panels

"""The picture of a thought."""

import pytest

from tests import tiny
from viz_core import probe
from viz_core.analysis import ponder as told
from viz_core.charts import ponder
from viz_core.charts.kit.room import PAGE

WHERE = "Where is the milk?"


@pytest.fixture
def trace():
    return probe.ponder(tiny.universal(), tiny.STORY, WHERE)


def weights(spec):
    return [row for rows in spec["datasets"].values() for row in rows if "weight" in row]


def test_every_sentence_has_a_square_in_every_step(trace):
    spec = ponder.thinking(trace).to_dict()
    rows = weights(spec)
    assert len(rows) == len(trace.sentences) * trace.thought
    first = [row["weight"] for row in rows if row["step"] == 0]
    assert first == pytest.approx(told.looked(trace)[0].tolist(), abs=1e-4)
    assert told.verdict(trace) in spec["title"]["text"]


def test_steps_that_are_still_to_come_are_not_sent(trace):
    spec = ponder.thinking(trace, until=0).to_dict()
    assert all(row["weight"] == 0 for row in weights(spec) if row["step"] > 0)
    assert trace.answer not in str(spec["title"]["text"]) + spec["description"]


def test_a_long_story_fits_into_its_room():
    trace = probe.ponder(tiny.universal(), tiny.STORY * 2, WHERE)
    spec = ponder.thinking(trace).to_dict()
    assert sum(panel["width"] for panel in spec["hconcat"]) < PAGE.width
    assert max(panel["height"] for panel in spec["hconcat"]) < PAGE.height


def test_right_answers_and_steps_stand_side_by_side():
    rows = [
        {"name": name, told.ACCURACY: 0.9, "steps": 2.0, "needed": 1.0}
        for name in told.TASKS.values()
    ]
    spec = ponder.by_task(rows).to_dict()
    assert len(spec["hconcat"]) == 2 and "90.0%" in spec["description"]

import pytest

from viz_core import probe
from viz_core.atlas import published
from viz_core.by_hand import sizes
from viz_core.charts import sizes as charts


def rows(chart, field):
    tables = chart.to_dict()["datasets"].values()
    return [row for table in tables for row in table if field in row]


def test_the_bars_of_the_parts_add_up_to_the_total():
    drawn = rows(charts.parts(sizes.parts(sizes.BERT_BASE)), "parameters")
    assert sum(row["parameters"] for row in drawn) == sizes.total(sizes.BERT_BASE)


@pytest.mark.parametrize(("step", "done"), [(0, 0), (4, 4), (11, 11)])
def test_recurrence_lights_one_word_a_step_and_the_others_all_at_once(step, done):
    cells = rows(charts.lit(12, step), "word")
    lit = {
        kind: sum(cell["state"] == "done" for cell in cells if cell["layer"] == kind)
        for kind in charts.KINDS
    }
    assert lit == {"recurrence": done, "convolution": 12, "self-attention": 12}
    assert sum(cell["now"] for cell in cells) == 1


def test_glue_is_drawn_in_order_of_time_and_names_its_sources():
    found = rows(charts.glue(published.GLUE, published.GLUE_HUMAN), "month")
    assert [row["month"] for row in found] == sorted(row["month"] for row in found)
    assert all(row["source"] for row in found)


def test_a_layer_is_timed_or_the_limit_is_said():
    times = probe.layer_times(4, 8, 3)
    assert set(times) == set(charts.KINDS) and min(times.values()) > 0
    charts.costs(sizes.costs(4, 8, 3), times).to_dict()
    with pytest.raises(ValueError, match="up to 1024 words"):
        probe.layer_times(10**6, 8, 3)


def test_a_small_part_is_told_by_its_number():
    drawn = rows(charts.parts(sizes.parts(sizes.BERT_BASE)), "parameters")
    said = {row["part"]: row["said"] for row in drawn}
    assert said["sentence A or B"] == "1,536 in all" and said["positions"].endswith("under 1%")
    assert said["feed-forward"] == "56.67 M, 52%"

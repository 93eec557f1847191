"""Local attention taken apart."""

import numpy as np
import pytest
import vl_convert

from viz_core.charts import local
from viz_core.traces import AttentionTrace
from viz_core.traces.rnn import LocalTrace


def local_trace(queries=("la", "zone"), count=12, centres=(3.0, 6.4), reach=2.0):
    keys = tuple(f"k{i}" for i in range(count))
    middle = np.array(centres[: len(queries)], dtype=np.float32)
    distance = np.arange(count) - middle[:, None]
    content = (np.abs(distance) <= reach).astype(np.float32)
    content /= np.maximum(content.sum(axis=1, keepdims=True), 1)
    weights = (content * np.exp(-(distance**2) / (2 * (reach / 2) ** 2))).astype(np.float32)
    trace = AttentionTrace(
        kind="alignment", queries=queries, keys=keys, weights=weights[None, None]
    )
    return LocalTrace(
        attention=trace, content=content, centres=middle, sigma=reach / 2, reach=reach
    )


def svg(chart):
    return vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4")


def tables(chart, column):
    return [t for t in chart.to_dict()["datasets"].values() if t and column in t[0]]


def test_product_equals_content_times_gaussian_in_every_bar():
    for row in tables(local.window(local_trace(), 0), local.WEIGHT)[0]:
        product = row[local.CONTENT] * row[local.WINDOW]
        assert row[local.WEIGHT] == pytest.approx(product, abs=2e-4)


def test_the_centre_may_lie_between_two_words():
    chart = local.window(local_trace(), 1)
    middle = tables(chart, "text")[0][0]
    assert middle["left"] == pytest.approx(6.4)
    assert middle["text"] == "p = 6.4"


def test_the_curve_is_one_at_the_centre_and_ends_with_the_window():
    curve = max(tables(local.window(local_trace(), 0), "part"), key=len)
    assert max(point["value"] for point in curve) == pytest.approx(1, abs=1e-3)
    assert min(point["left"] for point in curve) == 0.5
    assert max(point["left"] for point in curve) == 5.5


def test_words_outside_the_window_lie_under_a_shade():
    shade = tables(local.window(local_trace(), 0), "middle")[0]
    assert [(s["left"], s["right"]) for s in shade] == [(-0.5, 0.5), (5.5, 11.5)]


def test_a_window_wider_than_the_sentence_cuts_nothing_off():
    chart = local.window(local_trace(reach=40.0), 0)
    assert not tables(chart, "middle")
    assert "<svg" in svg(chart)


def test_the_description_names_the_word_and_the_centre():
    said = local.window(local_trace(), 0).to_dict()["description"]
    assert said.startswith("la attends most to k3")
    assert said.endswith("centred at 3.0, on k3")


def test_the_window_compiles():
    assert "Writing" in svg(local.window(local_trace(), 1))


def test_the_ridge_is_a_point_for_each_target_word():
    chart = local.ridge(local_trace(), row=1)
    line = tables(chart, "p")[0]
    assert [point["p"] for point in line] == pytest.approx([3.0, 6.4], abs=1e-3)
    assert chart.to_dict()["description"] == "The centre moves forward in 100% of the steps"
    assert "<svg" in svg(chart)


def test_nothing_and_one_word_give_charts():
    none = local_trace(queries=(), count=0, centres=())
    assert "no words" in svg(local.ridge(none))
    assert "no words" in svg(local.window(none, 0))
    one = local_trace(queries=("a",), count=1, centres=(0.0,))
    assert "<svg" in svg(local.window(one, 0))
    assert "<svg" in svg(local.ridge(one))


def test_long_sources_show_the_words_around_the_centre():
    chart = local.window(local_trace(count=400, centres=(300.0, 300.0)), 0, limit=20)
    assert len(tables(chart, local.WEIGHT)[0]) == 20
    assert "source words 291 to 310 of 400" in chart.to_dict()["title"]["subtitle"]

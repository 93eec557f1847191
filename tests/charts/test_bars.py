"""Probabilities, entropies and next-word guesses as bars and tables."""

import numpy as np
import pytest
import vl_convert

from viz_core.charts import bars
from viz_core.traces import AttentionTrace, Prediction


def svg(chart):
    return vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4")


def rows(chart):
    return max(chart.to_dict()["datasets"].values(), key=len)


def trace(weights):
    weights = np.array(weights, dtype=np.float32)
    words = tuple(f"w{i}" for i in range(max(weights.shape)))
    queries, keys = words[: weights.shape[0]], words[: weights.shape[1]]
    return AttentionTrace(kind="alignment", queries=queries, keys=keys, weights=weights[None, None])


def test_equal_labels_have_bars_of_their_own():
    assert [r["value"] for r in rows(bars.bars(["la", "la"], [0.7, 0.3]))] == [0.7, 0.3]


def test_probabilities_are_drawn_from_zero_to_one():
    layer = bars.bars(["a"], [0.2]).to_dict()["layer"][0]
    assert layer["encoding"]["x"]["scale"]["domain"] == [0, 1]


def test_the_longest_bar_is_described():
    assert bars.finding(["mat", "bed"], [0.4, 0.2]) == "mat is highest, 0.40"
    assert bars.bars(["mat", "bed"], [0.4, 0.2]).to_dict()["description"] == "mat is highest, 0.40"


def test_many_bars_are_cut_and_the_title_says_so():
    chart = bars.bars([str(i) for i in range(100)], list(np.linspace(0, 1, 100)), limit=10)
    assert len(rows(chart)) == 10
    assert chart.to_dict()["title"]["subtitle"] == ["bars 1 to 10 of 100"]


def test_markup_in_a_label_stays_data():
    assert "&lt;i&gt;" in svg(bars.bars(["<i>"], [0.5]))


def test_no_bars_give_a_chart():
    assert "nothing to compare" in svg(bars.bars([], []))


@pytest.mark.parametrize(("unit", "most"), [("bits", 2.0), ("nats", np.log(4))])
def test_a_uniform_row_has_the_largest_entropy_and_a_sharp_one_none(unit, most):
    given = trace([[0.25] * 4, [0, 1, 0, 0]])
    assert bars.row_entropy(given, unit=unit) == pytest.approx([most, 0])
    assert "w1 looks sharpest" in bars.finding_of_entropy(given, unit=unit)
    assert "<svg" in svg(bars.entropy(given, unit=unit, highlight_row=1))


def test_entropy_of_no_words_gives_a_chart():
    assert "no words" in svg(bars.entropy(trace(np.zeros((0, 0)))))


def guess(*pairs):
    words, chances = zip(*pairs, strict=True)
    return Prediction(tokens=words, probabilities=chances)


def test_each_step_is_a_column_with_its_likeliest_words():
    steps = [guess(("le", 0.6), ("la", 0.3)), guess(("chat", 0.9), ("chien", 0.1))]
    chart = bars.predictions(steps, ["la", "chat"])
    found = {(r["step"], r["rank"]): (r["word"], r["written"]) for r in rows(chart)}
    assert found[0, 1] == ("le", False)
    assert found[0, 2] == ("la", True)
    assert found[1, 1] == ("chat", True)
    assert "Surest word chat, 0.90" in chart.to_dict()["description"]
    assert "<svg" in svg(chart)


def test_long_translations_show_the_steps_around_the_current_one():
    steps = [guess((f"w{i}", 1.0)) for i in range(100)]
    shown = {r["step"] for r in rows(bars.predictions(steps, limit=10, step=50))}
    assert shown == set(range(45, 55))


def test_no_predictions_give_a_chart():
    assert "no predictions" in svg(bars.predictions([]))

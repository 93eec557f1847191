"""Models beside each other."""

import numpy as np
import vl_convert

from viz_core.charts import comparison


def svg(chart):
    return vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4")


def test_each_label_has_a_bar_of_each_series():
    chart = comparison.grouped(["il", "elle"], {"on": [0.8, 0.2], "off": [0.3, 0.7]})
    rows = max(chart.to_dict()["datasets"].values(), key=len)
    found = {(r["label"], r["series"]): r["value"] for r in rows}
    assert found == {
        ("il", "on"): 0.8,
        ("il", "off"): 0.3,
        ("elle", "on"): 0.2,
        ("elle", "off"): 0.7,
    }
    assert chart.to_dict()["description"] == "on: il is highest, 0.80; off: elle is highest, 0.70"
    assert "<svg" in svg(chart)


def test_upright_bars_stand_in_the_direction_in_which_their_words_are_read():
    def domain(words, upright=True):
        chart = comparison.grouped(words, {"on": [0.8, 0.2, 0.1]}, upright=upright).to_dict()
        return chart["layer"][0]["encoding"]["x" if upright else "y"]["scale"]["domain"]

    assert domain(["il", "dort", "</s>"]) == [0, 1, 2]
    assert domain(["او", "خوابید", "</s>"]) == [2, 1, 0]
    assert domain(["او", "خوابید", "</s>"], upright=False) == [0, 1, 2]


def test_agreement_names_the_two_that_agree_most_and_not_one_with_itself():
    table = np.array([[1, 0.2, 0.9], [0.2, 1, -0.5], [0.9, -0.5, 1]])
    chart = comparison.agreement(["dot", "location", "general"], table)
    assert chart.to_dict()["description"] == "dot and general agree most, 0.90"
    assert chart.to_dict()["layer"][0]["encoding"]["color"]["scale"]["domain"] == [-1, 0, 1]
    assert "<svg" in svg(chart)


def test_nothing_to_compare_gives_a_chart():
    assert "nothing to compare" in svg(comparison.grouped([], {}))
    assert "nothing to compare" in svg(comparison.agreement([], np.zeros((0, 0))))
    assert "<svg" in svg(comparison.agreement(["dot"], np.ones((1, 1))))

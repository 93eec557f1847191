"""Lines with intervals, strips under text."""

import numpy as np
import pandas as pd
import pytest
import vl_convert

from viz_core.charts import summaries


def svg(chart):
    return vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4")


def scores():
    return pd.DataFrame(
        {
            "length": [10, 20, 10, 20],
            "BLEU": [30.0, 28.0, 29.0, 12.0],
            "model": ["attention", "attention", "none", "none"],
            "low": [28.0, 26.0, 27.0, 10.0],
            "high": [32.0, 30.0, 31.0, 14.0],
        }
    )


def test_lines_say_where_they_end():
    chart = summaries.lines(scores(), "length", "BLEU", "model", low="low", high="high")
    assert chart.to_dict()["description"] == (
        "attention: BLEU 28.00 at length 20; none: BLEU 12.00 at length 20"
    )
    picture = svg(chart)
    assert ">attention<" in picture
    assert ">none<" in picture


def test_intervals_are_drawn_only_when_given():
    bare = summaries.lines(scores(), "length", "BLEU", "model").to_dict()["layer"]
    full = summaries.lines(scores(), "length", "BLEU", "model", low="low", high="high")
    assert len(full.to_dict()["layer"]) == len(bare) + 1


def test_lines_differ_in_shape_as_well_as_in_colour():
    layers = summaries.lines(scores(), "length", "BLEU", "model").to_dict()["layer"]
    assert any("shape" in layer["encoding"] for layer in layers)


def test_names_of_lines_that_end_together_stand_apart():
    frame = scores().assign(BLEU=[30.0, 28.0, 29.0, 28.0]).rename(columns={"length": "x"})
    ends = summaries._line_ends(frame.rename(columns={"BLEU": "y", "model": "series"}))
    assert abs(ends["apart"].diff().iloc[1]) >= 1


def test_buckets_with_names_keep_their_order():
    frame = scores().assign(length=["1-10", "11-20"] * 2)
    assert "11-20" in svg(summaries.lines(frame, "length", "BLEU", "model"))


def test_column_names_with_dots_and_brackets_are_names():
    frame = scores().rename(columns={"BLEU": "BLEU [4.0]"})
    assert "<svg" in svg(summaries.lines(frame, "length", "BLEU [4.0]", "model"))


def test_no_measurements_give_a_chart():
    assert "no measurements" in svg(summaries.lines(scores()[:0], "length", "BLEU", "model"))


def test_a_strip_has_a_cell_for_each_gate_and_character():
    chart = summaries.strip("aab", np.array([[0, 0.5, 1], [1, 0, 0]]), ["forget", "input"])
    rows = next(iter(chart.to_dict()["datasets"].values()))
    assert [r["weight"] for r in rows] == [0, 0.5, 1, 1, 0, 0]
    assert chart.to_dict()["encoding"]["color"]["scale"]["domain"] == [0, 1]
    assert "<svg" in svg(chart)


def test_a_strip_takes_one_row_and_signed_values():
    chart = summaries.strip(["a", " "], np.array([-1.0, 1.0]), signed=True)
    assert chart.to_dict()["encoding"]["color"]["scale"]["domain"] == [-1, 0, 1]
    assert "␣" in svg(chart)


@pytest.mark.parametrize(("text", "values"), [("", np.zeros(0)), ("", np.zeros((3, 0)))])
def test_a_strip_under_no_text_gives_a_chart(text, values):
    assert "no text" in svg(summaries.strip(text, values))

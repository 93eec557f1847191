"""BLEU against the length of the sentence."""

import pandas as pd
import vl_convert

from viz_core.charts import lengths

GROUPS = ("5-8", "9-12", "21-24")


def table(**models):
    rows = [
        {"words": words, "BLEU": bleu, "low": bleu - 2, "high": bleu + 3, "model": name}
        for name, scores in models.items()
        for words, bleu in zip(GROUPS, scores, strict=True)
    ]
    return pd.DataFrame(rows, columns=["words", "BLEU", "low", "high", "model"])


def test_the_finding_compares_the_shortest_with_the_longest():
    said = lengths.finding(table(plain=(20, 15, 5), seen=(22, 21, 20)), "plain", "seen")
    assert said == "Attention adds 2.0 BLEU on sentences of 5-8 words and 15.0 on those of 21-24"


def test_an_effect_that_does_not_show_is_said_to_be_missing():
    said = lengths.finding(table(plain=(20, 15, 20), seen=(22, 21, 21)), "plain", "seen")
    assert said.endswith("the gain does not grow with the length")


def test_one_model_alone_is_told_from_short_to_long():
    said = lengths.finding(table(seen=(22, 21, 20)), "plain", "seen")
    assert said == "seen has 22.0 BLEU on sentences of 5-8 words and 20.0 on those of 21-24"


def test_lengths_keep_their_order_and_have_a_band():
    chart = lengths.curve(table(plain=(20, 15, 5), seen=(22, 21, 20)), "plain", "seen").to_dict()
    points = max(chart["datasets"].values(), key=len)
    assert [point["x"] for point in points[:3]] == list(GROUPS)
    assert points[0]["low"] == 18 and points[0]["high"] == 23
    assert "9-12" in vl_convert.vegalite_to_svg(chart, vl_version="6.4")


def test_nothing_measured_is_said():
    assert lengths.curve(table(), "a", "b").to_dict()["description"] == lengths.NOTHING
    assert lengths.finding(table(), "a", "b") == lengths.NOTHING

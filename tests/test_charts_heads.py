"""Lines between words."""

import numpy as np
import pytest
import vl_convert

from viz_core.charts import heads
from viz_core.traces import AttentionTrace


def trace(words=("[CLS]", "it", "it", "[SEP]"), layers=2, count=3):
    draw = np.random.default_rng(0).dirichlet(
        np.ones(max(len(words), 1)), (layers, count, len(words))
    )
    weights = draw[..., : len(words)].astype(np.float32)
    return AttentionTrace(kind="bert", queries=words, keys=words, weights=weights)


def svg(chart):
    return vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4")


def lines(chart):
    tables = chart.to_dict()["datasets"].values()
    return next((t for t in tables if t and "head" in t[0]), [])


def test_lines_below_the_threshold_are_not_sent():
    given = trace()
    found = lines(heads.head_view(given, 1, [0, 2], threshold=0.3))
    assert found
    assert all(line["weight"] >= 0.3 for line in found)
    assert len(found) == int((given.weights[1, [0, 2]] >= 0.3).sum())


def test_a_line_joins_its_query_to_its_key_with_its_weight():
    given = trace()
    for line in lines(heads.head_view(given, 1, [2], threshold=0.1)):
        assert line["head"] == 3
        expected = given.weights[1, 2, line["query"], line["key"]]
        assert line["weight"] == pytest.approx(expected, abs=1e-3)
        assert (line["start"], line["end"]) == (line["query"], line["key"])


def test_hidden_tokens_have_no_lines():
    found = lines(heads.head_view(trace(), 0, [0, 1], hide=("[CLS]", "[SEP]")))
    assert found
    assert {line["query"] for line in found} | {line["key"] for line in found} == {1, 2}


def test_repeated_words_keep_their_own_rows():
    words = [t for t in heads.head_view(trace(), 0, [0]).to_dict()["datasets"].values() if t]
    left = next(t for t in words if "word" in t[0] and "query" in t[0])
    assert [(row["place"], row["word"]) for row in left] == list(
        enumerate(["[CLS]", "it", "it", "[SEP]"])
    )


def test_hover_pin_and_legend_are_selections_of_the_browser():
    params = {p["name"]: p for p in heads.head_view(trace(), 0, [0, 1]).to_dict()["params"]}
    assert params["asks"]["select"]["on"] == "pointerover"
    assert params["pin"]["select"]["toggle"] == "true"
    assert params["heads"]["bind"] == "legend"


def test_the_focused_word_is_pinned_and_described():
    given = trace()
    spec = heads.head_view(given, 1, [1], focus=1).to_dict()
    pin = next(p for p in spec["params"] if p["name"] == "pin")
    assert pin["value"] == [{"query": 1}]
    best = given.weights[1, 1, 1]
    assert spec["description"] == (
        f"it attends most to {given.keys[best.argmax()]}, {best.max():.2f}, layer 2 head 2"
    )


def test_the_picture_compiles_and_markup_stays_data():
    picture = svg(heads.head_view(trace(("<b>", "🙂", '"')), 0, [0, 1, 2]))
    assert "&lt;b&gt;" in picture


def test_long_sentences_are_cut_around_the_focus_and_lines_are_bounded():
    given = trace(tuple(f"w{i}" for i in range(300)), layers=1, count=12)
    chart = heads.head_view(given, 0, range(12), limit=50, focus=200, most=400)
    found = lines(chart)
    assert len(found) <= 400
    assert all(175 <= line["query"] < 225 for line in found)
    assert "words 176 to 225 of 300" in chart.to_dict()["title"]["subtitle"]


def test_no_words_and_no_heads_give_a_chart():
    assert "no words" in svg(heads.head_view(trace(()), 0, [0]))
    assert "at least one head" in svg(heads.head_view(trace(), 0, []))


def test_one_word_gives_a_chart():
    assert "<svg" in svg(heads.head_view(trace(("a",)), 0, [0]))


def test_no_line_above_the_threshold_still_gives_the_words():
    assert "[CLS]" in svg(heads.head_view(trace(), 0, [0], threshold=1.0))

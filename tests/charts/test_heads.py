"""Lines between words."""

import re
from dataclasses import replace

import altair as alt
import numpy as np
import pytest
import vl_convert

from viz_core.charts import head_chips, heads
from viz_core.traces import AttentionTrace


def trace(words=("[CLS]", "it", "it", "[SEP]"), layers=2, count=3):
    draw = np.random.default_rng(0).dirichlet(
        np.ones(max(len(words), 1)), (layers, count, len(words))
    )
    weights = draw[..., : len(words)].astype(np.float32)
    return AttentionTrace(kind="self", queries=words, keys=words, weights=weights)


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


def ends(picture):
    """Where the lines of a compiled picture begin and end, top to bottom, in rows of words."""
    marks = re.findall(r"<line[^>]*>", picture)
    found = [
        re.search(r"translate\(0,([-\d.]+)\).*?(?:y2=\"([-\d.]+)\"|/>)", mark) for mark in marks
    ]
    pairs = [(float(mark[1]), float(mark[2] or 0)) for mark in found if mark]
    return sorted((float(y) / 25 - 0.5, (float(y) + float(by)) / 25 - 0.5) for y, by in pairs)


def test_the_browser_draws_a_line_from_its_query_to_its_key():
    given = trace()
    chart = heads.head_view(given, 1, [2], threshold=0.1)
    expected = sorted((line["query"], line["key"]) for line in lines(chart))
    assert ends(svg(chart)) == [pytest.approx(pair) for pair in expected]


def test_lines_of_several_heads_between_the_same_words_lie_beside_each_other():
    given = trace(("a", "b"), layers=1, count=3)
    given.weights[:] = 0
    given.weights[0, :, 0, 1] = 1
    gaps = [(row, 1 + row) for row in (-0.12, 0, 0.12)]
    assert ends(svg(heads.head_view(given, 0, [0, 1, 2]))) == [
        pytest.approx(pair, abs=1e-6) for pair in gaps
    ]


def test_the_written_chart_is_valid_vega_lite_and_what_is_sent_is_small():
    chart = heads.head_view(trace(tuple("abcdefghijklmn"), count=12), 1, range(12), focus=2)
    alt.LayerChart.validate(chart.to_dict())
    with pytest.raises(Exception, match="nonsense"):
        alt.LayerChart.validate(chart.to_dict() | {"nonsense": 1})
    assert set(lines(chart)[0]) == {"query", "key", "head", "weight"}
    assert chart.properties(width=99).to_dict()["width"] == 99
    assert chart.copy().to_dict() == chart.to_dict()


def test_hidden_tokens_have_no_lines():
    found = lines(heads.head_view(trace(), 0, [0, 1], hide=("[CLS]", "[SEP]")))
    assert found
    assert {line["query"] for line in found} | {line["key"] for line in found} == {1, 2}


def test_repeated_words_keep_their_own_rows():
    layers = heads.head_view(trace(), 0, [0]).to_dict()["layer"]
    left = next(
        part["data"]["values"]
        for part in layers
        if "text" in part["encoding"] and "values" in part["data"]
    )
    assert [(row["query"], row["word"]) for row in left] == list(
        enumerate(["[CLS]", "it", "it", "[SEP]"])
    )


def test_hover_pin_and_heads_are_selections_of_the_browser():
    params = {p["name"]: p for p in heads.head_view(trace(), 0, [0, 1]).to_dict()["params"]}
    assert params["asks"]["select"]["on"].startswith("@left_marks:pointerover")
    assert params["pin"]["select"]["toggle"] == "true"
    assert params["heads"]["select"]["toggle"] == "true"
    assert params["heads"]["value"] == [{"head": 1}, {"head": 2}]


def titles(picture):
    return re.findall(r"role-title-text.*?<text[^>]*>([^<]*)<", picture)


def chips(picture):
    """The heads that can be clicked, by number."""
    return re.findall(r">(\d+)</text>", picture)


def test_one_lit_head_is_named_in_the_title_and_a_head_alone_needs_no_chip():
    given = trace()
    alone, both = (svg(heads.head_view(given, 1, chosen)) for chosen in ([2], [0, 2]))
    assert (titles(alone), titles(both)) == (["Layer 2, head 3"], ["Layer 2"])
    assert titles(svg(heads.head_view(given, 1, [0, 2], lit=[2]))) == ["Layer 2, head 3"]
    assert (chips(alone), chips(both)) == ([], ["1", "3"])
    mean = replace(given, weights=given.weights[:1, :1])
    assert not titles(svg(heads.head_view(mean, 0, [0])))


def test_twelve_heads_stand_apart_in_a_narrow_column():
    """What is free between a number and the next square is the same for 9 and for 11."""
    layers = head_chips.chips(range(12), (80, 280, 78), 1.0)
    at = [row["at"] for row in layers[0]["data"]["values"]]
    number, size = layers[1]["mark"]["xOffset"], layers[1]["mark"]["fontSize"]
    ends = [x + number + 0.6 * size * len(str(head + 1)) for head, x in enumerate(at)]
    gaps = [start - end for start, end in zip(at[1:], ends, strict=False)]
    assert min(gaps) == pytest.approx(max(gaps))
    assert min(gaps) > 6
    assert ends[-1] <= 280 + 78


def test_all_heads_are_sent_and_only_the_lit_ones_drawn():
    given = trace()
    chart = heads.head_view(given, 1, [0, 1, 2], lit=[1], threshold=0.1)
    assert {line["head"] for line in lines(chart)} == {1, 2, 3}
    assert ends(svg(chart)) == ends(svg(heads.head_view(given, 1, [1], threshold=0.1)))


def test_no_lit_head_leaves_the_words_and_the_heads_to_click():
    picture = svg(heads.head_view(trace(), 0, [0, 1], lit=[]))
    assert "at least one head" in picture and chips(picture) == ["1", "2"] and not ends(picture)


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
    chart = heads.head_view(given, 0, range(12), limit=40, focus=200, most=30)
    found = lines(chart)
    assert [sum(line["head"] == 1 + head for line in found) for head in range(12)] == [30] * 12
    kept = sorted(line["weight"] for line in found if line["head"] == 12)
    strongest = np.sort(given.weights[0, 11, 180:220, 180:220].ravel())[-30:]
    assert kept == pytest.approx(strongest.tolist(), abs=1e-3)
    assert "of each head its 30 strongest lines" in chart.to_dict()["title"]["subtitle"]
    assert all(180 <= line["query"] < 220 for line in found)
    assert "words 181 to 220 of 300" in chart.to_dict()["title"]["subtitle"]


def test_no_words_and_no_heads_give_a_chart():
    assert "no words" in svg(heads.head_view(trace(()), 0, [0]))
    assert "at least one head" in svg(heads.head_view(trace(), 0, []))


def test_one_word_gives_a_chart():
    assert "<svg" in svg(heads.head_view(trace(("a",)), 0, [0]))


def test_no_line_above_the_threshold_still_gives_the_words():
    assert "[CLS]" in svg(heads.head_view(trace(), 0, [0], threshold=1.0))

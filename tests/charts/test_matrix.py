"""Alignment matrices."""

import json

import altair as alt
import numpy as np
import pytest
import vl_convert

from viz_core.charts import matrix
from viz_core.traces import AttentionTrace


def trace(queries=("la", "zone", "la"), keys=("the", "area", "the"), seed=0, heads=1):
    draw = np.random.default_rng(seed).dirichlet(
        np.ones(max(len(keys), 1)), (1, heads, len(queries))
    )
    weights = draw[..., : len(keys)].astype(np.float32)
    return AttentionTrace(kind="alignment", queries=queries, keys=keys, weights=weights)


def layers(chart):
    """The layers of the matrix itself, without the bars."""
    spec = chart.to_dict()
    return (spec["hconcat"][0] if "hconcat" in spec else spec)["layer"], spec


def rows(chart, columns):
    spec = chart.to_dict()
    tables = [t for t in spec["datasets"].values() if t and set(columns) <= set(t[0])]
    return max(tables, key=len)


def svg(chart):
    return vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4")


def test_a_repeated_word_keeps_its_own_row_and_column():
    cells = rows(matrix.matrix(trace()), ["query", "key", "weight"])
    assert {(c["query"], c["key"]) for c in cells} == {(q, k) for q in range(3) for k in range(3)}
    found, _ = layers(matrix.matrix(trace()))
    assert '["la", "zone", "la"]' in found[0]["encoding"]["y"]["axis"]["labelExpr"]


def test_each_cell_has_the_weight_of_its_query_and_key():
    given = trace()
    for cell in rows(matrix.matrix(given), ["query", "key", "weight"]):
        expected = given.weights[0, 0, cell["query"], cell["key"]]
        assert cell["weight"] == pytest.approx(expected, abs=1e-4)


def test_the_colour_domain_is_zero_to_one():
    found, _ = layers(matrix.matrix(trace()))
    assert found[0]["encoding"]["color"]["scale"]["domain"] == [0, 1]


def test_sources_stand_across_the_top_and_cells_are_square():
    found, spec = layers(matrix.matrix(trace()))
    assert found[0]["encoding"]["x"]["axis"]["orient"] == "top"
    assert spec["hconcat"][0]["width"] == spec["hconcat"][0]["height"]


def test_a_click_selects_query_and_key():
    _, spec = layers(matrix.matrix(trace()))
    cell = next(p for p in spec["params"] if p["name"] == "cell")
    assert cell["select"]["fields"] == ["query", "key"]
    assert cell["select"]["on"] == "click"


@pytest.mark.parametrize(("given", "first"), [(None, 0), (2, 2)])
def test_the_hovered_row_starts_at_the_highlighted_one_and_stays(given, first):
    _, spec = layers(matrix.matrix(trace(), highlight_row=given))
    row = next(p for p in spec["params"] if p["name"] == "row")
    assert row["value"] == first or row["value"] == [{"query": first}]
    assert row["select"]["clear"] is False


def test_the_description_states_the_finding():
    given = trace(queries=("it",), keys=("animal", "street"))
    given.weights[0, 0, 0] = (0.62, 0.38)
    assert matrix.finding(given, row=0) == "it attends most to animal, 0.62"
    assert matrix.matrix(given).to_dict()["description"] == "it attends most to animal, 0.62"


def test_concealed_weights_are_not_sent():
    chart = matrix.matrix(trace(), conceal=True, values=True)
    assert all(cell["weight"] == 0 for cell in rows(chart, ["query", "key", "weight"]))
    assert "attends" not in json.dumps(chart.to_dict())


def test_numbers_stand_in_the_cells_only_when_asked():
    with_numbers, without = matrix.matrix(trace(), values=True), matrix.matrix(trace())
    assert len(layers(with_numbers)[0]) == len(layers(without)[0]) + 1


def test_markup_stays_data_and_the_picture_compiles():
    picture = svg(matrix.matrix(trace(queries=("<b>x</b>", '"\\'), keys=("</svg>", "🙂", "سلام"))))
    assert "&lt;b&gt;x&lt;/b&gt;" in picture
    assert "<b>x</b>" not in picture


@pytest.mark.parametrize(("queries", "keys"), [((), ()), (("a",), ()), ((), ("a",))])
def test_nothing_gives_a_chart_that_says_so(queries, keys):
    assert "no words" in svg(matrix.matrix(trace(queries, keys)))


def test_one_word_gives_a_chart():
    assert "<svg" in svg(matrix.matrix(trace(("a",), ("b",))))


def test_a_long_sentence_is_cut_around_the_row_and_the_title_says_so():
    words = tuple(f"w{i}" for i in range(300))
    chart = matrix.matrix(trace(words, words), limit=20, highlight_row=150)
    cells = rows(chart, ["query", "key", "weight"])
    assert len(cells) == 400
    assert min(c["query"] for c in cells) == 140
    assert "target words 141 to 160 of 300" in chart.to_dict()["title"]["subtitle"]


def test_the_mean_over_heads_is_shown_for_head_none():
    given = trace(heads=4)
    cell = rows(matrix.matrix(given, head=None), ["query", "key", "weight"])[0]
    assert cell["weight"] == pytest.approx(given.weights[0, :, 0, 0].mean(), abs=1e-4)


def test_hovering_one_panel_reaches_all():
    chart = matrix.matrices({"additive": trace(), "dot": trace(seed=1), "none": trace(seed=2)})
    spec = chart.to_dict()
    names = [panel["layer"][0]["name"] for panel in spec["concat"]]
    row = next(p for p in spec["params"] if p["name"] == "row")
    assert row["views"] == names
    assert len(names) == 3
    assert "<svg" in svg(chart)


def test_panels_are_linked_by_the_occurrence_of_a_word():
    chart = matrix.matrices({"a": trace(("la", "la")), "b": trace(("une", "la", "zone", "la"))})
    tables = [t for t in chart.to_dict()["datasets"].values() if "weight" in t[0]]
    links = [{c["query"]: c["linked"] for c in table} for table in tables]
    assert {0: "la 0", 1: "la 1"} in links
    assert {0: "une 0", 1: "la 0", 2: "zone 0", 3: "la 1"} in links


def test_panels_of_unequal_depth_show_the_layer_they_have():
    deep = AttentionTrace(
        kind="cross", queries=("a",), keys=("b",), weights=np.ones((4, 8, 1, 1), np.float32)
    )
    assert "<svg" in svg(matrix.matrices({"rnn": trace(), "deep": deep}, layer=3, head=7))


def test_no_panels_give_a_chart():
    assert isinstance(matrix.matrices({}), alt.Chart)


def test_a_difference_is_drawn_from_minus_one_to_one():
    a, b = trace(keys=("too", "tired", ".")), trace(keys=("too", "wide", "."), seed=5)
    chart = matrix.difference(a, b, names=("tired", "wide"))
    found, _ = layers(chart)
    assert found[0]["encoding"]["color"]["scale"]["domain"] == [-1, 0, 1]
    assert "tired | wide" in found[0]["encoding"]["x"]["axis"]["labelExpr"]
    change = rows(chart, ["query", "key", "weight"])[0]["weight"]
    assert change == pytest.approx(a.weights[0, 0, 0, 0] - b.weights[0, 0, 0, 0], abs=1e-4)
    assert "<svg" in svg(chart)


def test_sentences_of_unequal_length_cannot_be_subtracted():
    with pytest.raises(ValueError, match="equal length"):
        matrix.difference(trace(), trace(keys=("one",)))


def test_columns_run_in_the_direction_in_which_the_source_is_read():
    weights = np.eye(2, 3, dtype=np.float32)[None, None]
    for keys, first in ((("به", "خانه", "می‌روم"), 2), (("I", "go", "home"), 0)):
        given = AttentionTrace(kind="cross", queries=("a", "b"), keys=keys, weights=weights)
        (squares, *_), _ = layers(matrix.matrix(given))
        assert squares["encoding"]["x"]["scale"]["domain"][0] == first
    own = ("<s>", "به", "خانه")  # at the first step of a decoder no word is told yet
    given = AttentionTrace(
        kind="masked", queries=own, keys=own, weights=np.ones((1, 1, 3, 3), np.float32) / 3
    )
    (squares, *_), _ = layers(matrix.matrix(given, written=1))
    assert squares["encoding"]["x"]["scale"]["domain"][0] == 2

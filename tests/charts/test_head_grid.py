"""All layers and heads at a glance."""

import numpy as np
import pytest
import vl_convert

from viz_core.charts import head_grid
from viz_core.traces import AttentionTrace


def trace(layers=2, heads=3, words=5):
    weights = np.random.default_rng(0).random((layers, heads, words, words)).astype(np.float32)
    tokens = tuple(f"w{i}" for i in range(words))
    return AttentionTrace(kind="self", queries=tokens, keys=tokens, weights=weights)


def test_long_sentences_keep_the_largest_of_neighbouring_weights():
    weights = np.zeros((1, 1, 512, 512), np.float32)
    weights[0, 0, 300, 17] = 1
    assert head_grid.pooled(weights).shape == (1, 1, head_grid.DOTS, head_grid.DOTS)
    assert head_grid.pooled(weights).max() == 255


def test_the_sharpest_and_the_broadest_head_are_described():
    weights = np.full((1, 2, 2, 2), 0.5, np.float32)
    weights[0, 1] = np.eye(2)
    given = AttentionTrace(kind="self", queries=("a", "b"), keys=("a", "b"), weights=weights)
    assert head_grid.finding(given) == (
        "Sharpest is layer 1 head 2, mean largest weight 1.00; broadest is layer 1 head 1, 0.50"
    )


def test_a_click_on_the_grid_selects_layer_and_head():
    scores = np.array([[0.1, 0.9], [0.3, 0.2]])
    spec = head_grid.head_grid(
        scores, "it resolved", [["a", "b"], ["c", "d"]], chosen=(0, 1)
    ).to_dict()
    tile = next(p for p in spec["params"] if p["name"] == "tile")
    assert tile["select"]["fields"] == ["layer", "head"]
    assert tile["value"] == [{"layer": 0, "head": 1}]
    assert spec["description"] == "it resolved: highest in layer 1 head 2, 0.90"
    assert "<svg" in vl_convert.vegalite_to_svg(spec, vl_version="6.4")


@pytest.mark.parametrize("extent", [1.0, 4.0])
def test_grid_colours_are_those_of_zero_to_one_whatever_the_extent(extent):
    spec = head_grid.head_grid(np.array([[2.0, 4.0]]), "entropy", extent=extent).to_dict()
    rows = next(iter(spec["datasets"].values()))
    assert [r["score"] for r in rows] == [2, 4]
    assert all(0 <= r["weight"] <= 1 for r in rows)
    assert spec["layer"][0]["encoding"]["color"]["scale"]["domain"] == [0, 1]


def test_no_heads_give_a_chart():
    assert head_grid.head_grid(np.zeros((0, 0)), "none").to_dict()["description"]

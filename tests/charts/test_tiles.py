"""Tiles: every head is a picture of its own weights, and a click names it."""

import base64
import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from viz_core.charts import tiles
from viz_core.charts.kit.room import Room
from viz_core.traces import AttentionTrace


def trace(layers: int = 2, heads: int = 3, size: int = 5) -> AttentionTrace:
    weights = np.random.default_rng(2).random((layers, heads, size, size)).astype(np.float32)
    words = tuple(f"w{i}" for i in range(size))
    return AttentionTrace(
        kind="self", queries=words, keys=words, weights=weights / weights.sum(-1, keepdims=True)
    )


def rows(chart) -> list[dict]:
    (data,) = [
        values
        for values in chart.to_dict()["datasets"].values()
        if len(values) == 6 and "picture" in values[0]
    ]
    return data


def opened(address: str) -> np.ndarray:
    kind, data = address.split(",", 1)
    assert kind == "data:image/png;base64"
    return np.array(Image.open(io.BytesIO(base64.b64decode(data))))


def test_any_image_reader_gets_the_same_pixels_back():
    pixels = np.random.default_rng(1).integers(0, 256, (7, 3, 4)).astype(np.uint8)
    np.testing.assert_array_equal(opened(tiles.png(pixels)), pixels)


def test_a_tile_is_as_opaque_as_the_root_of_its_weights():
    given = trace()
    for row in rows(tiles.tiles(given)):
        opacity = opened(row["picture"])[..., 3] / 255
        weights = given.weights[row["layer"], row["head"]]
        np.testing.assert_allclose(opacity**2, weights, atol=0.01)


def test_a_click_names_layer_and_head():
    (selection,) = [
        one for one in tiles.tiles(trace()).to_dict()["params"] if one["name"] == "tile"
    ]
    assert selection["select"]["fields"] == ["layer", "head"]
    assert selection["select"]["on"] == "click"


def test_chosen_heads_are_framed():
    framed = [
        (row["layer"], row["head"])
        for row in rows(tiles.tiles(trace(), chosen=[(0, 2), (1, 1)]))
        if row["chosen"]
    ]
    assert framed == [(0, 2), (1, 1)]


def test_habits_are_signs_that_are_explained():
    labels = [["previous", "", "it"], ["separator", "", "broad"]]
    chart = tiles.tiles(trace(), labels=labels)
    assert [row["sign"] for row in rows(chart)] == ["←", "", "it", "⇥", "", "≈"]
    legend = chart.to_dict()["title"]["subtitle"][0]
    assert legend == "← previous · ⇥ separator · ≈ broad · it = finds what it means"
    assert set(tiles.SIGNS) >= {"previous", "next", "self", "first", "separator", "broad", "it"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("[CLS]", "it", "[SEP]"), "⇤ [CLS] · ⇥ [SEP]"),
        (("<s>", "it", "</s>"), "⇤ <s> · ⇥ </s>"),
        (("it", "was", "."), "⇤ the first token · ⇥ separator"),
    ],
)
def test_the_ends_of_a_text_are_called_what_its_model_calls_them(words, told):
    given = replace(trace(size=3), queries=words, keys=words)
    chart = tiles.tiles(given, labels=[["first", "", ""], ["separator", "", ""]])
    assert chart.to_dict()["title"]["subtitle"][0] == told


def test_512_tokens_are_pooled_and_the_subtitle_says_so():
    chart = tiles.tiles(trace(size=512))
    assert "512 tokens" in str(chart.to_dict()["title"]["subtitle"])
    assert opened(rows(chart)[0]["picture"]).shape == (48, 48, 4)
    assert len(str(chart.to_dict())) < 200_000


def test_the_finding_names_the_sharpest_head():
    given = trace()
    sure = given.weights.max(axis=3).mean(axis=2)
    layer, head = np.unravel_index(int(sure.argmax()), sure.shape)
    said = tiles.tiles(given).to_dict()["description"]
    assert said.startswith(f"Sharpest is layer {layer + 1} head {head + 1}")


@pytest.mark.parametrize("scale", [1.0, 1.8])
def test_it_grows_with_the_hall(scale):
    spec = tiles.tiles(trace(), room=Room(1000, 700, 700, scale)).to_dict()
    assert spec["width"] == pytest.approx((3 * tiles.TILE + 2 * tiles.GAP) * scale)


def test_no_words_get_a_sentence():
    empty = AttentionTrace(
        kind="self", queries=(), keys=(), weights=np.zeros((1, 1, 0, 0), dtype=np.float32)
    )
    assert "no words" in tiles.tiles(empty).to_dict()["description"]

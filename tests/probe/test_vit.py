"""A picture in patches, as the pages ask for it."""

import json

import numpy as np
import pytest
import vl_convert

from tests import tiny
from viz_core import analysis, probe
from viz_core.analysis import patches as told
from viz_core.charts import patches
from viz_core.traces.photo import Photo, shuffled, squared

IMAGE = np.random.default_rng(2).integers(0, 256, (40, 60, 3), np.uint8)


def test_a_picture_gets_probabilities_and_every_head():
    trace = probe.look(tiny.vit(), IMAGE)
    assert trace.probabilities.sum() == pytest.approx(1, abs=1e-5)
    assert trace.attention.grid == (4, 4)
    assert trace.attention.weights.shape == (2, 2, 17, 17)
    np.testing.assert_allclose(trace.attention.weights.sum(-1), 1, rtol=1e-5)
    assert trace.best in ("cat", "dog", "ship")


def test_maps_are_rows_of_the_attention_laid_on_the_grid():
    trace = probe.look(tiny.vit(), IMAGE)
    maps = told.head_maps(trace, 6)
    assert maps[1, 0, 2, 3] == trace.attention.weights[1, 0, 6, 1 + 2 * 4 + 3]
    flow = analysis.rollout(trace.attention.weights)
    assert told.rolled(trace, 0)[1, 2] == flow[0, 1 + 1 * 4 + 2]


def test_places_are_compared_by_their_cosine():
    cosines = probe.patch_positions(tiny.vit())
    assert cosines.shape == (16, 16)
    np.testing.assert_allclose(np.diag(cosines), 1, rtol=1e-5)


def test_shuffling_moves_whole_patches_and_zero_moves_none():
    small = squared(Photo.of(IMAGE), 16)
    assert shuffled(small, 4, 0) == small
    moved = shuffled(small, 4, 3)
    assert moved != small

    def cut(photo):
        pixels = np.asarray(photo).reshape(4, 4, 4, 4, 3).swapaxes(1, 2).reshape(16, -1)
        return sorted(row.tobytes() for row in pixels)

    assert cut(moved) == cut(small)


def test_another_model_does_not_read_patches():
    with pytest.raises(ValueError, match="choose vit"):
        probe.look(tiny.ntm(), IMAGE)
    with pytest.raises(ValueError, match="red, green and blue"):
        probe.look(tiny.vit(), np.zeros((8, 8), np.uint8))


def test_the_charts_of_a_picture_are_drawn():
    trace = probe.look(tiny.vit(), IMAGE)
    photo = squared(Photo.of(IMAGE), 16)
    heads = patches.heads(photo, trace, 0, layer=1).to_dict()
    assert "layer 2 head 1" in json.dumps(heads) and "layer 1 head 1" not in json.dumps(heads)
    assert "the largest" in json.dumps(heads) and "1.00 bright" not in json.dumps(heads)
    alike = json.dumps(patches.alike(probe.patch_positions(tiny.vit()), 4).to_dict())
    assert vl_convert.vegalite_to_png(alike)[:4] == b"\x89PNG"
    assert told.quality({}) == ""

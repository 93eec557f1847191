"""Pictures from seeds, as the page asks for them."""

import json

import numpy as np
import pytest
import torch
import vl_convert

from tests import tiny
from viz_core import probe
from viz_core.analysis import dream as told
from viz_core.charts import dream
from viz_core.probe.sagan import between
from viz_core.traces.image import Drawn


def test_the_same_seed_draws_the_same_picture_and_another_one_does_not():
    one, again, other = (probe.draw(tiny.sagan(), seed) for seed in (7, 7, 8))
    np.testing.assert_array_equal(one.image, again.image)
    np.testing.assert_array_equal(one.attention.weights, again.attention.weights)
    assert (one.image != other.image).any()
    assert one.image.shape == (16, 16, 3) and one.image.dtype == np.uint8
    assert one.attention.grid == (8, 8) and one.kind == "rose"  # 7 % 3


def test_rows_sum_to_one_and_a_map_is_a_row_laid_on_the_grid():
    drawn = probe.draw(tiny.sagan(), 7)
    np.testing.assert_allclose(drawn.attention.weights.sum(-1), 1, rtol=1e-5)
    assert drawn.map((2, 3))[5, 1] == drawn.attention.weights[0, 0, 2 * 8 + 3, 5 * 8 + 1]


def test_without_strength_gamma_is_zero_and_the_noise_is_the_same():
    drawn, without = (probe.draw(tiny.sagan(), 7, strength=share) for share in (1.0, 0.0))
    assert without.gamma == 0 != drawn.gamma
    # the layer still looks, from the same features; what it finds is not added
    np.testing.assert_array_equal(drawn.attention.weights, without.attention.weights)
    assert (drawn.image != without.image).any()


def test_a_walk_begins_and_ends_with_the_pictures_of_its_seeds():
    way = probe.walk(tiny.sagan(), 7, 20, 5, "daisy")
    assert way.shape == (5, 16, 16, 3)
    np.testing.assert_array_equal(way[0], probe.draw(tiny.sagan(), 7, "daisy").image)
    np.testing.assert_array_equal(way[-1], probe.draw(tiny.sagan(), 20, "daisy").image)
    middle = probe.draw(tiny.sagan(), 7, "daisy", 1.0, 20, 0.5)
    np.testing.assert_array_equal(way[2], middle.image)


def test_the_twin_walks_too_whatever_the_strength():
    twin = tiny.sagan(attention=False)
    full, none = (probe.walk(twin, 7, 20, 3, "daisy", strength) for strength in (1.0, 0.0))
    np.testing.assert_array_equal(full, none)
    assert (full != probe.walk(tiny.sagan(), 7, 20, 3, "daisy")).any()


def test_the_way_is_an_arc():
    one, other = torch.tensor([3.0, 0.0]), torch.tensor([0.0, 3.0])
    torch.testing.assert_close(between(one, other, 1 / 3), 3 * torch.tensor([0.75**0.5, 0.5]))
    torch.testing.assert_close(between(one, one, 0.5), one)


@pytest.mark.parametrize(
    ("bundle", "given", "said"),
    [
        (tiny.ntm, (1,), "choose sagan"),
        (lambda: tiny.sagan(attention=False), (1,), "no attention to show"),
        (tiny.sagan, (-1,), "whole number"),
        (tiny.sagan, (1, "oak"), "draws no oak: choose one of daisy, rose, tulip"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(bundle, given, said):
    with pytest.raises(ValueError, match=said):
        probe.draw(bundle(), *given)


def test_a_record_checks_its_sizes():
    drawn = probe.draw(tiny.sagan(), 7)
    with pytest.raises(ValueError, match=r"\(16, 16\), not"):
        Drawn(image=drawn.image[..., 0], attention=drawn.attention, kind="", gamma=0.0)


def test_weight_far_away_is_counted_by_brute_force():
    drawn = probe.draw(tiny.sagan(), 7)
    expected = sum(
        float(drawn.map((2, 3))[row, column])
        for row in range(8)
        for column in range(8)
        if (row - 2) ** 2 + (column - 3) ** 2 > told.FAR**2
    )
    assert told.far(drawn)[2 * 8 + 3] == pytest.approx(expected, rel=1e-5)
    apart = [
        (a - c) ** 2 + (b - d) ** 2 > 4
        for a in range(3)
        for b in range(3)
        for c in range(3)
        for d in range(3)
    ]
    assert told.even((3, 3), 2) == pytest.approx(sum(apart) / len(apart))


def test_the_charts_are_drawn_and_a_map_has_the_colour_of_its_point():
    drawn, without = (probe.draw(tiny.sagan(), 7, strength=share) for share in (1.0, 0.0))
    asked = ((3, 3), (0, 0), (6, 2))
    both = dream.pictures(drawn, without, asked).to_dict()
    maps = dream.maps(drawn, asked).to_dict()
    colours = [
        [row["colour"] for rows in chart["datasets"].values() for row in rows if "colour" in row]
        for chart in (both, maps)
    ]
    assert colours[0] == colours[1] and len(set(colours[0])) == 3
    assert {param["name"] for param in both["params"]} == {"look", "place"}
    for chart in (both, maps):
        assert vl_convert.vegalite_to_png(json.dumps(chart))[:4] == b"\x89PNG"
    walk = dream.walk(probe.walk(tiny.sagan(), 7, 8, 4), (7, 8), 1, name="A twin").to_dict()
    assert "seed 8" in json.dumps(walk) and walk["description"].startswith("A twin. 4 pictures")


def test_a_picture_that_is_pointed_at_tells_of_no_words():
    """Its maps are scaled: their largest weight stands below them, and would be 1 in a tip."""
    drawn = probe.draw(tiny.sagan(), 7)
    chart = json.dumps(dream.maps(drawn, ((3, 3), (0, 0))).to_dict())
    assert '"title": "picture"' in chart
    assert '"title": "word"' not in chart and '"title": "largest weight"' not in chart


def test_sentences_have_the_numbers_of_the_record():
    drawn, without = (probe.draw(tiny.sagan(), 7, strength=share) for share in (1.0, 0.0))
    share = told.far(drawn)[0]
    assert f"{share:.0%} of it lies more than 4 places away" in told.finding(drawn, (0, 0))
    assert f"{told.even((8, 8)):.0%}" in told.reach(drawn)
    received = max(
        sum(drawn.map((r, c))[i, j] for r in range(8) for c in range(8))
        for i in range(8)
        for j in range(8)
    )
    assert told.drawn_to_one(drawn) == pytest.approx(received / 64, rel=1e-5)
    apart = np.abs(drawn.image.astype(float) - without.image).mean() / 255
    assert f"{apart:.1%} of their range" in told.change(drawn, without)


@pytest.mark.parametrize(("twin", "verdict"), [(9.68, "does **not** bring"), (14.2, "brings them")])
def test_attention_is_weighed_against_a_twin_and_the_verdict_is_that_of_the_numbers(twin, verdict):
    ours = {"with attention": 12.16, "gamma = 0": 31.26, "real pictures": 3.68}
    said = told.worth({told.UNSEEN: ours}, {told.UNSEEN: {"trained without attention": twin}})
    assert f"**12.2** with attention, **{twin:.1f}** for a twin" in said
    assert "**31.3** with attention taken out" in said and "3.7" in said and verdict in said
    assert told.worth({}, {}) == ""

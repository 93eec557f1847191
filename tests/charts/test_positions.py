"""Positional encodings."""

import numpy as np
import pytest
import vl_convert

from viz_core.charts import positions


def sinusoids(count=40, width=16, base=10000.0):
    """Vaswani et al. 2017, section 3.5."""
    angle = np.arange(count)[:, None] / base ** (2 * (np.arange(width) // 2) / width)
    return np.where(np.arange(width) % 2 == 0, np.sin(angle), np.cos(angle))


def svg(chart):
    return vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4")


def test_a_curve_follows_its_dimension():
    encoding = sinusoids()
    chart = positions.curves(encoding, [4, 5])
    rows = next(iter(chart.to_dict()["datasets"].values()))
    fifth = [r["value"] for r in rows if r["dimension"] == 5]
    assert fifth == pytest.approx(encoding[:, 5], abs=1e-4)
    assert "<svg" in svg(chart)


def test_curves_differ_in_dashes_as_well_as_in_colour():
    assert "strokeDash" in positions.curves(sinusoids(), [0, 1]).to_dict()["encoding"]


def test_dimensions_that_do_not_exist_are_left_out():
    rows = next(iter(positions.curves(sinusoids(), [0, 99]).to_dict()["datasets"].values()))
    assert {r["dimension"] for r in rows} == {0}
    assert "Choose a dimension" in svg(positions.curves(sinusoids(), []))


def test_the_heat_map_shows_every_value_on_a_scale_around_zero():
    heat = positions.heat(sinusoids(), row=3).data[0]
    assert heat.z.shape == (40, 16)
    assert heat.zmin == -heat.zmax


def test_the_dot_product_of_sinusoids_depends_on_the_distance_alone():
    frame = positions.by_offset(sinusoids())
    expected = [sum(np.cos(k / 10000 ** (2 * i / 16)) for i in range(8)) for k in frame["offset"]]
    assert frame["mean"].to_numpy() == pytest.approx(np.array(expected))
    assert frame["low"].to_numpy() == pytest.approx(frame["high"].to_numpy())
    assert "distance alone" in positions.finding_of_offset(sinusoids())
    assert "<svg" in svg(positions.offset(sinusoids()))


def test_learned_positions_show_their_spread():
    random = np.random.default_rng(0).normal(size=(20, 8))
    assert "differ by up to" in positions.finding_of_offset(random)


def test_wavelengths_grow_geometrically_from_two_pi():
    chart = positions.wavelengths(8, 10000.0, length=20)
    tables = chart.to_dict()["datasets"].values()
    rows = next(t for t in tables if "dimension" in t[0])
    assert [r["positions"] for r in rows] == pytest.approx([2 * np.pi * 10**k for k in range(4)])
    assert "from 6.3 to 6,283" in chart.to_dict()["description"]
    assert "<svg" in svg(chart)


def test_nothing_and_one_position_give_charts():
    empty = np.zeros((0, 0))
    for chart in (positions.curves(empty, [0]), positions.offset(empty), positions.wavelengths(0)):
        assert "There are no" in svg(chart)
    assert positions.heat(empty).layout.meta["description"] == "There are no positions."
    assert "<svg" in svg(positions.offset(sinusoids(1)))
    assert "<svg" in svg(positions.curves(sinusoids(1), [0]))

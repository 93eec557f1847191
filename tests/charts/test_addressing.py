"""One step of a memory taken apart: its picture and its formulas show the trace's own numbers."""

import math
import re

import numpy as np
import pytest
import vl_convert

from tests import tiny
from viz_core import probe
from viz_core.charts import addressing, memory_formulas


@pytest.fixture(scope="module")
def trace():
    return probe.copy(tiny.ntm(), np.random.default_rng(3).integers(2, size=(4, 8)))


def numbers(line):
    """What stands after each sign of equality, if it is a number."""
    return [float(each) for each in re.findall(r"= (-?[\d.]+) ", line)]


def test_each_stage_has_a_row_with_its_weights(trace):
    chart = addressing.stages(trace.read, 5, list(range(12))).to_dict()
    (cells,) = chart["datasets"].values()
    for row, part in enumerate(addressing.PARTS):
        shown = [cell["weight"] for cell in cells if cell["row"] == row]
        np.testing.assert_allclose(shown, getattr(trace.read, part)[5], atol=1e-4)
    assert f"β = {trace.read.strength[5]:.2f}" in chart["description"]
    assert "<svg" in vl_convert.vegalite_to_svg(chart, vl_version="6.4")


def test_the_heaviest_places_and_the_rest_add_up_to_what_is_read(trace):
    chart = addressing.reading(trace, 5, rows=12).to_dict()
    (cells,) = chart["datasets"].values()
    table = {row: [c["value"] for c in cells if c["row"] == row] for row in range(13)}
    names = [cell["of"] for cell in cells if cell["column"] == 0]
    weights = [float(name.split()[0]) for name in names[:-1]]
    summed = sum(w * np.array(table[row]) for row, w in enumerate(weights))
    np.testing.assert_allclose(summed, table[12], atol=0.02)
    np.testing.assert_allclose(table[12], trace.vectors[5], atol=1e-3)
    assert "<svg" in vl_convert.vegalite_to_svg(chart, vl_version="6.4")


@pytest.mark.parametrize("place", [0, 5, 11])  # the ends of the ring are neighbours
@pytest.mark.parametrize("step", [0, 8])
def test_every_formula_ends_with_the_number_of_the_trace(trace, step, place):
    head = trace.write
    lines = memory_formulas.addressing(head, step, place)
    parts = (head.content, head.gated, head.shifted, head.weights)
    for line, part in zip(lines, parts, strict=True):
        assert numbers(line)[-1] == pytest.approx(float(part[step, place]), abs=6e-4)


def test_the_middle_of_a_formula_makes_its_end(trace):
    _, gated, shifted, _ = memory_formulas.addressing(trace.read, 6, 2)
    for line in (gated, shifted):
        middle = line.split("=")[-2].replace(r"\cdot", "*")
        assert eval(middle) == pytest.approx(numbers(line)[-1], abs=3e-3)


def test_the_content_weight_is_made_of_the_numbers_that_stand_there(trace):
    line = memory_formulas.addressing(trace.read, 6, 2)[0]
    power, total = re.search(r"frac{e\^{([-\d.()\\cdot ]+)}}{([\d.]+)}", line).groups()
    made = math.exp(eval(power.replace(r"\cdot", "*"))) / float(total)
    assert made == pytest.approx(numbers(line)[-1], abs=0.01)


def test_what_is_read_is_written_out_with_its_first_numbers(trace):
    said = memory_formulas.reading(trace, 6)
    first = ", ".join(f"{value:.2f}" for value in trace.vectors[6][: memory_formulas.SHOWN])
    assert rf"= ({first}, \ldots)" in said
    assert f"{trace.reads[6].max():.3f}" in said


def test_a_very_small_number_is_written_as_a_power_of_ten():
    assert memory_formulas.power(2.5678e-6) == r"2.57 \cdot 10^{-6}"
    assert memory_formulas.power(0.25) == "0.250"
    assert memory_formulas.power(1.5e21) == r"1.50 \cdot 10^{21}"

"""Gradients over distance: a linear net fades or grows by exactly its scale a step."""

import numpy as np
import pytest

from viz_core import probe
from viz_core.charts import gradients


@pytest.mark.parametrize("scale", [0.5, 1.0, 1.5])
def test_without_tanh_each_step_multiplies_by_the_scale(scale):
    norms = probe.gradient_reach(scale, 12, linear=True).norms[0]
    assert norms[:-1] / norms[1:] == pytest.approx(np.full(11, scale), rel=1e-3)


def test_a_plain_net_vanishes_or_explodes_where_attention_does_neither():
    small, large = probe.gradient_reach(0.5, 40), probe.gradient_reach(2.5, 40)
    assert small.kept(0) < 1e-9 and large.kept(0) > 1e2
    assert all(0.05 < trace.kept(2) < 20 for trace in (small, large))
    assert "vanishes in the plain RNN (times" in gradients.finding(small)
    assert gradients.curves(small).to_dict()["description"] == gradients.finding(small)


@pytest.mark.parametrize("length", [0, 1, 10**6])
def test_a_length_that_cannot_be_shown_gets_a_sentence(length):
    with pytest.raises(ValueError, match="2 to 80 steps"):
        probe.gradient_reach(1.0, length)


def test_the_bound_of_the_formula_is_a_power_of_the_scale():
    said = gradients.formula(probe.gradient_reach(2.5, 40))
    assert said.endswith(r"2.5^{39} = 3 \cdot 10^{15}")
    assert gradients.formula(probe.gradient_reach(1.2, 41)).endswith("1.2^{40} = 1{,}470")
    assert gradients.formula(probe.gradient_reach(0.9, 11)).endswith("0.9^{10} = 0.35")


@pytest.mark.parametrize(
    ("value", "said"), [(4213.0, "4,213"), (0.127, "0.13"), (3e-9, "3 · 10⁻⁹"), (2e8, "2 · 10⁸")]
)
def test_a_factor_is_written_as_it_is_said(value, said):
    assert gradients.factor(value) == said

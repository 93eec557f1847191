"""The query meets the key: bars add up to the score, and the softmax to the weight."""

import re
from dataclasses import replace

import numpy as np
import pytest

from viz_core.charts import query_key
from viz_core.traces.bert import QueryKey


@pytest.fixture(scope="module")
def trace():
    rng = np.random.default_rng(4)
    return QueryKey(
        tokens=("[CLS]", "it", "<b>", "[SEP]"),
        query=rng.normal(size=(4, 8)).astype(np.float32),
        key=rng.normal(size=(4, 8)).astype(np.float32),
    )


def test_the_third_row_is_the_product_of_the_two_above(trace):
    spec = query_key.product(trace, 1, 3).to_dict()
    values = []
    for panel in spec["vconcat"]:
        name = (panel.get("data") or panel["layer"][0]["data"])["name"]
        values.append([row["value"] for row in spec["datasets"][name]])
    q, k, product = (np.array(row) for row in values)
    np.testing.assert_allclose(q * k, product, atol=2e-3)
    np.testing.assert_allclose(q, trace.query[1], atol=1e-4)
    assert f"Σ = {product.sum():.2f}" in str(spec)


def test_the_formulas_have_the_numbers_of_the_pair(trace):
    score, softmax = query_key.formulas(trace, 1, 3)
    assert score.endswith(f"= {float(trace.query[1] @ trace.key[3]):.2f}")
    assert softmax.endswith(f"= {trace.weights[1, 3]:.3f}")
    power, total = re.search(r"\\frac\{e\^\{(-?[\d.]+)\}\}\{([\d.]+)\}", softmax).groups()
    assert np.exp(float(power)) / float(total) == pytest.approx(trace.weights[1, 3], abs=0.01)


def test_the_nearest_keys_keep_the_order_of_the_sentence(trace):
    near = query_key.nearest(trace, 1, most=2)
    assert near == sorted(near) and len(near) == 2
    assert set(near) == set(np.argsort(-trace.weights[1])[:2])


def test_the_finding_tells_sum_and_weight(trace):
    said = query_key.finding(trace, 1, 2)
    assert said.startswith("it to <b>: 8 products add up to")
    assert said.endswith(f"the weight is {trace.weights[1, 2]:.2f}")


def test_a_query_that_looks_back_has_no_key_after_it(trace):
    masked = replace(trace, causal=True)
    assert query_key.nearest(masked, 0) == [0] and query_key.nearest(masked, 2) == [0, 1, 2]
    assert (np.triu(masked.weights, 1) == 0).all()
    np.testing.assert_allclose(masked.weights.sum(-1), 1, rtol=1e-6)
    _, softmax = query_key.formulas(masked, 1, 0)
    assert softmax.endswith(f"= {masked.weights[1, 0]:.3f}")


@pytest.mark.parametrize(
    ("divisor", "said", "formula"),
    [
        (None, "The first row is q / √8", r"e = \frac{q}{\sqrt{8}} \cdot k ="),
        (2.0, "The first row is q / 2", r"e = \frac{q}{2} \cdot k ="),
        (1.0, "This model does not divide q", r"e = q \cdot k ="),
    ],
)
def test_what_divides_the_query_is_told(divisor, said, formula, trace):
    other = replace(trace, divisor=divisor)
    assert said in str(query_key.product(other, 1, 3).to_dict()["title"])
    assert formula in query_key.formulas(other, 1, 3)[0]

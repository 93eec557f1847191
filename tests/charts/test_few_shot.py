"""The picture of an episode."""

import numpy as np
import pytest

from tests import tiny
from viz_core import probe
from viz_core.charts import export, few_shot
from viz_core.charts.kit.room import PAGE


def made(shots):
    rng = np.random.default_rng(shots)
    labels = rng.permutation(np.repeat(np.arange(5), shots))
    ink = (rng.random((len(labels) + 1, 28, 28)) < 0.1).astype(float)
    return probe.few_shot(tiny.snail(), ink[:-1], labels, ink[-1])


@pytest.mark.parametrize("shots", [1, 5])
def test_it_fits_into_its_room_and_draws_every_example(shots):
    spec = few_shot.episode(made(shots), 1, 2).to_dict()
    assert spec["width"] <= PAGE.width and spec["height"] <= PAGE.height
    pictures = [
        row["picture"] for rows in spec["datasets"].values() for row in rows if "picture" in row
    ]
    assert len(set(pictures)) == 5 * shots + 1
    assert "attention block 2 of 3" in spec["description"]


def test_the_formula_sums_to_one_over_kinds_and_itself():
    trace = made(1)
    total = trace.by_label(0).sum() + trace.looked(0)[-1]
    assert total == pytest.approx(1, abs=1e-5)
    assert few_shot.formula(trace, 0).count("underbrace") == 6


def test_it_becomes_a_picture_file():
    assert export.png(few_shot.episode(made(1)), "an episode").startswith(b"\x89PNG")


def test_the_comparison_has_a_bar_for_each_model_and_number_of_examples():
    rows = [{"blocks": name, "5-way 1-shot": 0.9, "5-way 5-shot": 0.95} for name in ("both", "one")]
    spec = few_shot.comparison(rows).to_dict()
    assert len(next(iter(spec["datasets"].values()))) == 4

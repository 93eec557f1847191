"""A head on frozen states: what it learns from and what it is tried on never meet."""

import numpy as np
import pytest

from viz_core import probe
from viz_core.charts import frozen
from viz_core.probe.frozen_states import examples


@pytest.mark.parametrize("pairs", [False, True])
def test_what_is_tried_was_never_learned_and_classes_are_equally_frequent(pairs):
    learned, held_out = examples(pairs)
    assert len(held_out) == pytest.approx((len(learned) + len(held_out)) / 3, abs=1)
    for part in (learned, held_out):
        assert sum(one[2] for one in part) * 2 == len(part)
    sides = [{side for one in part for side in one[:2] if side} for part in (learned, held_out)]
    assert not sides[0] & sides[1]


def test_a_random_bert_is_not_changed_and_its_curve_is_drawn(bert_of, monkeypatch):
    from viz_core.probe import frozen_states

    monkeypatch.setattr(frozen_states, "DRAWS", 2)
    bundle = bert_of("bert-mini")
    before = bundle.model.token.weight.clone()
    found = probe.frozen(bundle)
    assert (bundle.model.token.weight == before).all()
    assert found.accuracies.shape == (2, 6)
    assert np.all((found.accuracies >= 0) & (found.accuracies <= 1))
    said = frozen.finding(found, 0.75)
    assert said.endswith("the fine-tuned BERT on 75%")
    assert frozen.curve(found, 0.75).to_dict()["description"] == said

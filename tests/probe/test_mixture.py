"""The context vector: the sum that the model itself uses, and a weight that is moved."""

import numpy as np
import pytest
import torch

from viz_core import probe
from viz_core.charts import mixture
from viz_core.probe import translator
from viz_core.text import START

TEXT = "The dog didn't see the red umbrella."
NAMES = ["rnn-additive", "rnn-search", "rnn-dot"]


@pytest.mark.parametrize("name", NAMES)
def test_unmoved_it_is_what_the_translator_does(name, bundle_of):
    bundle = bundle_of(name)
    translation = probe.translate(bundle, TEXT)
    for step in range(len(translation.target)):
        found = probe.mixture(bundle, TEXT, step)
        assert found.own == pytest.approx(translation.cross.matrix()[step], abs=1e-5)
        assert max(found.before) == pytest.approx(max(found.after), abs=1e-5)
        best = translation.predictions[step]
        assert max(found.before) == pytest.approx(best.probabilities[0], abs=1e-5)
    assert found.moved_text == found.text == translation.text
    assert not found.moved


@pytest.mark.parametrize("name", NAMES)
def test_a_moved_weight_is_used_and_the_others_keep_their_proportions(name, bundle_of):
    found = probe.mixture(bundle_of(name), TEXT, 1, key=2, weight=0.7)
    assert found.weights[2] == pytest.approx(0.7)
    assert found.weights.sum() == pytest.approx(1)
    others = np.delete(found.own, 2)
    assert np.delete(found.weights, 2) == pytest.approx(0.3 * others / others.sum(), abs=1e-5)
    assert found.context == pytest.approx(found.weights @ found.states, abs=1e-6)
    assert found.before != pytest.approx(found.after, abs=1e-4)


def test_the_states_are_both_readers_joined(bundle_of):
    bundle = bundle_of("rnn-search")
    found = probe.mixture(bundle, TEXT, 0)
    ids = torch.tensor([translator.read(bundle, TEXT).ids])
    assert found.states == pytest.approx(bundle.model.encode(ids).states[0].numpy())
    step = bundle.model.decode(*bundle.model.start(ids), torch.tensor([[START]]))
    assert found.own == pytest.approx(step.weights[0, 0].numpy(), abs=1e-6)


def test_the_picture_says_what_the_sum_is_made_of(bundle_of):
    found = probe.mixture(bundle_of("rnn-additive"), TEXT, 1, key=0, weight=0.95)
    assert "95% of c_t comes from The" in mixture.finding(found)
    assert mixture.mixture(found, 0).to_dict()["description"] == mixture.finding(found)


@pytest.mark.parametrize("weight", [-0.1, 1.5, float("nan")])
def test_no_weight_gets_a_sentence(weight, bundle_of):
    with pytest.raises(ValueError, match="from 0 to 1"):
        probe.mixture(bundle_of("rnn-additive"), TEXT, 0, 0, weight)


def test_a_model_without_states_to_mix_gets_a_sentence(bundle_of):
    for name in ("rnn-none", "transformer"):
        with pytest.raises(ValueError, match="choose rnn-additive"):
            probe.mixture(bundle_of(name), TEXT, 0)

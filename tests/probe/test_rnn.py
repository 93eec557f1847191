"""A local window moved by hand."""

import math

import numpy as np
import pytest
import torch

from viz_core import probe
from viz_core.models.rnn import Look
from viz_core.probe import rnn as probe_rnn, translator
from viz_core.text import END, START

TEXT = "The cat sees the dog and the red umbrella."


@pytest.fixture(params=["rnn-local-p", "rnn-local-m"])
def bundle(request, bundle_of):
    return bundle_of(request.param)


def test_a_window_that_is_not_moved_changes_nothing(bundle):
    found = probe_rnn.move(bundle, TEXT, 2, 0.0)
    assert found.before == found.after
    assert found.text == found.moved_text == probe.translate(bundle, TEXT).text
    assert found.local.centres[2] == pytest.approx(found.predicted)
    own = probe.local(bundle, TEXT)
    assert np.array_equal(found.local.attention.weights, own.attention.weights)


def test_moving_the_window_moves_one_row_and_changes_the_next_word(bundle):
    still, moved = (probe_rnn.move(bundle, TEXT, 2, shift) for shift in (0.0, 4.0))
    assert moved.local.centres[2] == pytest.approx(moved.predicted + 4)
    others = [row for row in range(len(still.local.centres)) if row != 2]
    assert np.allclose(
        moved.local.attention.matrix()[others], still.local.attention.matrix()[others], atol=1e-6
    )
    inside = np.abs(np.arange(len(moved.local.attention.keys)) - moved.local.centres[2])
    assert not moved.local.attention.matrix()[2, inside > moved.local.reach].any()
    assert moved.tokens and moved.before != moved.after


def test_the_probabilities_before_are_those_of_the_plain_translation(bundle):
    found = probe_rnn.move(bundle, TEXT, 1, 3.0)
    plain = probe.translate(bundle, TEXT).predictions[1]
    assert found.tokens[0] == plain.tokens[0]
    assert found.before[0] == pytest.approx(plain.probabilities[0], abs=1e-5)
    assert list(found.before) == sorted(found.before, reverse=True)


@torch.inference_mode()
def written_by_hand(bundle, row, centre):
    """The translation, token by token, with the window somewhere else at one step."""
    model, source = bundle.model, translator.read(bundle, TEXT)
    memory, state = model.start(torch.tensor([source.ids]))
    ids, token = [], START
    while token != END and len(ids) < probe.room(source):
        look = Look(centres=torch.tensor([[centre]])) if len(ids) == row else Look()
        step = model.decode(memory, state, torch.tensor([[token]]), look)
        token, state = int(model.logits(step.features[0, -1]).argmax()), step.state
        ids.append(token)
    return bundle.tokenizer.decode(ids)


@pytest.mark.parametrize("row", [0, 2, 5])
def test_what_is_written_then_goes_on_from_the_moved_step(bundle, row):
    found = probe_rnn.move(bundle, TEXT, row, 5.0)
    assert found.moved_text == written_by_hand(bundle, row, float(found.local.centres[row]))


def test_a_centre_stays_inside_the_sentence(bundle):
    length = len(translator.read(bundle, TEXT).ids)
    for shift, place in ((100.0, length - 1), (-100.0, 0)):
        assert probe_rnn.move(bundle, TEXT, 1, shift).local.centres[1] == place


def test_a_step_beyond_the_end_is_the_last_one(bundle):
    found = probe_rnn.move(bundle, TEXT, 1000, 1.0)
    assert found.row == len(found.local.centres) - 1


def test_the_factor_is_1_at_p_and_exp_minus_2_at_p_plus_and_minus_d(bundle_of):
    bundle = bundle_of("rnn-local-p")
    own = probe_rnn.move(bundle, TEXT, 1, 0.0, Look(reach=2.0, sigma=1.0)).predicted
    at = 4.0
    local = probe_rnn.move(bundle, TEXT, 1, at - own, Look(reach=2.0, sigma=1.0)).local
    assert local.gaussian[1, [2, 4, 6]] == pytest.approx([math.exp(-2), 1, math.exp(-2)], abs=1e-5)
    product = local.content[1] * local.gaussian[1]
    assert local.attention.matrix()[1] == pytest.approx(product, abs=1e-5)


def test_a_wide_window_with_a_wide_bell_is_global_attention(bundle_of):
    bundle = bundle_of("rnn-local-p")
    local = probe_rnn.move(bundle, TEXT, 0, 0.0, Look(reach=1e4, sigma=1e4)).local
    assert local.attention.matrix().sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert local.attention.matrix() == pytest.approx(local.content, abs=1e-5)


def test_a_global_model_has_no_window(bundle_of):
    with pytest.raises(ValueError, match="choose rnn-local-p"):
        probe_rnn.move(bundle_of("rnn-dot"), TEXT, 0, 1.0)

"""Language models and readers of sentences, run for a view."""

import numpy as np
import pytest
import torch

from tests import tiny
from viz_core import probe
from viz_core.probe import elmo as probe_elmo

TEXT = "The cat didn't see the red umbrella."


@pytest.mark.parametrize("bundle", [tiny.lstmn(), tiny.elmo()], ids=["lstmn", "elmo"])
def test_the_loss_of_a_text_is_torchs_cross_entropy_of_its_tokens(bundle):
    ids = bundle.tokenizer.encode_batch([TEXT])[0]
    nats, words = probe.language_loss(bundle, TEXT)
    with torch.inference_mode():
        each = bundle.model.nats(torch.tensor([ids]))
    assert nats == pytest.approx(float(each.sum()), rel=1e-5)
    assert words == 8  # the full stop is one, didn't is one


def test_a_long_text_is_read_in_parts_that_add_up():
    bundle = tiny.lstmn()
    nats, words = probe.language_loss(bundle, "cat " * 600)
    once, _ = probe.language_loss(bundle, "cat " * 50)
    assert words == 600 and nats > once > 0


def test_what_is_no_language_model_gets_a_sentence():
    with pytest.raises(ValueError, match="no language model"):
        probe.language_loss(tiny.ntm(), "Hello.")
    with pytest.raises(ValueError, match="no states"):
        probe.states(tiny.lstmn(), "Hello.")
    with pytest.raises(ValueError, match="keeps no tape"):
        probe.read(tiny.elmo(), "Hello.")
    with pytest.raises(ValueError, match="both ends"):
        probe.surprise(tiny.lstmn(), "Hello.")


def test_each_word_looks_back_at_earlier_ones_only():
    trace = probe.read(tiny.lstmn(), TEXT)
    rows = trace.matrix()
    assert trace.kind == "masked" and trace.queries == trace.keys
    assert not np.triu(rows).any()
    np.testing.assert_allclose(rows.sum(1)[1:], 1, atol=1e-5)
    assert not rows[0].any()  # there is nothing before the first word
    assert trace.words().queries[0] == "The"  # as it was typed


def test_the_tape_tells_scores_that_make_its_weights():
    trace = probe.tape(tiny.lstmn(), TEXT)
    powers = np.exp(trace.scores[1:])
    weights = powers / powers.sum(1, keepdims=True)
    np.testing.assert_allclose(weights, trace.attention.matrix()[1:], atol=1e-5)
    nats, _ = probe.language_loss(tiny.lstmn(), TEXT)
    assert trace.nats.sum() == pytest.approx(nats, rel=1e-5)


def test_too_long_a_text_to_look_at_gets_a_sentence():
    with pytest.raises(ValueError, match="Shorten it"):
        probe.read(tiny.lstmn(), "cat " * 5000)
    with pytest.raises(ValueError, match="Shorten it"):
        probe.surprise(tiny.elmo(), "cat " * 5000)
    with pytest.raises(ValueError, match="nothing to read"):
        probe.read(tiny.lstmn(), "  ")


@pytest.mark.parametrize("bundle", [tiny.elmo(), tiny.bert("bert-mini")], ids=["elmo", "bert"])
def test_states_are_those_of_every_layer_and_token(bundle):
    found = probe.states(bundle, TEXT)
    assert found.tokens[0] == "[CLS]" and found.tokens[-1] == "[SEP]"
    assert found.values.shape[:2] == (3, len(found.tokens))
    merged = found.words()
    assert merged.tokens[1:4] == ("the", "cat", "didn't")
    pieces = [i for i, word in enumerate(found.numbers) if word == 3]
    np.testing.assert_allclose(
        merged.values[:, 3], found.values[:, pieces].mean(axis=1), rtol=1e-4, atol=1e-6
    )


def test_berts_last_states_are_its_encoders():
    bundle = tiny.bert("bert-mini")
    encoded = bundle.tokenizer.encode(TEXT)
    with torch.inference_mode():
        wanted = bundle.model(torch.tensor([encoded.ids]), torch.tensor([encoded.segments])).states
    np.testing.assert_allclose(probe.states(bundle, TEXT).values[-1], wanted[0], atol=1e-5)


def test_both_losses_of_a_word_are_the_sums_over_its_pieces():
    bundle = tiny.elmo()
    found = probe.surprise(bundle, TEXT)
    assert found.words[:3] == ("the", "cat", "didn't")
    nats, _ = probe.language_loss(bundle, TEXT)
    assert found.forward.sum() == pytest.approx(nats, rel=1e-5)


def test_the_library_has_every_meaning_of_its_words():
    found = probe.library(tiny.elmo())
    told = {(use.word, use.sense) for use in found.uses if use.sense}
    assert told == {(word, sense) for word, sense, _ in probe_elmo.sentences()}
    assert found.values.shape[:2] == (3, len(found.uses))

"""What the encoder keeps of each word."""

import numpy as np
import pytest
import torch

from viz_core.probe import rnn as probe_rnn, translator

TEXT = "The cat sees the dog."


def test_nothing_is_known_of_words_that_were_not_read_yet(bundle_of):
    trace = probe_rnn.memory(bundle_of("rnn-none"), TEXT)
    assert not np.triu(trace.forward, 1).any()
    assert not np.tril(trace.backward, -1).any()
    assert (np.diagonal(trace.forward) > 0).all() and (np.diagonal(trace.backward) > 0).all()
    assert trace.words[0] == "The" and trace.words[-1] == "</s>"


@pytest.mark.parametrize("name", ["rnn-additive", "rnn-search"])
def test_the_last_row_is_the_distance_to_a_reading_with_a_blank(name, bundle_of):
    """Word by word with an encoder of its own, against the batch."""
    bundle = bundle_of(name)
    model, source = bundle.model, translator.read(bundle, TEXT)
    trace = probe_rnn.memory(bundle, TEXT)
    whole = model.embedding(torch.tensor([source.ids]))
    _, last = model.encoder(whole)
    for number, word in enumerate(sorted(set(source.words))):
        blank = whole.clone()
        for place, owner in enumerate(source.words):
            if owner == word:
                blank[0, place] = 0
        _, other = model.encoder(blank)
        change = (other - last)[:, 0].norm(dim=-1)  # (reader,)
        assert trace.forward[-1, number] == pytest.approx(float(change[0]), abs=1e-5)
        assert trace.backward[0, number] == pytest.approx(float(change[1]), abs=1e-5)


def test_the_model_is_left_as_it_was(bundle_of):
    bundle = bundle_of("rnn-none")
    before = {name: value.clone() for name, value in bundle.model.state_dict().items()}
    probe_rnn.memory(bundle, TEXT)
    assert all(torch.equal(before[n], v) for n, v in bundle.model.state_dict().items())


def test_a_transformer_has_no_recurrent_states(bundle_of):
    with pytest.raises(ValueError, match="choose an RNN"):
        probe_rnn.memory(bundle_of("transformer"), TEXT)


def test_an_empty_sentence_gets_a_sentence(bundle_of):
    with pytest.raises(ValueError, match="nothing to read"):
        probe_rnn.memory(bundle_of("rnn-none"), "  ")

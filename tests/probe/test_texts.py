"""Short texts as vectors, for a search."""

import numpy as np
import pytest
import torch

from viz_core import checkpoints, probe

RICE = "Boil the rice, then add salt and lemon."
MATCH = "Our team lost the final in the last minute."


def test_a_vector_is_the_mean_of_the_states_under_the_last_layer(bert_of):
    """Oracle: the first layers run by hand."""
    bundle = bert_of("bert-mini")
    model, text = bundle.model, "The cat didn't see it."
    ids = torch.tensor([bundle.tokenizer.encode(text).ids])
    states = model.embed(ids, torch.zeros_like(ids))
    for layer in model.layers[:-1]:
        states = layer(states, None)[0]
    found = probe.text_vectors(bundle, (text, "The dog."))
    np.testing.assert_allclose(found[0], states[0, 1:-1].mean(0), atol=1e-5)
    assert found.shape == (2, states.shape[-1])


@pytest.mark.parametrize(("query", "best"), [("How do I cook?", 0), ("the football match", 1)])
def test_the_trained_model_finds_a_text_that_shares_no_word(query, best):
    *keys, asked = probe.text_vectors(checkpoints.load("bert-mini"), (RICE, MATCH, query))
    cosines = [key @ asked / np.linalg.norm(key) for key in keys]
    assert int(np.argmax(cosines)) == best


def test_what_cannot_be_read_gets_a_sentence(bert_of, bundle_of):
    for texts, said in (
        ((), "Give 1 to 16"),
        (("a",) * 17, "Give 1 to 16"),
        (("a", ""), "nothing"),
    ):
        with pytest.raises(ValueError, match=said):
            probe.text_vectors(bert_of("bert-mini"), texts)
    with pytest.raises(ValueError, match="not a BERT"):
        probe.text_vectors(bundle_of("rnn-dot"), ("a",))

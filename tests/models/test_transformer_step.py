"""The quick step of a search gives what the plain decoder gives."""

import pytest
import torch

from viz_core import probe
from viz_core.models.transformer import Keep
from viz_core.models.transformer_step import Stepper

SOURCE = torch.tensor([[7, 12, 30, 9, 41, 3]])


def heads_off() -> Keep:
    """The middle heads are silent, others in each part."""
    encoder, decoder, cross = torch.ones(2, 4), torch.ones(2, 4), torch.ones(2, 4)
    encoder[0, 1] = decoder[1, 2] = cross[0, 3] = decoder[0, 0] = 0
    return Keep(encoder, decoder, cross)


@pytest.mark.parametrize("keep", [None, heads_off()], ids=["all heads", "some silent"])
@pytest.mark.parametrize("place", [True, False], ids=["placed", "unplaced"])
@torch.inference_mode()
def test_step_by_step_it_equals_the_decoder_read_at_once(bundle_of, keep, place):
    model = bundle_of("transformer").model
    rows = torch.tensor([[2, 5, 17, 8, 60], [2, 5, 40, 8, 61], [2, 9, 9, 9, 9]])
    memory, state = model.start(SOURCE, keep, place)
    expected = model.decode(memory.repeat(3), state, rows, keep, place)
    logits = model.logits(expected.features)  # (hypothesis, step, vocabulary)
    weights = expected.weights.mean((1, 2))  # (hypothesis, step, key)
    stepper = Stepper(model, memory, keep, place)
    for at in range(rows.shape[1]):
        found = stepper.step(state, rows[:, at])
        torch.testing.assert_close(found.logits, logits[:, at], atol=2e-4, rtol=1e-4)
        torch.testing.assert_close(found.weights, weights[:, at], atol=1e-5, rtol=1e-4)
        state = found.state
    assert [part.shape for part in state] == [(3, 4, 2, 5, 4)] * 2


@torch.inference_mode()
def test_hypotheses_can_be_chosen_again_and_doubled(bundle_of):
    """What beam search does with a state: rows are dropped, moved and doubled."""
    model = bundle_of("transformer").model
    stepper = Stepper(model, model.start(SOURCE)[0])
    state = stepper.step((), torch.tensor([2, 2])).state
    state = stepper.step(state, torch.tensor([5, 9])).state
    chosen = tuple(part.index_select(0, torch.tensor([1, 1, 0])) for part in state)
    found = stepper.step(chosen, torch.tensor([7, 8, 7])).logits
    again = stepper.step(state, torch.tensor([7, 7])).logits
    torch.testing.assert_close(found[[2, 0]], again)
    assert not torch.allclose(found[0], found[1])


def test_several_sentences_at_once_take_the_plain_way(bundle_of):
    bundle = bundle_of("transformer")
    assert probe.Translating(bundle, SOURCE).stepper is not None
    assert probe.Translating(bundle, SOURCE.repeat(2, 1)).stepper is None
    assert probe.Translating(bundle_of("rnn-dot"), SOURCE).stepper is None


def test_padding_is_refused(bundle_of):
    model = bundle_of("transformer").model
    with pytest.raises(AssertionError, match="without padding"):
        Stepper(model, model.encode(torch.tensor([[7, 3, 0]])))

"""ELMo against torch: its loss, its directions, and the layers above each other."""

import pytest
import torch
from torch import nn

from tests import tiny

IDS = torch.tensor([[7, 8, 9, 8, 10, 11], [8, 8, 7, 12, 9, 10]])


@torch.inference_mode()
def test_the_forward_loss_is_torchs_cross_entropy_of_a_stack_of_lstms():
    model = tiny.elmo().model
    x = model.token(torch.cat((torch.full((2, 1), model.config.start), IDS[:, :-1]), 1))
    lower, _ = model.forwards[0](x)
    upper, _ = model.forwards[1](lower)
    logits = nn.functional.linear(upper + lower, model.token.weight, model.bias)
    wanted = nn.functional.cross_entropy(logits.flatten(0, 1), IDS.flatten(), reduction="sum")
    torch.testing.assert_close(model.nats(IDS).sum(), wanted)


@torch.inference_mode()
def test_the_backward_reader_is_a_forward_one_on_the_text_turned_round():
    model = tiny.elmo().model
    turned = tiny.elmo().model.__class__(model.config)
    turned.load_state_dict(model.state_dict())
    turned.forwards, turned.backwards = turned.backwards, turned.forwards
    turned.config = model.config.__class__(
        vocabulary=model.config.vocabulary,
        start=model.config.end,
        end=model.config.start,
        width=model.config.width,
    )
    _, backward = model.both_nats(IDS)
    torch.testing.assert_close(backward, turned.nats(IDS.flip(1)).flip(1))


@pytest.mark.parametrize(("way", "seen"), [(0, slice(0, 3)), (1, slice(4, 6))])
@torch.inference_mode()
def test_each_direction_knows_its_own_side_only(way, seen):
    model, other = tiny.elmo().model, IDS.clone()
    other[:, 3] = 13
    one, two = (model.both_nats(ids)[way][:, seen] for ids in (IDS, other))
    torch.testing.assert_close(one, two)


@torch.inference_mode()
def test_layer_nought_is_the_tokens_own_vector_twice_and_the_others_know_the_sentence():
    model = tiny.elmo().model
    marked = torch.cat(
        (torch.tensor([[model.config.start]]), IDS[:1], torch.tensor([[model.config.end]])), 1
    )
    found = model.layer_states(marked)
    vectors = model.token(marked)
    torch.testing.assert_close(found[0], torch.cat((vectors, vectors), -1))
    assert found.shape == (3, 1, 8, 2 * model.config.width)
    torch.testing.assert_close(found[0, 0, 2], found[0, 0, 4])  # the same token twice
    assert not torch.allclose(found[1, 0, 2], found[1, 0, 4])

"""Adaptive computation time against halting by hand; the block against torch's own layer."""

import pytest
import torch
from torch import nn

from tests import tiny
from viz_core.models.universal import ENOUGH, halted, halting


def by_hand(chances):
    """Graves 2016, eq. 4 to 6, for one position: the weights of its steps."""
    weights = []
    for step, chance in enumerate(chances):
        if step == len(chances) - 1 or sum(weights) + chance > ENOUGH:
            return [*weights, 1.0 - sum(weights)]
        weights.append(chance)
    raise AssertionError("it never halts")


def run(chances):
    """(step, position) of halting probabilities as the model goes through them."""
    total, running = torch.zeros(1, chances.shape[1]), torch.ones(1, chances.shape[1]) > 0
    weights = []
    for step, chance in enumerate(chances):
        last = step == len(chances) - 1
        weight, total, running = halted(chance[None], total, running, last=last)
        weights.append(weight)
    return halting(torch.stack(weights, 1))


def test_halting_is_that_by_hand_and_its_weights_sum_to_one():
    chances = torch.rand(6, 40, generator=torch.Generator().manual_seed(1))
    chances[:, 0], chances[:, 1], chances[:, 2] = 1.0, 1e-6, 0.3
    found = run(chances)
    for position in range(40):
        wanted = by_hand(chances[:, position].tolist())
        steps = len(wanted)
        own = found.weights[0, :, position]
        torch.testing.assert_close(own[:steps].tolist(), wanted, atol=1e-5, rtol=0)
        assert (own[steps:] == 0).all()
        assert int(found.steps[0, position]) == steps
        assert float(found.remainder[0, position]) == pytest.approx(wanted[-1], abs=1e-5)
    torch.testing.assert_close(found.weights.sum(1), torch.ones(1, 40))


def test_the_block_is_torchs_layer_with_the_same_weights():
    model = tiny.universal().model
    theirs = nn.TransformerEncoderLayer(16, 2, 24, dropout=0.0, batch_first=True).eval()
    mine = model.attention
    with torch.no_grad():
        parts = (mine.query, mine.key, mine.value)
        theirs.self_attn.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
        theirs.self_attn.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    theirs.self_attn.out_proj.load_state_dict(mine.out.state_dict())
    theirs.linear1.load_state_dict(model.transition[0].state_dict())
    theirs.linear2.load_state_dict(model.transition[2].state_dict())
    theirs.norm1.load_state_dict(model.attention_norm.state_dict())
    theirs.norm2.load_state_dict(model.transition_norm.state_dict())
    states, mask = torch.randn(2, 4, 16), torch.tensor([[True] * 4, [True, True, True, False]])
    found, weights = model.block(states, mask[:, None, None])
    wanted = theirs(states, src_key_padding_mask=~mask)
    torch.testing.assert_close(found[mask], wanted[mask], atol=1e-5, rtol=1e-4)
    assert (weights[1, :, :, 3] == 0).all()


def test_padding_changes_no_answer():
    model = tiny.universal().model
    sentences = torch.randint(0, 11, (1, 3, 4), generator=torch.Generator().manual_seed(2))
    plain = model(sentences, torch.ones(1, 3, dtype=torch.bool))
    padded = torch.full((1, 5, 6), model.config.vocabulary)
    padded[:, :3, :4] = sentences
    real = torch.tensor([[True] * 3 + [False] * 2])
    found = model(padded, real)
    torch.testing.assert_close(found.logits, plain.logits, atol=1e-5, rtol=1e-4)
    assert found.halting.steps[0].tolist() == [*plain.halting.steps[0].tolist(), 0, 0]


def test_the_answer_is_read_from_the_mean_of_states_weighted_by_halting():
    model = tiny.universal().model
    sentences = torch.randint(0, 11, (2, 3, 4), generator=torch.Generator().manual_seed(5))
    thought = model(sentences, torch.ones(2, 3, dtype=torch.bool))
    torch.testing.assert_close(thought.halting.weights.sum(1), torch.ones(2, 3))
    states = (model.embedding(sentences) * model.word_place[:4]).sum(-2)
    mask, mean = torch.ones(2, 1, 1, 3, dtype=torch.bool), torch.zeros(2, 16)
    for step in range(len(thought.attention)):
        running = step < thought.halting.steps
        changed, _ = model.block(states + model.place[:3] + model.time[step], mask)
        states = torch.where(running[..., None], changed, states)
        mean = mean + thought.halting.weights[:, step, :1] * states[:, 0]
    torch.testing.assert_close(thought.logits, model.answer(mean), atol=1e-4, rtol=1e-4)

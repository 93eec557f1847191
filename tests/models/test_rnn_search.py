"""Bahdanau's own model, against the equations in its docstring."""

import pytest
import torch
from torch import Tensor

from viz_core import attention
from viz_core.models.rnn import Look
from viz_core.models.rnn_search import RNNSearch, RNNSearchConfig

LENGTHS = (7, 4, 2)
close = torch.testing.assert_close


@pytest.fixture
def model() -> RNNSearch:
    torch.manual_seed(1)
    model = RNNSearch(RNNSearchConfig(vocabulary=30, embedding=12, width=16)).eval()
    with torch.no_grad():  # far from uniform, so that a mistake shows
        for parameter in model.parameters():
            parameter.normal_(std=0.5)
    return model.requires_grad_(False)


@pytest.fixture
def source() -> Tensor:
    """Three sentences of 7, 4 and 2 tokens, padded with 0."""
    torch.manual_seed(2)
    tokens = torch.randint(4, 30, (3, 7))
    return tokens.where(torch.arange(7) < torch.tensor(LENGTHS)[:, None], 0)


@pytest.fixture
def target() -> Tensor:
    torch.manual_seed(3)
    return torch.randint(4, 30, (3, 6))


def gru(cell: torch.nn.GRUCell, x: Tensor, s: Tensor) -> Tensor:
    """A.1.1, as torch numbers its gates: reset, update, candidate."""
    r_x, z_x, n_x = (cell.weight_ih @ x + cell.bias_ih).chunk(3)
    r_s, z_s, n_s = (cell.weight_hh @ s + cell.bias_hh).chunk(3)
    r, z = (r_x + r_s).sigmoid(), (z_x + z_s).sigmoid()
    return (1 - z) * (n_x + r * n_s).tanh() + z * s


def test_one_step_is_the_equations_of_the_paper(model, source, target):
    """Vector by vector for one sentence; only the encoder's own GRU is taken from torch."""
    x, y = source[:1], target[0]
    states, last = model.encoder(model.embedding(x))
    h = states[0]  # (key, width)
    s = (model.bridge.weight @ last[1, 0] + model.bridge.bias).tanh()  # s_0, backward reader
    whole = model.decode(*model.start(x), target[:1])
    for t in range(2):
        word = model.embedding.weight[y[t]]  # y_{t-1}
        query = s
        e = torch.stack(
            [
                model.score.vector @ (query @ model.score.w_query + key @ model.score.w_key).tanh()
                for key in h
            ]
        )
        a = e.exp() / e.exp().sum()
        c = (a[:, None] * h).sum(0)
        s = gru(model.decoder, torch.cat((word, c)), query)
        told = model.readout.weight @ torch.cat((s, word, c)) + model.readout.bias
        maxout = torch.stack([told[2 * i : 2 * i + 2].max() for i in range(len(told) // 2)])
        logits = model.embedding.weight @ maxout + model.bias
        close(whole.query[0, t], query)  # s_{t-1}: it has not read y_{t-1}
        close(whole.weights[0, t], a)
        close(model.logits(whole.features)[0, t], logits)


def test_the_first_query_does_not_know_the_first_word(model, source, target):
    other = target.clone()
    other[:, 0] = (target[:, 0] + 1) % 30
    one, two = (model.decode(*model.start(source), tokens) for tokens in (target, other))
    close(one.weights[:, 0], two.weights[:, 0])
    assert not torch.allclose(one.weights[:, 1], two.weights[:, 1])


def test_teacher_forcing_equals_step_by_step(model, source, target):
    memory, state = model.start(source)
    features, weights = model(source, target)
    for t in range(target.shape[1]):
        step = model.decode(memory, state, target[:, t : t + 1])
        close(step.features[:, 0], features[:, t])
        close(step.weights[:, 0], weights[:, t])
        state = step.state


def test_a_padded_batch_equals_a_batch_of_one(model, source, target):
    features, weights = model(source, target)
    for row, length in enumerate(LENGTHS):
        alone, alone_weights = model(source[row : row + 1, :length], target[row : row + 1])
        close(features[row], alone[0])
        close(weights[row, :, :length], alone_weights[0])
        assert (weights[row, :, length:] == 0).all()
    close(weights.sum(-1), torch.ones(3, 6))


def test_one_memory_serves_several_hypotheses(model, source, target):
    memory, state = model.start(source[:1])
    wanted = model.decode(memory, state, target[:1])
    three = model.decode(
        memory.repeat(3), tuple(part.expand(3, -1) for part in state), target[:1].expand(3, -1)
    )
    for row in three.weights:
        close(row, wanted.weights[0])


def test_a_high_temperature_looks_everywhere_alike(model, source, target):
    step = model.decode(*model.start(source), target, Look(temperature=1e6))
    close(step.weights[1, :, :4], torch.full((6, 4), 0.25), atol=1e-4, rtol=0)


def test_keys_that_were_projected_before_get_the_same_scores():
    torch.manual_seed(1)
    score = attention.Additive(8, 16)
    query, keys = torch.randn(2, 3, 8), torch.randn(2, 5, 8)
    close(score.compare(query, score.project(keys)), score(query, keys))
    assert score(query, keys).shape == (2, 3, 5)
